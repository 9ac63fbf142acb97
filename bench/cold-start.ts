import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { table } from '../docs/write/markdown.ts'
import { bundleOf, bundling } from '../infra/build/function-bundles.ts'
import { htmlPages } from '../infra/build/html-page.ts'
import { needsOf, rows } from '../shared/api/needs.ts'
import { documentFile } from '../shared/api/openapi/served.ts'
import { functionNames } from '../shared/api/route-keys.ts'
import type { FunctionName } from '../shared/api/routes.ts'
import { packFile } from '../shared/catalogue/build/write-pack.ts'
import { medianOf } from './measure/figures.ts'
import { prepare } from './requests.ts'

/**
 * The CPU of a function's first answer, over that of a function that does nothing, and over that of the same function as
 * the CDK bundles it by default. CPU instead of time, because this machine does other work, and Lambda gives a function a
 * share of a core by its memory.
 */

const rounds = 21
const targets: Partial<Record<FunctionName, number>> = {
  login: 3.9,
  // At most what login takes without its hash.
  refresh: 3.9,
  'get-me': 2.8,
  'forgot-password': 2.8,
  pages: 1.1,
  catalogue: 1.15,
  openapi: 1.15,
  'not-found': 1.1,
}
/** A function with the SDK, over the CDK's bundle of it. Without the SDK there is little to save. */
const targetOverDefault = 0.75

/** What is measured; people may go on working meanwhile. */
const commit = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim()
await using prepared = await prepare()

const defaults = mkdtempSync(join(tmpdir(), 'gatehouse-default-'))
const defaultOf = (name: string) => join(defaults, name, 'index.cjs')
await buildDefaults()
const empty = join(defaults, 'empty.cjs')
writeFileSync(empty, 'exports.handler = async () => ({ statusCode: 200 })')

/**
 * Bundles the functions as the CDK's NodejsFunction does with only `bundleAwsSDK` set: CommonJS from the main files of
 * packages, nothing minified or removed, for the runtime's version of Node
 * (aws-cdk-lib/aws-lambda-nodejs/lib/bundling.js). Only plugins that the sources need are added.
 */
async function buildDefaults(): Promise<void> {
  const { absWorkingDir, entryPoints, define } = bundling
  await build({
    absWorkingDir,
    entryPoints,
    outdir: defaults,
    bundle: true,
    platform: 'node',
    target: 'node24',
    // NodejsFunction writes index.js; here the nearest package.json would take that for a module.
    outExtension: { '.js': '.cjs' },
    define,
    plugins: [htmlPages],
    logLevel: 'error',
  })
  copyFileSync(join(bundleOf('catalogue'), packFile), join(defaults, 'catalogue', packFile))
  copyFileSync(join(bundleOf('openapi'), documentFile), join(defaults, 'openapi', documentFile))
}

const script = join(import.meta.dirname, 'measure', 'first-call.cjs')

/** Milliseconds of CPU from the start of a process to its function's first answer. */
async function measureStart(name: string, file: string): Promise<number> {
  const args = [script, file, JSON.stringify(prepared.events[name] ?? {})]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: prepared.environment })
  const { cpu, status } = JSON.parse(stdout)
  const isSuccess = status < 300 || name === 'not-found' || status.batchItemFailures?.length === 0
  if (!isSuccess) throw new Error(`${name} answers ${JSON.stringify(status)}`)
  return cpu
}

/** The bundles to start, and the milliseconds of each start. */
const starts = [
  { name: 'empty', file: empty },
  ...functionNames.flatMap(name => [
    { name, file: `${bundleOf(name)}/index.cjs` },
    { name, file: defaultOf(name) },
  ]),
].map(start => ({ ...start, spent: [] as number[] }))

// In turns, so that other work on the machine slows all of them down alike.
for (let round = 0; round < rounds; round++) {
  for (const { name, file, spent } of starts) spent.push(await measureStart(name, file))
}

const [floor = Number.NaN, ...medians] = starts.map(({ spent }) => medianOf(spent))
const bound = (ratio: number, target?: number): string =>
  target === undefined ? '' : `≤ ${target}${ratio > target ? ' **missed**' : ''}`
const figures = table(
  ['', 'over an empty one', 'target', "the CDK's default", 'over it', 'target'],
  functionNames.map((name, i) => {
    const [ours = Number.NaN, cdk = Number.NaN] = medians.slice(2 * i)
    const callsAws = Object.keys(needsOf(rows[name]).may).length > 0
    return [
      `${name} (${ours.toFixed(1)} ms)`,
      `${(ours / floor).toFixed(2)} ×`,
      bound(ours / floor, targets[name]),
      `${cdk.toFixed(1)} ms`,
      `${(ours / cdk).toFixed(2)} ×`,
      bound(ours / cdk, callsAws ? targetOverDefault : undefined),
    ]
  }),
)
const today = new Date().toISOString().slice(0, 10)
// How many processes wanted a core on average, in the last quarter of an hour.
const load = (loadavg()[2] ?? 0).toFixed(1)
const measured = `Measured on ${today} at commit ${commit} with Node ${process.versions.node}: medians of ${rounds} starts in turns, over an empty function's ${floor.toFixed(1)} ms; ${availableParallelism()} cores shared by ${load} processes.`
const text = `${measured}\n\n${figures}\n`
console.log(`\n### Cold start\n\n${text}`)
if (process.argv.includes('--save')) writeFileSync(join(import.meta.dirname, 'cold-start.md'), text)
