import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundle, bundleOf, bundling } from '../infra/build/bundle.ts'
import { htmlPages } from '../infra/build/html-page.ts'
import { needsOf, rows } from '../shared/api/needs.ts'
import { documentFile } from '../shared/api/openapi/served.ts'
import { functionNames } from '../shared/api/route-keys.ts'
import type { FunctionName } from '../shared/api/routes.ts'
import { packFile } from '../shared/catalogue/build/write-pack.ts'
import { medianOf, printFigures } from './measure/figures.ts'
import { emptyHandler, firstCall } from './measure/first-call.ts'
import { prepare } from './requests.ts'

/**
 * Bundles the functions as the CDK's NodejsFunction does with only `bundleAwsSDK` set: CommonJS from the main files of
 * packages, nothing minified or removed, for the runtime's version of Node
 * (aws-cdk-lib/aws-lambda-nodejs/lib/bundling.js). Only plugins that the sources need are added.
 *
 * @returns the file of a function's bundle
 */
async function buildDefaultBundles(): Promise<(name: string) => string> {
  const outdir = mkdtempSync(join(tmpdir(), 'gatehouse-default-'))
  const { absWorkingDir, entryPoints, define } = bundling
  await build({
    absWorkingDir,
    entryPoints,
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node24',
    // NodejsFunction writes index.js; here the nearest package.json would take that for a module.
    outExtension: { '.js': '.cjs' },
    define,
    plugins: [htmlPages],
    logLevel: 'error',
  })
  for (const [name, file] of [
    ['catalogue', packFile],
    ['openapi', documentFile],
  ] as const)
    copyFileSync(join(bundleOf(name), file), join(outdir, name, file))
  return name => join(outdir, name, 'index.cjs')
}

/**
 * The CPU of a function's first answer, over that of a function that does nothing, and over that of the same function as
 * the CDK bundles it by default. CPU instead of time, because this machine does other work, and Lambda gives a function a
 * share of a core by its memory.
 */

const rounds = 21
const targets: Partial<Record<FunctionName, number>> = {
  login: 3.9,
  'get-me': 2.8,
  'forgot-password': 2.8,
  pages: 1.1,
  catalogue: 1.15,
  openapi: 1.15,
  'not-found': 1.1,
}

await bundle()
/** What is measured; people may go on working meanwhile. */
const commit = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim()
await using prepared = await prepareAll()
const { environment, events } = prepared

async function prepareAll() {
  const { aws, ...rest } = await prepare()
  return { ...rest, [Symbol.asyncDispose]: () => aws[Symbol.asyncDispose]() }
}

/** A function with the SDK, over the CDK's bundle of it. Without the SDK there is little to save. */
const targetOverDefault = 0.75

const defaultOf = await buildDefaultBundles()

/** The bundles to start, by function. `empty` does nothing. */
const starts = [
  { name: 'empty', kind: 'ours', file: emptyHandler() },
  ...functionNames.flatMap(name => [
    { name, kind: 'ours', file: `${bundleOf(name)}/index.cjs` },
    { name, kind: 'default', file: defaultOf(name) },
  ]),
].map(start => ({ ...start, spent: [] as number[] }))

async function measureStart(name: string, file: string): Promise<number> {
  const { cpu, status } = await firstCall(file, events[name] ?? {}, environment)
  const isSuccess = status < 300 || name === 'not-found' || status.batchItemFailures?.length === 0
  if (!isSuccess) throw new Error(`${name} answers ${JSON.stringify(status)}`)
  return cpu
}

// In turns, so that other work on the machine slows all of them down alike.
for (let round = 0; round < rounds; round++) {
  for (const { name, file, spent } of starts) spent.push(await measureStart(name, file))
}

const of = (name: string, kind = 'ours'): number =>
  medianOf(starts.find(start => start.name === name && start.kind === kind)?.spent ?? [])

const floor = of('empty')
printFigures(
  `Cold start: CPU until the first answer, over an empty function's ${floor.toFixed(1)} ms`,
  functionNames.map(name => {
    const target = targets[name]
    return {
      what: `${name} (${of(name).toFixed(1)} ms)`,
      figure: of(name) / floor,
      unit: '×',
      ...(target !== undefined && { target }),
    }
  }),
)
printFigures(
  'The same, over the bundle that the CDK makes by default',
  functionNames.map(name => ({
    what: `${name} (${of(name, 'default').toFixed(1)} ms)`,
    figure: of(name) / of(name, 'default'),
    unit: '×',
    ...(Object.keys(needsOf(rows[name]).may).length > 0 && { target: targetOverDefault }),
  })),
)

if (process.argv.includes('--save')) {
  const rounded = (milliseconds: number) => Number(milliseconds.toFixed(1))
  const saved = {
    date: new Date().toISOString().slice(0, 10),
    commit,
    node: process.versions.node,
    rounds,
    cores: availableParallelism(),
    /** How many processes wanted a core on average, in the last quarter of an hour. */
    load: rounded(loadavg()[2] ?? 0),
    /** Milliseconds of CPU. */
    empty: rounded(floor),
    functions: functionNames.map(name => ({
      name,
      ours: rounded(of(name)),
      default: rounded(of(name, 'default')),
      ...(targets[name] !== undefined && { target: targets[name] }),
      ...(Object.keys(needsOf(rows[name]).may).length > 0 && { targetOverDefault }),
    })),
  }
  writeFileSync(join(import.meta.dirname, 'cold-start.json'), `${JSON.stringify(saved, null, 2)}\n`)
}
