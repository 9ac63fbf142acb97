import type { MadeCall } from '../../local/aws/front.ts'
import type { Running } from '../../local/system.ts'
import { type FunctionName, functions, routes } from '../../shared/api/routes.ts'
import { requestLine } from '../../test/support/api/rows.ts'
import { request } from '../local.ts'
import { type Usage, usageOf } from './prices.ts'

/** What people do, from their first request to the last mail. */
export const journeyNames = [
  'login',
  'first login',
  'profile read',
  'registration',
  'forgotten password',
  'changed password',
  'deleted account',
  'catalogue request',
] as const
export type JourneyName = (typeof journeyNames)[number]

/** The functions that ran for a journey: how often, and what all their calls together consumed. */
export type Journey = ReadonlyMap<FunctionName, { invocations: number; usage: Usage }>

/** What ran for each journey. */
export type Journeys = ReadonlyMap<JourneyName, Journey>

/** The calls of a system so far: later ones do not change the answer. */
export const callsOf = ({ calls }: Running): MadeCall[] => calls.map(call => ({ ...call }))

/** The calls of a function between two answers of `callsOf`. */
export function callsBetween(before: readonly MadeCall[], after: readonly MadeCall[], name: FunctionName): MadeCall[] {
  const countBefore = ({ action, resource }: MadeCall): number =>
    before.find(call => call.caller === name && call.action === action && call.resource === resource)?.count ?? 0
  return after
    .filter(({ caller }) => caller === name)
    .map(call => ({ ...call, count: call.count - countBefore(call) }))
    .filter(({ count }) => count > 0)
}

/** Sends the request of a row, and fails unless it succeeds. @returns the answer's body */
export async function succeed(system: Running, name: FunctionName, body?: object, bearer?: string) {
  const { method, path } = requestLine(name)
  const answer = await request(system, path, body, bearer, method)
  if (answer.status >= 300) throw new Error(`${name}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Waits until an address has `count` mails. @returns the token in the newest */
export async function mailed({ inbox }: Running, email: string, count: number): Promise<string> {
  for (;;) {
    const mails = inbox.list().filter(({ destination }) => destination.to.includes(email))
    if (mails.length >= count) return /token=([\w-]{43})/.exec(mails.at(-1)?.body.text ?? '')?.[1] ?? ''
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** Waits until the worker has deleted every message. */
async function worked(system: Running): Promise<void> {
  while (system.messages('MailQueue').length > 0) await new Promise(resolve => setTimeout(resolve, 20))
}

/** Follows a person through all journeys, and counts the calls to AWS of each. */
export async function recordJourneys(system: Running): Promise<Journeys> {
  const journeys = new Map<JourneyName, Journey>()
  const email = 'ada@example.com'
  const password = 'correct horse'
  let sent: FunctionName[] = []
  let mails = 0
  const send = (name: FunctionName, body?: object, bearer?: string) => {
    sent.push(name)
    return succeed(system, name, body, bearer)
  }
  const nextMail = () => mailed(system, email, ++mails)
  const openPage = async (path: string) => {
    sent.push('pages')
    await fetch(`${system.baseUrl}${path}`)
  }
  const record = async (journey: JourneyName, steps: () => Promise<unknown>) => {
    sent = []
    const before = callsOf(system)
    await steps()
    await worked(system)
    const after = callsOf(system)
    const ran = new Map(
      [...new Set<FunctionName>([...sent, 'on-mail-queued'])].map(name => {
        const calls = lasting(callsBetween(before, after, name))
        const deleted = calls.find(({ action }) => action === 'sqs:DeleteMessage')?.count ?? 0
        const invocations = name === 'on-mail-queued' ? deleted : sent.filter(other => other === name).length
        return [name, { invocations, usage: usageOf(name, calls) }] as const
      }),
    )
    journeys.set(journey, ran)
  }
  const logIn = async () => (await send('login', { email, password })).access_token

  await record('registration', async () => {
    await send('register', { email, password })
    const token = await nextMail()
    await openPage('/verify-email')
    await send('verify-email', { token })
  })
  let bearer: string | undefined
  await record('first login', logIn)
  await record('login', async () => {
    bearer = await logIn()
  })
  await record('profile read', () => send('get-me', undefined, bearer))
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
  await record('catalogue request', () => send('catalogue'))
  return journeys
}

/** Calls of a start: a function reads the public keys once, and Lambda the attributes of the queue that it polls. */
const once = new Set(['kms:GetPublicKey', 'sqs:GetQueueAttributes'])

/**
 * Without the calls of a start, and with one poll for each message: polls of an empty queue have a price of their own.
 */
function lasting(calls: readonly MadeCall[]): MadeCall[] {
  const deleted = calls.find(({ action }) => action === 'sqs:DeleteMessage')?.count ?? 0
  return calls
    .filter(({ action }) => !once.has(action))
    .map(call => (call.action === 'sqs:ReceiveMessage' ? { ...call, count: deleted } : call))
}

/** What an account does in a month, by the rows of the route table. */
export const timesPerMonth: Readonly<Record<JourneyName, number>> = {
  registration: routes.register.perMonth,
  // Once a month from another client address.
  'first login': 1,
  login: routes.login.perMonth - 1,
  'profile read': routes['get-me'].perMonth,
  'changed password': routes['change-password'].perMonth,
  'forgotten password': routes['reset-password'].perMonth,
  'deleted account': routes['delete-account'].perMonth,
  'catalogue request': functions.catalogue.perMonth,
}

/** What ran for one of them. */
export function found(journeys: Journeys, name: JourneyName): Journey {
  const journey = journeys.get(name)
  if (!journey) throw new Error(`${name} was not recorded`)
  return journey
}
