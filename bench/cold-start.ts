import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundle, bundleOf } from '../infra/build/bundle.ts'
import { functionNames } from '../shared/needs.ts'
import type { FunctionName } from '../shared/routes.ts'
import { prepare } from './requests.ts'
import { medianOf, printFigures } from './table.ts'

/**
 * What a function's first answer costs, over that of a function which does nothing. CPU and not time: a core is shared
 * with others, and Lambda gives a function its share of one by its memory.
 */

const rounds = 21
const targets: Partial<Record<FunctionName, number>> = {
  login: 3.0,
  'get-me': 2.8,
  'forgot-password': 2.8,
  pages: 1.15,
  catalogue: 1.15,
  'not-found': 1.15,
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

/** Functions by name, and one that does nothing. */
const files = new Map([['empty', empty], ...functionNames.map(name => [name, `${bundleOf(name)}/index.cjs`] as const)])

async function firstCall(name: string, file: string): Promise<number> {
  const args = [join(import.meta.dirname, 'first-call.cjs'), file, JSON.stringify(events[name] ?? {})]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment })
  const { cpu, status } = JSON.parse(stdout)
  const isFine = status < 300 || name === 'not-found' || status.batchItemFailures?.length === 0
  if (!isFine) throw new Error(`${name} answers ${JSON.stringify(status)}`)
  return cpu
}

const spent = new Map([...files.keys()].map(name => [name, [] as number[]]))
// In turns, so that whatever else the machine does befalls all alike.
for (let round = 0; round < rounds; round++) {
  for (const [name, file] of files) spent.get(name)?.push(await firstCall(name, file))
}

const floor = medianOf(spent.get('empty') ?? [])
printFigures(`Cold start: CPU until the first answer, over an empty function's ${floor.toFixed(1)} ms`, [
  ...functionNames.map(name => {
    const median = medianOf(spent.get(name) ?? [])
    const target = targets[name]
    return {
      what: `${name} (${median.toFixed(1)} ms)`,
      figure: median / floor,
      unit: '×',
      ...(target !== undefined && { target }),
    }
  }),
])
