import { bundleOf } from '../infra/build/bundle.ts'
import type { Running } from '../local/system.ts'
import type { TokenKind } from '../shared/accounts/tokens/one-time-token.ts'
import { needsOf, rows } from '../shared/api/needs.ts'
import type { FunctionName } from '../shared/api/routes.ts'
import { goodBody, type Sender } from '../test/support/api/requests.ts'
import { endpointNames, limitEach, requestLine } from '../test/support/api/rows.ts'
import { request, startLocal } from './local.ts'
import { medianOf, printTable, rounded } from './measure/figures.ts'
import { inTurns } from './measure/in-turns.ts'
import { defaultCost, prepare } from './requests.ts'

/**
 * The calls to AWS for a successful request to each endpoint, and the price of a million. The calls are counted on the
 * local system; the CPU is measured in a process of its own.
 */

/** US dollars in us-east-1, from each service's pricing page. */
const prices = {
  /** API Gateway, HTTP API: a request. */
  gateway: 1.0 / 1e6,
  /** Lambda on Arm: an invocation, and a gigabyte for a second. */
  invocation: 0.2 / 1e6,
  gigabyteSecond: 0.0000133334,
  /** DynamoDB on demand: request units. */
  read: 0.125 / 1e6,
  write: 0.625 / 1e6,
  /** SQS, standard queue: a request. */
  sqs: 0.4 / 1e6,
  /** KMS: a request with an RSA 2048 key. */
  kms: 0.03 / 1e4,
  /** SES: a mail. */
  mail: 0.1 / 1e3,
  /** CloudWatch Logs: a kilobyte ingested, about the size of Lambda's report and one event. */
  kilobyte: 0.5 / 1e6,
}

/** Milliseconds of a call to AWS within a region. Lambda charges for the wait. */
const latency = 5

/** Units by action, for items of less than a kilobyte (Amazon DynamoDB, "Read and write operations"). */
const reads: Record<string, number> = { 'dynamodb:GetItem': 1, 'dynamodb:Query': 0.5 }
const writes = new Set(['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'])

/** Additional writes to the index of tokens, when a token is stored or removed. */
const indexWrites: Partial<Record<FunctionName, number>> = {
  register: 1,
  'verify-email': 1,
  'reset-password': 1,
  'on-mail-queued': 1,
}

await using system = await startLocal({ RATE_LIMITS: limitEach('1000000/minute') })

const password = 'correct horse'

/** Waits until an address has `count` mails. @returns the token in the newest */
async function mailed(email: string, count: number): Promise<string> {
  for (;;) {
    const mails = system.inbox.list().filter(({ destination }) => destination.to.includes(email))
    if (mails.length >= count) return /token=([\w-]{43})/.exec(mails.at(-1)?.body.text ?? '')?.[1] ?? ''
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** The calls that a function has made so far, by action. */
function callsOf({ calls }: Running, name: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { caller, action, count } of calls) {
    if (caller === name) counts.set(action, (counts.get(action) ?? 0) + count)
  }
  return counts
}

/** Opens an account with all that a request can need: each request may use up a token, or the account. */
async function enrol(email: string): Promise<Sender & { bearer: string }> {
  await succeed('register', { email, password })
  const verification = await mailed(email, 1)
  const { access_token: bearer = '' } = await succeed('login', { email, password })
  const reset = async () => {
    await succeed('forgot-password', { email })
    return mailed(email, 2)
  }
  const token = (kind: TokenKind) => (kind === 'verification' ? verification : reset())
  return { email, password, newEmail: `new-${email}`, token, bearer }
}

async function succeed(name: FunctionName, body?: object, bearer?: string): Promise<Record<string, string>> {
  const { method, path } = requestLine(name)
  const answer = await request(system, path, body, bearer, method)
  if (answer.status >= 300) throw new Error(`${name}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const found = new Map<FunctionName, Map<string, number>>()

/** Counts the calls of functions for a request. Only the second request counts: the first one starts the function. */
async function countCalls(names: readonly FunctionName[], send: (turn: 0 | 1) => Promise<unknown>): Promise<void> {
  // Work after an answer, and the delivery of a mail, take less.
  const settle = () => new Promise(resolve => setTimeout(resolve, 500))
  await send(0)
  await settle()
  const before = new Map(names.map(name => [name, callsOf(system, name)]))
  await send(1)
  await settle()
  for (const [name, calls] of before) found.set(name, difference(callsOf(system, name), calls))
}

const difference = (after: Map<string, number>, before: Map<string, number>) =>
  new Map([...after].map(([action, count]) => [action, count - (before.get(action) ?? 0)]))

const people = await Promise.all(
  endpointNames.map(name => Promise.all([enrol(`${name}@first.example.com`), enrol(`${name}@second.example.com`)])),
)
for (const [i, name] of endpointNames.entries()) {
  const pair = people[i]
  if (!pair) continue
  const bodies = [await goodBody(name, pair[0]), await goodBody(name, pair[1])]
  const isMailed = name === 'forgot-password'
  await countCalls(isMailed ? [name, 'on-mail-queued'] : [name], async turn => {
    await succeed(name, bodies[turn], pair[turn].bearer)
    if (isMailed) await mailed(pair[turn].email, 2)
  })
}
await countCalls(['signing-keys'], () => succeed('signing-keys'))

const names = [...found.keys()]
const { aws, environment, events } = await prepare(defaultCost)
const works = names.map(name => ({
  kind: 'function' as const,
  file: `${bundleOf(name)}/index.cjs`,
  event: events[name] ?? {},
}))
const spent = await inTurns({ works, rounds: 7, times: 1 }, { ...environment, BCRYPT_COST: String(defaultCost) })
await aws[Symbol.asyncDispose]()

const table = names.map((name, i) => {
  const calls = [...(found.get(name) ?? [])].filter(([, count]) => count > 0)
  const sum = (matches: (action: string) => number) =>
    calls.reduce((total, [action, count]) => total + count * matches(action), 0)
  const of = (service: string) => sum(action => (action.startsWith(`${service}:`) ? 1 : 0))
  const read = sum(action => reads[action] ?? 0)
  const write = sum(action => (writes.has(action) ? 1 : 0)) + (indexWrites[name] ?? 0)
  const cpu = medianOf(spent[i]?.cpu ?? [])
  // Lambda itself polls the worker's queue: the worker does not wait for these calls.
  const waited = ['dynamodb', 'kms', 'ses', ...(name === 'on-mail-queued' ? [] : ['sqs'])]
  const time = cpu + latency * waited.reduce((total, service) => total + of(service), 0)
  const gigabytes = needsOf(rows[name]).memory / 1024
  const dollars =
    (name === 'on-mail-queued' ? 0 : prices.gateway) +
    prices.invocation +
    (gigabytes * time * prices.gigabyteSecond) / 1000 +
    read * prices.read +
    write * prices.write +
    of('sqs') * prices.sqs +
    of('kms') * prices.kms +
    of('ses') * prices.mail +
    prices.kilobyte
  return [
    name,
    calls.map(([action, count]) => `${count > 1 ? `${count} × ` : ''}${action.split(':')[1]}`).join(', ') || 'none',
    String(read),
    String(write),
    `${rounded(time)} ms × ${needsOf(rows[name]).memory} MB`,
    `$${(dollars * 1e6).toFixed(2)}`,
  ]
})
printTable(
  `AWS calls of a successful request, and the price of a million (bcrypt's cost is ${defaultCost})`,
  ['', 'calls', 'read units', 'write units', 'Lambda', 'per million'],
  table,
)
