import { execFileSync, fork } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundle } from '../infra/build/bundle.ts'
import { inTexts, medianTable, printed, type ShownTable, type Table } from './measure/report.ts'

/**
 * Measures section by section, each in a process of its own, and prints figures and targets: `npm run bench`, or `npm
 * run bench -- warm catalogue`. `--runs 3` repeats everything and gives the median of each figure. `--save` writes
 * `docs/measured.json`, the source of `npm run docs` for docs/performance.md.
 */

const sections = ['start', 'bundles', 'cold-start', 'warm', 'catalogue']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '1' },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(`npm run bench -- [<section> …] [--runs N] [--save]\n\nThe sections are ${sections.join(', ')}.`)
  process.exit()
}
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) fail(`--runs is a number of at least 1, not ${values.runs}`)
const unknown = positionals.filter(name => !sections.includes(name))
if (unknown.length > 0) fail(`Unknown section: ${unknown.join(', ')}. The sections are ${sections.join(', ')}.`)
const requested = sections.filter(name => positionals.length === 0 || positionals.includes(name))

function fail(reason: string): never {
  console.error(reason)
  process.exit(1)
}

/** The measured commit, read first because work may go on meanwhile. */
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

/** The date, the commit, and the number of runs. */
const when = (): string => {
  const today = new Date().toISOString().slice(0, 10)
  const how = runs === 1 ? 'It was one run.' : `Each figure is the median of ${runs} runs.`
  return `Measured on ${today} at commit ${commit} with Node ${process.versions.node}. ${how}`
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
const file = join(import.meta.dirname, '../docs/measured.json')
const kept: Record<string, { when: string; tables: ShownTable[] }> = JSON.parse(readFileSync(file, 'utf8'))
for (const { section, tables } of measured) {
  const shown = { when: when(), tables: median(tables).map(inTexts) }
  kept[section] = shown
  console.log([`\n${section}: ${shown.when}`, ...shown.tables.map(printed)].join('\n'))
}
if (values.save) writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`)
