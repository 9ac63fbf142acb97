import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundle, bundleOf } from '../infra/build/bundle.ts'
import { functionNames, needsOf, rows } from '../shared/needs.ts'
import type { FunctionName } from '../shared/routes.ts'
import { buildDefaultBundles } from './default-bundles.ts'
import { prepare } from './requests.ts'
import { medianOf, printFigures } from './table.ts'

/**
 * What a function's first answer costs, over that of a function which does nothing, and over that of the same function
 * bundled as the CDK does by default. CPU and not time: a core is shared
 * with others, and Lambda gives a function its share of one by its memory.
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
await using prepared = await prepareAll()
const { environment, events } = prepared

async function prepareAll() {
  const { aws, ...rest } = await prepare()
  return { ...rest, [Symbol.asyncDispose]: () => aws[Symbol.asyncDispose]() }
}

const empty = join(mkdtempSync(join(tmpdir(), 'gatehouse-empty-')), 'index.cjs')
writeFileSync(empty, 'exports.handler = async () => ({ statusCode: 200 })')

/** A function of the SDK, over the same as the CDK bundles it. Without the SDK there is little to leave out. */
const shareTarget = 0.75

const defaultOf = await buildDefaultBundles()

/** What is started: who it is, and its file. One function does nothing. */
const starts = [
  { name: 'empty', kind: 'ours', file: empty },
  ...functionNames.flatMap(name => [
    { name, kind: 'ours', file: `${bundleOf(name)}/index.cjs` },
    { name, kind: 'default', file: defaultOf(name) },
  ]),
].map(start => ({ ...start, spent: [] as number[] }))

async function firstCall(name: string, file: string): Promise<number> {
  const args = [join(import.meta.dirname, 'first-call.cjs'), file, JSON.stringify(events[name] ?? {})]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment })
  const { cpu, status } = JSON.parse(stdout)
  const isFine = status < 300 || name === 'not-found' || status.batchItemFailures?.length === 0
  if (!isFine) throw new Error(`${name} answers ${JSON.stringify(status)}`)
  return cpu
}

// In turns, so that whatever else the machine does it does to all alike.
for (let round = 0; round < rounds; round++) {
  for (const { name, file, spent } of starts) spent.push(await firstCall(name, file))
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
    ...(Object.keys(needsOf(rows[name]).may).length > 0 && { target: shareTarget }),
  })),
)
