import { join } from 'node:path'
import bcrypt from 'bcryptjs'
import { bundleOf } from '../infra/build/function-bundles.ts'
import { commonPasswordsFile, openCommonPasswords } from '../shared/accounts/passwords/common-passwords.ts'
import { httpEvent } from '../test/support/service/http.ts'
import { type Figure, measureCall, medianOf, printFigures } from './measure/figures.ts'
import { inTurns } from './measure/in-turns.ts'
import { defaultCost, prepare } from './requests.ts'
import { imported, person } from './stand-in.ts'

/** What our own code adds, in a warm function, to what any code must do. CPU, measured in turns. */

/** The default cost of many libraries, for an imported hash. */
const importedCost = 10
/** With so many pairs the median of their ratios is exact to about a hundredth. */
const pairs = 200

await using prepared = await prepare({ cost: defaultCost, importedCost })
const settings = { ...prepared.environment, BCRYPT_COST: String(defaultCost) }
const work = (name: string, event = prepared.events[name]) => ({ file: `${bundleOf(name)}/index.cjs`, event })
const least = (name: string, event: object) => ({ file: join(import.meta.dirname, 'least-work.ts'), name, event })
const logIn = (email: string, password: string) =>
  work('login', httpEvent({ path: '/auth/login', body: { email, password } }))

const median = (spent: number[]) => `${medianOf(spent).toFixed(2)} ms`

/** The median of the ratios of each round: what slows a round down slows both works down. */
function ratio(what: string, over: string, [ours = [], theirs = []]: number[][], target: Figure['target']): Figure {
  const figure = medianOf(ours.map((cpu, i) => cpu / (theirs[i] ?? Number.NaN)))
  return {
    what: `${what} (${median(ours)}) over ${over} (${median(theirs)})`,
    figure,
    unit: '×',
    ...(target && { target }),
  }
}

const { email, password } = person
const compare = least('compare', { password, hash: await bcrypt.hash(password, defaultCost) })
const hashing = await inTurns({ works: [work('login'), compare], rounds: 60 }, settings)

const guesses = [
  logIn('nobody@example.com', password),
  logIn(email, 'wrong horse'),
  logIn(imported.email, 'wrong horse'),
]
const [unknown = [], wrong = [], cheaper = []] = await inTurns({ works: guesses, rounds: pairs }, settings)

const publicKey = prepared.publicKey.export({ type: 'spki', format: 'pem' })
const works = [work('get-me'), least('readAccount', { token: prepared.token, publicKey })]
const reading = await inTurns({ works, rounds: 60, times: 50 }, settings)

const isCommon = openCommonPasswords(`${bundleOf('register')}/${commonPasswordsFile}`)
const lookUp = await measureCall(async () => isCommon('correct horse'))

printFigures(`Warm: what our own code adds (bcrypt's cost is ${defaultCost})`, [
  ratio('login', 'a bare compare of bcryptjs', hashing, 1.05),
  ratio('login with an unknown address', 'one with a wrong password', [unknown, wrong], [0.98, 1.02]),
  ratio(
    `the same against a hash of cost ${importedCost}`,
    'one with an unknown address',
    [cheaper, unknown],
    [0.98, 1.02],
  ),
  ratio('/auth/me', 'a raw signed GetItem and a raw verification of RS256', reading, 3),
  { what: 'a password that is not among the common ones', figure: lookUp, unit: 'µs' },
])
