import { type FunctionName, functions, routes } from '../../../api/routes.ts'
import recorded from './journeys.json' with { type: 'json' }
import { type Ran, usageOf } from './prices.ts'

/** Logins with a code in a month: one owner in ten has a second factor. */
const withCode = routes.login.perMonth / 10

/** What people do, from their first request to the last mail: in words, and how often an account does it in a month. */
export const journeyKinds = {
  login: { what: 'Login', perMonth: routes.login.perMonth - 1 - withCode },
  'login with a code': { what: 'Login with a code of a second factor', perMonth: withCode },
  // Once a month from another client address.
  'first login': { what: 'Login, the first from an IP address', perMonth: 1 },
  // Of no account where there are no passkeys.
  'login by a passkey': { what: 'Login by a passkey', perMonth: 0 },
  // Of no account where there are no providers.
  'login by a provider': { what: 'Login by a provider', perMonth: 0 },
  // Of no account where there are no applications.
  'login by an application': { what: 'Login by an application', perMonth: 0 },
  'profile read': { what: 'Profile read', perMonth: routes['get-me'].perMonth },
  refresh: { what: 'Refresh of a session', perMonth: routes.refresh.perMonth },
  registration: { what: 'Registration', perMonth: routes.register.perMonth },
  'forgotten password': { what: 'Forgotten password', perMonth: routes['reset-password'].perMonth },
  'changed password': { what: 'Changed password', perMonth: routes['change-password'].perMonth },
  'changed address': { what: 'Changed address', perMonth: routes['confirm-email-change'].perMonth },
  'deleted account': { what: 'Deleted account', perMonth: routes['delete-account'].perMonth },
  'catalogue request': { what: 'Catalogue request', perMonth: functions.catalogue.perMonth },
} as const
export type JourneyName = keyof typeof journeyKinds

/** What ran for a journey, as a test records it: for each function how often, and how often its calls to AWS were made. */
export type Recorded = Partial<Record<FunctionName, { invocations: number; calls: Record<string, number> }>>

/** The functions that ran for a journey, and what all their calls together consumed. */
type Journey = ReadonlyMap<FunctionName, Ran>

const journeyOf = (ran: Recorded = {}): Journey =>
  new Map(
    Object.entries(ran).map(([name, { invocations, calls }]) => [
      name as FunctionName,
      { invocations, usage: usageOf(name as FunctionName, calls) },
    ]),
  )

/** What ran for each journey, in the order of `journeyKinds`. */
export const journeys: ReadonlyMap<JourneyName, Journey> = new Map(
  (Object.keys(journeyKinds) as JourneyName[]).map(name => [
    name,
    journeyOf((recorded as Partial<Record<JourneyName, Recorded>>)[name]),
  ]),
)
