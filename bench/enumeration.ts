import { bundleOf } from '../infra/build/function-bundles.ts'
import type { EndpointName } from '../shared/api/routes.ts'
import { routes } from '../shared/api/routes.ts'
import { fruitlessBody } from '../test/support/api/requests.ts'
import { discreetNames, limitEach, requestLine, takesAddressAlone } from '../test/support/api/rows.ts'
import { httpEvent } from '../test/support/service/http.ts'
import { request, startLocal } from './local.ts'
import { compareByRank, medianOf } from './measure/figures.ts'
import { inTurns } from './measure/in-turns.ts'
import { report } from './measure/report.ts'
import { guarded, person } from './people.ts'
import { prepare } from './requests.ts'

/**
 * Whether timing shows that an address has an account: pairs of requests in turns, in either order, compared by rank. It
 * measures the time of answers of the local system over HTTP, and the CPU of the function alone.
 */

/**
 * Pairs of CPU, which take milliseconds each, and of time, where `login` hashes at the lowest cost of a deploy. A thousand find a
 * P of 0.533, three hundred one of 0.56 (both with 1 % for chance). `PAIRS` sets both.
 */
const pairs = { cpu: Number(process.env.PAIRS ?? 1000), time: Number(process.env.PAIRS ?? 300) }
const missing = (i: number) => `nobody${String(i).padStart(6, '0')}@example.com`
const existing = (i: number) => `person${String(i % 8).padStart(6, '0')}@example.com`

/** Takes an address of which its caller must not learn whether it has an account. */
const mover = 'change-email'

/** A client address from which nobody has logged in. */
const stranger = '198.51.100.9'

type Row = [what: string, known: number[], unknown: number[]]
const rows: Row[] = []

for (const isGuessLimitReached of [false, true]) {
  await using prepared = await prepare({ isGuessLimitReached })
  // Limits would stop a thousand logins; counting costs the same for every address. Beyond the limit of an address the
  // function looks its account up, whether it exists or not.
  const settings = { ...prepared.environment, RATE_LIMITS: isGuessLimitReached ? limitEach('1000000/minute') : 'off' }
  const names = isGuessLimitReached ? (['login'] as const) : ([...discreetNames, mover] as const)
  const compared = [
    ...names.map(name => ({ name, what: '', emails: [person.email, 'eve@example.com'] })),
    // To a wrong password. The `unknown` one is an account without a second factor.
    { name: 'login' as const, what: ', with a second factor and without', emails: [guarded.email, person.email] },
  ]
  for (const { name, what, emails } of compared) {
    const works = emails.map(email => {
      const body = { ...fruitlessBody(name), ...(name === mover ? { new_email: email } : { email }) }
      const headers: Record<string, string> = name === mover ? { authorization: `Bearer ${prepared.token}` } : {}
      const event = httpEvent({ ...requestLine(name), body, headers, clientAddress: stranger })
      return { file: `${bundleOf(name)}/index.cjs`, event }
    })
    const [known = [], unknown = []] = await inTurns({ works, rounds: pairs.cpu }, settings)
    rows.push([`${name}: CPU${what}${isGuessLimitReached ? ', beyond the limit of the address' : ''}`, known, unknown])
  }
}

await using system = await startLocal()
for (let i = 0; i < 8; i++) await request(system, '/auth/register', { email: existing(i), password: 'correct horse' })

/** @param known an address with an account, for each pair */
async function comparePairs(
  name: EndpointName,
  {
    known: knownAt = existing,
    bodyOf = (email: string): object => ({ ...fruitlessBody(name), email }),
    token = '',
  } = {},
): Promise<[number[], number[]]> {
  const time = async (email: string): Promise<number> => {
    const start = performance.now()
    const { status } = await request(system, requestLine(name).path, bodyOf(email), token)
    if (status !== (name === 'login' ? 401 : routes[name].reply[0])) throw new Error(`${name} answers ${status}`)
    return performance.now() - start
  }
  const known: number[] = []
  const unknown: number[] = []
  for (let i = -50; i < pairs.time; i++) {
    const turns = [
      async () => known.push(await time(knownAt(i + 50))),
      async () => unknown.push(await time(missing(i))),
    ]
    for (const turn of i % 2 ? turns.toReversed() : turns) await turn()
  }
  return [known.slice(50), unknown.slice(50)]
}

for (const name of discreetNames) {
  rows.push([`${name}: time`, ...(await comparePairs(name))])
}
const { body: mine } = await request(system, '/auth/login', { email: existing(0), password: 'correct horse' })
const asking = { token: mine.access_token ?? '', bodyOf: (new_email: string) => ({ new_email }) }
// The others of the eight accounts, and then the own one.
for (const [what, known] of [
  ['a taken address', (i: number) => existing(1 + (i % 7))],
  ["one's own address", () => existing(0)],
] as const) {
  rows.push([`${mover}: time, ${what}`, ...(await comparePairs(mover, { ...asking, known }))])
}
/** Milliseconds. A function that waits for such a slow users table shows in the times. */
const slow = 200
system.disturb('dynamodb', { kind: 'slow', milliseconds: slow }, { resource: 'Users' })
for (const name of discreetNames.filter(takesAddressAlone)) {
  rows.push([`${name}: time, every read of the users table ${slow} ms slower`, ...(await comparePairs(name))])
}

/** What chance alone keeps P within, in 99 of 100 comparisons, in percent: its standard error is 1/√(6 × pairs). */
const chance = (count: number) => (100 * 2.58) / Math.sqrt(6 * count)

report(
  'Addresses with an account and without',
  ['', 'with (median)', 'without (median)', 'with takes longer', 'pairs', 'p'],
  rows.map(([what, known, unknown]) => {
    const { superiority, p } = compareByRank(known, unknown)
    const bounds = [50 - chance(known.length), 50 + chance(known.length)].map(bound => Number(bound.toFixed(1)))
    return [
      what,
      ...[known, unknown].map(times => ({ figure: medianOf(times), unit: 'ms' })),
      { figure: 100 * superiority, unit: '%', target: [bounds[0] ?? 0, bounds[1] ?? 100] as const },
      String(known.length),
      { figure: p, unit: '' },
    ]
  }),
)
