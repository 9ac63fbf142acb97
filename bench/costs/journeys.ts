import type { MadeCall } from '../../local/aws/front.ts'
import type { Running } from '../../local/system.ts'
import { bytesOfBase32 } from '../../shared/accounts/factors/codes.ts'
import { codeOf, stepOf } from '../../shared/accounts/factors/totp.ts'
import { type FunctionName, functions, routes } from '../../shared/api/routes.ts'
import { sessionOf } from '../../test/support/api/requests.ts'
import { requestLine } from '../../test/support/api/rows.ts'
import { dateBack } from '../../test/support/system/sessions.ts'
import { request } from '../local.ts'
import { type Ran, usageOf } from './prices.ts'

/** Logins with a code in a month: one owner in ten has a second factor. */
const withCode = routes.login.perMonth / 10

/** What people do, from their first request to the last mail: in words, and how often an account does it in a month. */
export const journeyKinds = {
  login: { what: 'Login', perMonth: routes.login.perMonth - 1 - withCode },
  'login with a code': { what: 'Login with a code of a second factor', perMonth: withCode },
  // Once a month from another client address.
  'first login': { what: 'Login, the first of a day from a remote address', perMonth: 1 },
  'profile read': { what: 'Profile read', perMonth: routes['get-me'].perMonth },
  refresh: { what: 'Refresh of a session', perMonth: routes.refresh.perMonth },
  registration: { what: 'Registration, with its mail, page and verification', perMonth: routes.register.perMonth },
  'forgotten password': {
    what: 'Forgotten password, with its mail, page, reset and notice',
    perMonth: routes['reset-password'].perMonth,
  },
  'changed password': { what: 'Changed password, with its notice', perMonth: routes['change-password'].perMonth },
  'changed address': {
    what: 'Changed address, with its mail, page, confirmation and notice',
    perMonth: routes['confirm-email-change'].perMonth,
  },
  'deleted account': { what: 'Deleted account, with its notice', perMonth: routes['delete-account'].perMonth },
  'catalogue request': {
    what: 'Catalogue request (CloudFront; one in ten reaches the API)',
    perMonth: functions.catalogue.perMonth,
  },
} as const
export type JourneyName = keyof typeof journeyKinds

/** The functions that ran for a journey, and what all their calls together consumed. */
export type Journey = ReadonlyMap<FunctionName, Ran>

/** What ran for each journey, in the order of `journeyKinds`. */
export type Journeys = ReadonlyMap<JourneyName, Journey>

function callsBetween(before: readonly MadeCall[], after: readonly MadeCall[], name: FunctionName): MadeCall[] {
  const countBefore = ({ action, resource }: MadeCall): number =>
    before.find(call => call.caller === name && call.action === action && call.resource === resource)?.count ?? 0
  return after
    .filter(({ caller }) => caller === name)
    .map(call => ({ ...call, count: call.count - countBefore(call) }))
    .filter(({ count }) => count > 0)
}

const until = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await new Promise(resolve => setTimeout(resolve, 20))
}

/** Follows a person through all journeys, and counts the calls to AWS of each. */
export async function recordJourneys(system: Running): Promise<Journeys> {
  const recorded = new Map<JourneyName, Journey>()
  let email = 'ada@example.com'
  const password = 'correct horse'
  let sent: FunctionName[] = []
  let mails = 0
  const send = async (name: FunctionName, body?: object, bearer?: string) => {
    sent.push(name)
    const { method, path } = requestLine(name)
    const answer = await request(system, path, body, bearer, method)
    if (answer.status >= 300) throw new Error(`${name}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  /** Waits for another mail. @returns the token in it */
  const nextMail = async (): Promise<string> => {
    mails++
    await until(() => system.inbox.list().length >= mails)
    return /token=([\w-]{43})/.exec(system.inbox.list().at(-1)?.body.text ?? '')?.[1] ?? ''
  }
  const openPage = async (path: string) => {
    sent.push('pages')
    await fetch(`${system.baseUrl}${path}`)
  }
  /** Until the worker has deleted every message. */
  const allDelivered = () => until(() => system.messages('MailQueue').length === 0)
  const record = async (journey: JourneyName, steps: () => Promise<unknown>) => {
    await allDelivered()
    sent = []
    const before = system.calls.map(call => ({ ...call }))
    await steps()
    await allDelivered()
    const ran = [...new Set<FunctionName>([...sent, 'on-mail-queued'])].map(name => {
      const calls = lasting(callsBetween(before, system.calls, name))
      const invocations = name === 'on-mail-queued' ? deletions(calls) : sent.filter(other => other === name).length
      return [name, { invocations, usage: usageOf(name, calls) }] as const
    })
    recorded.set(journey, new Map(ran))
  }
  const logIn = async () => (await send('login', { email, password })).access_token

  const register = async () => {
    await send('register', { email, password })
    const token = await nextMail()
    await openPage('/verify-email')
    await send('verify-email', { token })
  }

  await record('registration', register)
  let bearer: string | undefined
  await record('first login', logIn)
  await record('login', async () => {
    bearer = await logIn()
  })
  await record('profile read', () => send('get-me', undefined, bearer))
  const opened = await send('login', { email, password, session: {} })
  await dateBack(system, email, sessionOf(opened.refresh_token).id)
  await record('refresh', () => send('refresh', { refresh_token: opened.refresh_token }))
  await record('changed password', async () => {
    await send('change-password', { current_password: password, new_password: 'battery staple' }, bearer)
    await nextMail()
  })
  await record('forgotten password', async () => {
    await send('forgot-password', { email })
    const token = await nextMail()
    await openPage('/reset-password')
    await send('reset-password', { token, new_password: password })
    await nextMail()
  })
  bearer = await logIn()
  await record('deleted account', async () => {
    await send('delete-account', { password }, bearer)
    await nextMail()
  })
  await register()
  bearer = await logIn()
  await record('changed address', async () => {
    await send('change-email', { new_email: 'ada@example.org' }, bearer)
    const token = await nextMail()
    await openPage('/change-email')
    await send('confirm-email-change', { token, password })
    await nextMail()
  })
  email = 'ada@example.org'
  bearer = await logIn()
  const { secret = '' } = await send('set-up-second-factor', { password }, bearer)
  const step = stepOf(new Date())
  const codeAt = (when: number) => codeOf(bytesOfBase32(secret), when)
  await send('confirm-second-factor', { code: codeAt(step) }, bearer)
  await nextMail()
  // A code works once. The next one is taken early.
  await record('login with a code', () => send('login', { email, password, code: codeAt(step + 1) }))
  await record('catalogue request', () => send('catalogue'))
  return new Map((Object.keys(journeyKinds) as JourneyName[]).map(name => [name, recorded.get(name) ?? new Map()]))
}

/** Calls of a start: a function reads the public keys once, and Lambda the attributes of the queue that it polls. */
const once = new Set(['kms:GetPublicKey', 'sqs:GetQueueAttributes'])

const deletions = (calls: readonly MadeCall[]): number =>
  calls.find(({ action }) => action === 'sqs:DeleteMessage')?.count ?? 0

/** Without the calls of a start, and with one poll for each message: polls of an empty queue have a price of their own. */
const lasting = (calls: readonly MadeCall[]): MadeCall[] =>
  calls
    .filter(({ action }) => !once.has(action))
    .map(call => (call.action === 'sqs:ReceiveMessage' ? { ...call, count: deletions(calls) } : call))
