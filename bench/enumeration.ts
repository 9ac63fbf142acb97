import { bundle, bundleOf } from '../infra/build/bundle.ts'
import type { EndpointName } from '../shared/http/endpoint.ts'
import { routes } from '../shared/routes.ts'
import { vainBody } from '../test/support/api/requests.ts'
import { discreetNames, limitEach, requestLine, takesAddressAlone } from '../test/support/api/rows.ts'
import { httpEvent } from '../test/support/service/http.ts'
import { person } from './aws-stand-in.ts'
import { inTurns } from './in-turns.ts'
import { ask, startLocal } from './local.ts'
import { compareByRank } from './rank-test.ts'
import { prepare } from './requests.ts'
import { medianOf, printTable, rounded } from './table.ts'

/**
 * Whether the clock tells an address that has an account from one that has none: pairs of requests, in turns and each
 * in either order, compared by rank. Over the wire of the whole system by the time of the answer, and in the function's
 * own process by its CPU.
 */

const pairs = 1000
const missing = (i: number) => `nobody${String(i).padStart(6, '0')}@example.com`
const existing = (i: number) => `person${String(i % 8).padStart(6, '0')}@example.com`

/** Where nobody has logged in from. */
const stranger = '198.51.100.9'

type Row = [what: string, known: number[], unknown: number[]]
const rows: Row[] = []

await bundle()
for (const isBesieged of [false, true]) {
  const { aws, environment } = await prepare(undefined, { isBesieged })
  // The guesses of a thousand logins would be limited; what is counted is the same for all. Beyond the limit of an
  // address its account is looked up, and so is one that does not exist.
  const settings = { ...environment, RATE_LIMITS: isBesieged ? limitEach('1000000/minute') : 'off' }
  for (const name of isBesieged ? (['login'] as const) : discreetNames) {
    const [known, unknown] = await inTurns(
      {
        works: [person.email, 'eve@example.com'].map(email => ({
          kind: 'function',
          file: `${bundleOf(name)}/index.cjs`,
          event: httpEvent({ ...requestLine(name), body: { ...vainBody(name), email }, remote: stranger }),
        })),
        rounds: pairs,
        times: 1,
      },
      settings,
    )
    rows.push([
      `${name}: CPU${isBesieged ? ', beyond the limit of the address' : ''}`,
      known?.cpu ?? [],
      unknown?.cpu ?? [],
    ])
  }
  await aws[Symbol.asyncDispose]()
}

await using system = await startLocal()
for (let i = 0; i < 8; i++) await ask(system, '/auth/register', { email: existing(i), password: 'correct horse' })

async function race(name: EndpointName): Promise<[number[], number[]]> {
  const time = async (email: string): Promise<number> => {
    const start = performance.now()
    const { status } = await ask(system, requestLine(name).path, { ...vainBody(name), email })
    if (status !== (takesAddressAlone(name) ? routes[name].reply[0] : 401))
      throw new Error(`${name} answers with ${status}`)
    return performance.now() - start
  }
  const known: number[] = []
  const unknown: number[] = []
  for (let i = -50; i < pairs; i++) {
    const turns = [
      async () => known.push(await time(existing(i + 50))),
      async () => unknown.push(await time(missing(i))),
    ]
    for (const turn of i % 2 ? turns.toReversed() : turns) await turn()
  }
  return [known.slice(50), unknown.slice(50)]
}

for (const name of discreetNames) {
  rows.push([`${name}: time`, ...(await race(name))])
}
/** A users table so slow that whoever waited for it would be found out. */
const slow = 200
system.disturb('dynamodb', { kind: 'slow', milliseconds: slow }, { resource: 'Users' })
for (const name of discreetNames.filter(takesAddressAlone)) {
  rows.push([`${name}: time, every read of the users table ${slow} ms slower`, ...(await race(name))])
}

printTable(
  `Enumeration: addresses with an account against those without, ${pairs} pairs each, by the Mann–Whitney test`,
  ['', 'with (median)', 'without (median)', 'P(with > without)', 'p'],
  rows.map(([what, known, unknown]) => {
    const { superiority, p } = compareByRank(known, unknown)
    return [
      what,
      ...[known, unknown].map(some => `${rounded(medianOf(some))} ms`),
      superiority.toFixed(3),
      p.toFixed(3),
    ]
  }),
)
