import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import bcrypt from 'bcryptjs'
import { needsOf, rows } from '../api/needs.ts'
import { functionNames } from '../api/route-keys.ts'
import type { FunctionName } from '../api/routes.ts'
import { applicationRefresh, authorizePage, codeNow, exchange, httpEvent, logIn } from './events.ts'
import { buildDefaults } from './measure/default-bundles.ts'
import { medianOf, medianRatio } from './measure/figures.ts'
import { type Measured, report } from './measure/report.ts'
import { guarded, importedWith, person } from './people.ts'
import { leastCost, prepare } from './prepare.ts'

/**
 * The CPU of a function's first answer, over that of an empty function, and over that of its default bundle by the CDK.
 * CPU instead of time, because this machine does other work, and Lambda gives a function a share of a core by its
 * memory.
 */

/** Starts of each, in turns. The CPU of a start varies by a tenth, and so the median of nine by 4 %. */
const rounds = 9
/**
 * Pairs per round of an empty function and a function that is bounded by it. Within a round the empty function varies
 * by a tenth, nearly the whole bound. The median of 45 ratios varies by 2 %.
 */
const pairs = 5
const authorizing = 'pages, where people log in to an application'
const discovery = 'signing-keys, for discovery'
/**
 * The CPU of an empty function, times this, for functions without the SDK: 15 % are 4 ms. The page for applications
 * reads and fills 50 KB.
 */
const targets: Partial<Record<string, number>> = {
  catalogue: 1.15,
  openapi: 1.15,
  pages: 1.15,
  [authorizing]: 1.2,
  'not-found': 1.15,
  // API Gateway's authorizers wait 1.5 s for it, including network and the environment's start.
  [discovery]: 1.4,
}
/** A function with the SDK, over the CDK's bundle of it. Most people wait for a login. */
const targetOverDefault = (what: string): number => (what === 'login' ? 0.66 : 0.7)

/** It is verified by a file beside the bundle, which is loaded then, and renewed. */
const ofAnotherForm = await bcrypt.hash(person.password, leastCost)
await using prepared = await prepare({ importedHashes: [ofAnotherForm] })

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-empty-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
const defaultOf = await buildDefaults(prepared.folderOf)
const empty = join(folder, 'empty.cjs')
writeFileSync(empty, 'exports.handler = async () => ({ statusCode: 200 })')

const script = join(import.meta.dirname, 'measure', 'first-call.cjs')

/** Milliseconds of CPU from the start of a process to its function's first answer. */
async function measureStart(file: string, { what, eventOf }: Start): Promise<number> {
  const args = [script, file, JSON.stringify(eventOf())]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: prepared.environment })
  const { cpu, status } = JSON.parse(stdout)
  const isSuccess = status < 300 || what === 'not-found' || status.batchItemFailures?.length === 0
  if (!isSuccess) throw new Error(`${what} answers ${JSON.stringify(status)}`)
  return cpu
}

interface Start {
  what: string
  name: FunctionName
  eventOf: () => object
}
const loginWith = (what: string, email: string, membersNow: () => object): Start => ({
  what,
  name: 'login',
  eventOf: () => logIn(email, person.password, membersNow()),
})
const again = await prepared.logInAgain()
const starts: Start[] = [
  loginWith('login', person.email, () => ({})),
  loginWith('login with a hash of another form', importedWith(ofAnotherForm), () => ({})),
  loginWith('login with a session', person.email, () => ({ session: {} })),
  loginWith('login with a code of a second factor', guarded.email, () => ({ code: codeNow() })),
  ...functionNames
    .filter(name => name !== 'login')
    .map(name => ({ what: name as string, name, eventOf: () => prepared.eventOf(name) })),
  { what: 'token with a session', name: 'token', eventOf: () => exchange('offline') },
  { what: 'token for a refresh token', name: 'token', eventOf: applicationRefresh },
  { what: 'provider-login with a provider_token', name: 'provider-login', eventOf: () => again },
  { what: authorizing, name: 'pages', eventOf: authorizePage },
  {
    what: discovery,
    name: 'signing-keys',
    eventOf: () => httpEvent('GET', '/auth/.well-known/openid-configuration'),
  },
]

const emptyStart: Start = { what: 'empty', name: 'not-found', eventOf: () => ({}) }
const spent = starts.map(start => ({ start, floors: [] as number[], ours: [] as number[], cdk: [] as number[] }))
// In turns, so that other work on the machine slows all of them alike.
for (let round = 0; round < rounds; round++) {
  for (const { start, floors, ours, cdk } of spent) {
    for (let pair = 0; pair < (targets[start.what] ? pairs : 1); pair++) {
      floors.push(await measureStart(empty, emptyStart))
      ours.push(await measureStart(`${prepared.folderOf(start.name)}/index.cjs`, start))
    }
    cdk.push(await measureStart(defaultOf(start.name), start))
  }
}

const milliseconds = (figure: number): Measured => ({ figure, unit: 'ms' })
report(
  'Cold start, CPU until the first answer',
  ['', 'CPU', 'over an empty function', "the CDK's default", 'over it'],
  [
    ['an empty function', milliseconds(medianOf(spent.flatMap(({ floors }) => floors))), '', '', ''],
    ...spent.map(({ start: { what, name }, floors, ours, cdk }) => {
      const target = targets[what]
      const callsAws = Object.keys(needsOf(rows[name]).may).length > 0
      return [
        what,
        milliseconds(medianOf(ours)),
        { figure: medianRatio(ours, floors), unit: '×', ...(target && { target }) },
        milliseconds(medianOf(cdk)),
        { figure: medianOf(ours) / medianOf(cdk), unit: '×', ...(callsAws && { target: targetOverDefault(what) }) },
      ]
    }),
  ],
)
