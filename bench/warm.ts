import bcrypt from 'bcryptjs'
import { bundle, bundleOf } from '../infra/build/bundle.ts'
import { commonPasswordsFile, openCommonPasswords } from '../shared/accounts/passwords/common-passwords.ts'
import { httpEvent } from '../test/support/service/http.ts'
import { imported, person } from './aws/stand-in.ts'
import { measureCall, medianOf, printFigures } from './measure/figures.ts'
import { inTurns, type Spent } from './measure/in-turns.ts'
import { defaultCost, prepare } from './requests.ts'

/** What our own code adds, in a warm function, to what any code must do. CPU, measured in turns. */

/** The default cost of many libraries, for an imported hash. */
const importedCost = 10

await bundle()
await using stack = new AsyncDisposableStack()
const { aws, environment, events, token } = await prepare(defaultCost, { importedCost })
stack.use(aws)

const settings = { ...environment, BCRYPT_COST: String(defaultCost) }
const work = (name: string, event = events[name] ?? {}) =>
  ({ kind: 'function', file: `${bundleOf(name)}/index.cjs`, event }) as const
const logIn = (email: string, password: string) =>
  work('login', httpEvent({ path: '/auth/login', body: { email, password } }))

/** The median of the ratios of each round: what slows a round down slows both works down. */
function ratio(numerator: Spent | undefined, denominator: Spent | undefined): number {
  return medianOf((numerator?.cpu ?? []).map((cpu, i) => cpu / (denominator?.cpu[i] ?? Number.NaN)))
}
const median = (spent: Spent | undefined) => `${medianOf(spent?.cpu ?? []).toFixed(2)} ms`

const { password } = person
const compare = { kind: 'compare', password, hash: await bcrypt.hash(password, defaultCost) } as const
const [login, bare] = await inTurns({ works: [work('login'), compare], rounds: 60, times: 1 }, settings)

/** With so many pairs the median of their ratios is exact to about a hundredth. */
const pairs = 200
const guesses = [
  logIn('nobody@example.com', password),
  logIn(person.email, 'wrong horse'),
  logIn(imported.email, 'wrong horse'),
]
const [unknown, wrong, cheaper] = await inTurns({ works: guesses, rounds: pairs, times: 1 }, settings)

const isCommon = openCommonPasswords(`${bundleOf('register')}/${commonPasswordsFile}`)
const lookUp = await measureCall(async () => isCommon('correct horse'))

const publicKey = aws.publicKey.export({ type: 'spki', format: 'pem' }) as string
const raw = { kind: 'raw-me', token, publicKey } as const
const [me, rawMe] = await inTurns({ works: [work('get-me'), raw], rounds: 60, times: 50 }, settings)

printFigures(`Warm: what our own code adds (bcrypt's cost is ${defaultCost})`, [
  {
    what: `login (${median(login)}) over a bare compare of bcryptjs (${median(bare)})`,
    figure: ratio(login, bare),
    unit: '×',
    target: 1.05,
  },
  {
    what: `login with an unknown address (${median(unknown)}) over one with a wrong password (${median(wrong)})`,
    figure: ratio(unknown, wrong),
    unit: '×',
    target: [0.98, 1.02],
  },
  {
    what: `the same against a hash of cost ${importedCost} (${median(cheaper)}) over one with an unknown address`,
    figure: ratio(cheaper, unknown),
    unit: '×',
    target: [0.98, 1.02],
  },
  {
    what: `/auth/me (${median(me)}) over a raw signed GetItem and a raw verification of RS256 (${median(rawMe)})`,
    figure: ratio(me, rawMe),
    unit: '×',
    target: 3,
  },
  { what: 'a password that is not among the common ones', figure: lookUp, unit: 'µs' },
])
