import { bundleOf } from '../infra/build/bundle.ts'
import type { MadeCall } from '../local/aws/front.ts'
import type { TokenKind } from '../shared/accounts/tokens/one-time-token.ts'
import { needsOf, rows } from '../shared/api/needs.ts'
import type { FunctionName } from '../shared/api/routes.ts'
import { goodBody, type Sender, sessionOf } from '../test/support/api/requests.ts'
import { endpointNames, limitEach } from '../test/support/api/rows.ts'
import { dateBack } from '../test/support/system/sessions.ts'
import { callsBetween, callsOf, mailed, succeed } from './costs/journeys.ts'
import { costOf, latency, sumOf, usageOf } from './costs/prices.ts'
import { startLocal } from './local.ts'
import { medianOf, printTable, rounded } from './measure/figures.ts'
import { inTurns } from './measure/in-turns.ts'
import { defaultCost, prepare } from './requests.ts'

/**
 * The calls to AWS for a successful request to each endpoint, and the price of a million. The calls are counted on the
 * local system; the CPU is measured in a process of its own.
 */

await using system = await startLocal({ RATE_LIMITS: limitEach('1000000/minute') })

const password = 'correct horse'

/** Opens an account with all that a request can need: each request may use up a token, or the account. */
async function enrol(email: string): Promise<Sender & { bearer: string }> {
  await succeed(system, 'register', { email, password })
  const verification = await mailed(system, email, 1)
  const { access_token: bearer = '', refresh_token } = await succeed(system, 'login', { email, password, session: {} })
  const held = sessionOf(refresh_token)
  await dateBack(system, email, held.id)
  const reset = async () => {
    await succeed(system, 'forgot-password', { email })
    return mailed(system, email, 2)
  }
  const token = (kind: TokenKind) => (kind === 'verification' ? verification : reset())
  return { email, password, newEmail: `new-${email}`, token, session: () => held, bearer }
}

const found = new Map<FunctionName, readonly MadeCall[]>()

/** Counts the calls of functions for a request. Only the second request counts: the first one starts the function. */
async function countCalls(names: readonly FunctionName[], send: (turn: 0 | 1) => Promise<unknown>): Promise<void> {
  // Work after an answer, and the delivery of a mail, take less.
  const settle = () => new Promise(resolve => setTimeout(resolve, 500))
  await send(0)
  await settle()
  const before = callsOf(system)
  await send(1)
  await settle()
  const after = callsOf(system)
  for (const name of names) found.set(name, callsBetween(before, after, name))
}

/** The calls by their action without its service, to all resources together. */
function countsByAction(calls: readonly MadeCall[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { action, count } of calls) {
    const [, name = ''] = action.split(':')
    counts.set(name, (counts.get(name) ?? 0) + count)
  }
  return counts
}

const people = await Promise.all(
  endpointNames.map(name => Promise.all([enrol(`${name}@first.example.com`), enrol(`${name}@second.example.com`)])),
)
for (const [i, name] of endpointNames.entries()) {
  const pair = people[i]
  if (!pair) continue
  const bodies = [await goodBody(name, pair[0]), await goodBody(name, pair[1])]
  const isMailed = name === 'forgot-password'
  await countCalls(isMailed ? [name, 'on-mail-queued'] : [name], async turn => {
    await succeed(system, name, bodies[turn], pair[turn].bearer)
    if (isMailed) await mailed(system, pair[turn].email, 2)
  })
}
await countCalls(['signing-keys'], () => succeed(system, 'signing-keys'))

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
  const calls = found.get(name) ?? []
  const usage = usageOf(name, calls)
  const cpu = medianOf(spent[i]?.cpu ?? [])
  return [
    name,
    [...countsByAction(calls)].map(([action, count]) => `${count > 1 ? `${count} × ` : ''}${action}`).join(', ') ||
      'none',
    String(usage.reads),
    String(usage.writes),
    `${rounded(cpu + latency * usage.waits)} ms × ${needsOf(rows[name]).memory} MB`,
    `$${(sumOf(costOf(name, cpu, usage)) * 1e6).toFixed(2)}`,
  ]
})
printTable(
  `AWS calls of a successful request, and the price of a million (bcrypt's cost is ${defaultCost})`,
  ['', 'calls', 'read units', 'write units', 'Lambda', 'per million'],
  table,
)
