import { join } from 'node:path'
import bcrypt from 'bcryptjs'
import { commonPasswordsFile, openCommonPasswords } from '../accounts/password/common-passwords.ts'
import type { FunctionName } from '../api/routes.ts'
import { bundleOf } from '../infra/build/function-bundles.ts'
import { applicationRefresh, exchange, logIn } from './events.ts'
import { otherHashes } from './hashes.ts'
import { measureCall, medianOf, medianRatio } from './measure/figures.ts'
import { inTurns, type Work } from './measure/in-turns.ts'
import { type Measured, report, reportFigures } from './measure/report.ts'
import { guarded, importedWith, person } from './people.ts'
import { defaultCost, hashOfCost, leastCost, prepare } from './prepare.ts'

/** The cost of our own code in a warm function, over the least work for its result. CPU, measured in turns. */

/** The default cost of many libraries, for an imported hash. */
const importedCost = 10

const work = (name: FunctionName, event: object, status = 200, folder = bundleOf(name)): Work => ({
  file: `${folder}/index.cjs`,
  event,
  status,
})
const least = (name: string, event: object): Work => ({
  file: join(import.meta.dirname, 'measure/least-work.ts'),
  name,
  event,
})

/** A row: both medians, and the median ratio. */
function compared(what: string, over: string, ours: number[] = [], theirs: number[] = [], target?: Measured['target']) {
  const figure = medianRatio(ours, theirs)
  const milliseconds = (spent: number[]): Measured => ({ figure: medianOf(spent), unit: 'ms' })
  return [what, milliseconds(ours), over, milliseconds(theirs), { figure, unit: '×', ...(target && { target }) }]
}
const head = ['', 'CPU', 'over', 'CPU', 'ratio']

const { email, password } = person
{
  const ofLowerCost = await hashOfCost(importedCost)
  await using prepared = await prepare({
    cost: defaultCost,
    importedHashes: [ofLowerCost, ...Object.values(otherHashes)],
  })
  const settings = { ...prepared.environment, BCRYPT_COST: String(defaultCost) }
  const compare = least('compare', { password, hash: await bcrypt.hash(password, defaultCost) })
  // The ratio of a round varies by 3 %, and so the median of 60 by half a per cent.
  const hashing = await inTurns({ works: [work('login', logIn(email, password)), compare], rounds: 60 }, settings)
  const nobody = work('login', logIn('nobody@example.com', password), 401)
  const guess = (hash: string) => work('login', logIn(importedWith(hash), 'wrong horse'), 401)
  const guesses = [nobody, work('login', logIn(email, 'wrong horse'), 401), guess(ofLowerCost)]
  const [unknown, wrong, cheaper] = await inTurns({ works: guesses, rounds: 60 }, settings)
  const others = []
  for (const [name, hash] of Object.entries(otherHashes)) {
    // The median of twelve ratios varies by 1 %, on a busy machine by 3 %.
    const [absent, against] = await inTurns({ works: [nobody, guess(hash)], rounds: 12 }, settings)
    others.push(compared(`a wrong password, against ${name}`, 'an unknown address', against, absent, [0.95, 1.05]))
  }
  report(`Warm, with a hash of cost ${defaultCost}`, head, [
    compared('login', 'a bare compare of bcryptjs', hashing[0], hashing[1], 1.03),
    compared('login with an unknown address', 'one with a wrong password', unknown, wrong, [0.98, 1.02]),
    compared(
      `a wrong password, against a hash of cost ${importedCost}`,
      'an unknown address',
      cheaper,
      unknown,
      [0.98, 1.02],
    ),
    ...others,
  ])
}
{
  await using prepared = await prepare()
  const settings = prepared.environment
  // Fifty runs of a millisecond vary by a tenth, and so the median of 60 rounds by 2 %. Runs of several milliseconds need fewer.
  const short = { rounds: 60, times: 50 }
  const long = { rounds: 60, times: 15 }
  const publicKey = prepared.publicKey.export({ type: 'spki', format: 'pem' })
  const reads = [
    work('get-me', prepared.eventOf('get-me')),
    least('readAccount', { token: prepared.token, publicKey }),
    work('refresh', prepared.eventOf('refresh')),
  ]
  const [me, leastOfMe, refresh] = await inTurns({ works: reads, ...short }, settings)
  const logins = [
    work('login', logIn(email, password)),
    work('login', logIn(email, password, { session: {} })),
    { ...work('login', logIn(guarded.email, password)), secret: guarded.secret.toString('base64') },
  ]
  const [plain, session, code] = await inTurns({ works: logins, ...long }, settings)
  const { eventOf, folderOf } = prepared
  const asDeployed = (name: FunctionName, event = eventOf(name)): Work => work(name, event, 200, folderOf(name))
  const others = [work('login', logIn(email, password)), asDeployed('authorize'), asDeployed('provider-login')]
  const [login, authorize, provider] = await inTurns({ works: others, ...long }, settings)
  const exchanges = [
    work('refresh', eventOf('refresh')),
    asDeployed('authorize-session'),
    asDeployed('token', exchange('plain')),
    asDeployed('token', exchange('offline')),
    asDeployed('token', applicationRefresh()),
  ]
  const [own, silent, exchanged, opened, refreshed] = await inTurns({ works: exchanges, ...long }, settings)
  const profiles = [work('get-me', eventOf('get-me')), asDeployed('userinfo')]
  const [profile, userinfo] = await inTurns({ works: profiles, ...short }, settings)
  const without = `login without, hash of cost ${leastCost}`
  report('Warm, without the hash', head, [
    compared('/auth/me', 'a raw signed GetItem and a raw verification of RS256', me, leastOfMe, 2),
    compared('/auth/refresh', '/auth/me', refresh, me),
    compared('login with a session', without, session, plain),
    compared('login with a code of a second factor', without, code, plain),
    compared('/auth/authorize', without, authorize, login),
    compared("/auth/provider-login, the provider's keys at hand", without, provider, login),
    compared('/auth/authorize-session', '/auth/refresh', silent, own),
    compared('/auth/token with a code', '/auth/refresh', exchanged, own),
    compared('/auth/token with a code, and a session', '/auth/refresh', opened, own),
    compared('/auth/token with a refresh token', '/auth/refresh', refreshed, own),
    compared('/auth/userinfo', '/auth/me', userinfo, profile),
  ])
}
const isCommon = openCommonPasswords(`${bundleOf('register')}/${commonPasswordsFile}`)
reportFigures('A look-up in the list of common passwords', [
  {
    what: 'a password that is not in it',
    figure: await measureCall(async () => isCommon('correct horse')),
    unit: 'µs',
  },
])
