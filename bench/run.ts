import { execFileSync, fork } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fill } from '../docs/write/markdown.ts'
import { bundle } from '../infra/build/bundle.ts'
import { quantile } from './measure/figures.ts'
import { inMarkdown, medianTable, spreadsOf, type Table } from './measure/report.ts'

/**
 * Measures section by section, each in a process of its own, and prints figures and their targets: `npm run bench`, or
 * `npm run bench -- warm explorer`. `--runs 3` repeats the whole and gives the median of each figure; `--save` writes the
 * tables into `docs/performance.md`.
 */

const sections = ['start', 'bundles', 'cold-start', 'warm', 'enumeration', 'catalogue', 'explorer']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '1' }, save: { type: 'boolean', default: false } },
})
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) fail(`--runs is a number of at least 1, not ${values.runs}`)
const unknown = positionals.filter(name => !sections.includes(name))
if (unknown.length > 0) fail(`Unknown section: ${unknown.join(', ')}. The sections are ${sections.join(', ')}.`)
const requested = sections.filter(name => positionals.length === 0 || positionals.includes(name))

function fail(reason: string): never {
  console.error(reason)
  process.exit(1)
}

/** What is measured; people may go on working meanwhile. */
const commit = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim()

/** The tables of a section, in their order. */
async function measure(section: string): Promise<Table[]> {
  const tables: Table[] = []
  // NaN is no JSON.
  const child = fork(join(import.meta.dirname, `${section}.ts`), { serialization: 'advanced' })
  child.on('message', table => tables.push(table as Table))
  const status = await new Promise(resolve => child.once('close', resolve))
  if (status !== 0) throw new Error(`the section ${section} fails`)
  return tables
}

const median = (tables: readonly Table[][]): Table[] =>
  (tables[0] ?? []).map((_, i) => medianTable(tables.flatMap(run => run[i] ?? [])))

/** When, on what, and how far the runs lie apart. */
function circumstances(tables: readonly Table[][]): string {
  const today = new Date().toISOString().slice(0, 10)
  // How many processes wanted a core on average, in the last quarter of an hour.
  const load = (loadavg()[2] ?? 0).toFixed(1)
  const spreads = (tables[0] ?? []).flatMap((_, i) => spreadsOf(tables.flatMap(run => run[i] ?? [])))
  const percent = (share: number) => `${Math.round(quantile(spreads, share) * 100)} %`
  const apart = `which lie ${percent(0.5)} apart in half of the figures, and ${percent(0.95)} at most in 95 of 100`
  const how = runs === 1 ? 'one run' : `medians of ${runs} runs, ${apart}`
  return `Measured on ${today} at commit ${commit} with Node ${process.versions.node}: ${how}; ${availableParallelism()} cores shared by ${load} processes.`
}

// The sections read the bundles.
await bundle()
const measured = requested.map(section => ({ section, tables: [] as Table[][] }))
for (let run = 1; run <= runs; run++) {
  for (const { section, tables } of measured) {
    const start = performance.now()
    tables.push(await measure(section))
    console.error(`${section}, run ${run} of ${runs}: ${Math.round((performance.now() - start) / 1000)} s`)
  }
}
const texts: Record<string, string> = {}
for (const { section, tables } of measured) {
  texts[section] = [circumstances(tables), ...median(tables).map(inMarkdown)].join('\n\n')
  console.log(`\n## ${section}\n\n${texts[section]}`)
}
if (values.save) {
  const document = join(import.meta.dirname, '../docs/performance.md')
  writeFileSync(document, fill(readFileSync(document, 'utf8'), texts, 'bench'))
}
