import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { API } from 'typescript/unstable/sync'
import { type Mutant, mutantsOf } from './rules.ts'

/**
 * Changes the code in one place after the other, and sees whether a test notices: `npm run mutate -- --count 100`.
 *
 * The places are drawn evenly over the lines of all files that tests import, in the order of their paths, so that each folder
 * has its share; `rules.ts` says what is changed there. A change that the compiler refuses is counted and another one is drawn
 * beside it. Each runs in a copy of the tree: the test files of its own folder that load it first, with the
 * bundles as they were, then those that are one import away, then all that load it, and ends at the first that fails. What only
 * browsers run is not drawn.
 */

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    /** Of the places: the same seed draws the same ones in the same tree. */
    seed: { type: 'string', default: '1' },
    /** The first one that runs, to go on with a campaign or to share it among machines. */
    from: { type: 'string', default: '0' },
    to: { type: 'string' },
    /** Only files whose path begins so. */
    only: { type: 'string', default: '' },
    /** Seconds for which the tests of one change may run. */
    limit: { type: 'string', default: '300' },
    /** A file for the results, in JSON. */
    save: { type: 'string' },
    /** Only says what would be changed. */
    dry: { type: 'boolean', default: false },
  },
})
const root = join(import.meta.dirname, '../..')
const [count, seed, limit] = [values.count, values.seed, values.limit].map(Number) as [number, number, number]

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
const tree = git('ls-files', '-z', '--cached', '--others', '--exclude-standard')
const textOf = new Map(
  tree.filter(file => /\.tsx?$/.test(file)).map(file => [file, readFileSync(join(root, file), 'utf8')]),
)

/** The files that import a file. A folder of which a file takes any is imported whole. */
const importers = new Map<string, Set<string>>()
for (const [file, text] of textOf)
  for (const [, from = ''] of text.matchAll(/(?:from |^import |import\()['`](\.[^'`$]+)/gm)) {
    const target = join(file, '..', from)
    const targets = textOf.has(target) ? [target] : tree.filter(each => each.startsWith(target) && target.endsWith('/'))
    for (const each of targets) importers.set(each, (importers.get(each) ?? new Set()).add(file))
  }

const isTest = (file: string) => file.endsWith('.test.ts') && !file.startsWith('test/browser/')

/** The tests that load a file, by the number of imports between them. */
function testsOf(file: string): string[][] {
  const rounds: string[][] = []
  const seen = new Set([file])
  for (let round = [file]; round.length > 0; ) {
    round = round.flatMap(each => [...(importers.get(each) ?? [])]).filter(each => !seen.has(each) && seen.add(each))
    rounds.push(round.filter(isTest))
  }
  return rounds
}

interface Batch {
  files: string[]
  isNear: boolean
}

/** The batches in which the tests of a file run: its mirror, the others of its folder, and then by the number of imports. */
function batchesOf(file: string): Batch[] {
  const [direct = [], next = [], ...others] = testsOf(file)
  const mirror = `test/${file.replace(/\.tsx?$/, '.test.ts')}`
  const own = testsOf(file)
    .flat()
    .filter(each => each.startsWith(`test/${join(file, '..')}/`))
  const near = [own.filter(each => each === mirror), own.filter(each => each !== mirror)]
  const far = [
    [...direct, ...next].filter(each => !own.includes(each)),
    others.flat().filter(each => !own.includes(each)),
  ]
  const batches = [...near.map(files => ({ files, isNear: true })), ...far.map(files => ({ files, isNear: false }))]
  return batches.filter(({ files }) => files.length > 0)
}

/** A generator of numbers from 0 to 1 (mulberry32). */
function random(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const sources = [...textOf.keys()]
  .filter(file => !file.startsWith('test/') && file.startsWith(values.only) && testsOf(file).flat().length > 0)
  .sort()
const linesOf = (file: string) => (textOf.get(file) ?? '').split('\n').length
const allLines = sources.reduce((sum, file) => sum + linesOf(file), 0)

/** The file and the line of a place among all lines. */
function lineAt(place: number): { file: string; line: number } {
  let left = place
  for (const file of sources) {
    if (left < linesOf(file)) return { file, line: left }
    left -= linesOf(file)
  }
  return fail('a place beyond the last line')
}

/** What the compiler reads in place of a file. */
const changed = new Map<string, string>()
const compiler = new API({ cwd: root, fs: { readFile: name => changed.get(name) } })
const openProject = join(root, 'tsconfig.json')
const { program } = compiler.updateSnapshot({ openProject }).getProjects()[0] ?? fail('tsconfig.json opens no project')

function fail(reason: string): never {
  throw new Error(reason)
}

const apply = ({ file, start, end, text }: Mutant & { file: string }): string => {
  const source = textOf.get(file) ?? ''
  return source.slice(0, start) + text + source.slice(end)
}

/**
 * Whether the changed file compiles.
 *
 * @param isWhole with all that loads it: that takes the compiler seconds, so it is asked of those that live alone
 */
function compiles(mutant: Mutant & { file: string }, isWhole = false): boolean {
  const path = join(root, mutant.file)
  changed.set(path, apply(mutant))
  const present = compiler.updateSnapshot({ fileChanges: { changed: [path] } }).getProjects()[0]?.program
  const isRight =
    present?.getSyntacticDiagnostics(path).length === 0 &&
    present.getSemanticDiagnostics(isWhole ? undefined : path).length === 0
  changed.delete(path)
  compiler.updateSnapshot({ fileChanges: { changed: [path] } })
  return isRight
}

type Drawn = Mutant & { file: string; line: number; was: string; refused: number }

/** Draws the mutant of a place: one of those at the nearest line, and if the compiler refuses it one of the others. */
function draw(place: number, next: () => number): Drawn | null {
  const { file, line } = lineAt(place)
  const path = join(root, file)
  const source = textOf.get(file) ?? ''
  const ast = program.getSourceFile(path)
  if (!ast) return null
  const lineOf = (at: number) => source.slice(0, at).split('\n').length
  const sorted = mutantsOf(ast)
    .map(mutant => ({ mutant, key: Math.abs(lineOf(mutant.start) - 1 - line) + next() / 2 }))
    .sort((a, b) => a.key - b.key)
  for (const [refused, { mutant }] of sorted.entries()) {
    const was = source.slice(mutant.start, mutant.end)
    if (compiles({ ...mutant, file })) return { ...mutant, file, line: lineOf(mutant.start), was, refused }
  }
  return null
}

interface Outcome {
  is: 'died' | 'lived' | 'no end' | 'refused'
  by?: string
  test?: string
}

/** A copy of the tree, so that no change can stay in the sources. */
const copy = mkdtempSync(join(tmpdir(), 'gatehouse-mutants-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true, maxRetries: 3 }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

/** A folder of the copy, without what was there. */
function emptyFolder(name: string): string {
  rmSync(join(copy, name), { recursive: true, force: true })
  return mkdirSync(join(copy, name), { recursive: true }) ?? ''
}

interface Report {
  testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[]
}

/** Runs tests until one fails. @returns the failure; null when all pass */
async function run(
  files: string[],
  seconds: number,
  isNear = false,
): Promise<{ file: string; test: string } | 'no end' | null> {
  const outputFile = join(copy, 'mutant-report.json')
  rmSync(outputFile, { force: true })
  const config = isNear ? ['--config=test/mutation/vitest.config.ts', '--maxWorkers=1'] : []
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...files, ...config]
  const report = ['--bail=1', '--reporter=json', `--outputFile=${outputFile}`]
  const env = { ...process.env, TMPDIR: emptyFolder('tmp') }
  const child = spawn(process.execPath, [...args, ...report], { cwd: copy, env, stdio: 'ignore', detached: true })
  const kill = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL')
  process.prependOnceListener('exit', kill)
  const timer = setTimeout(kill, seconds * 1000)
  const [status, signal] = await new Promise<[number | null, string | null]>(resolve =>
    child.on('close', (...end) => resolve(end)),
  )
  clearTimeout(timer)
  process.off('exit', kill)
  if (signal !== null) return 'no end'
  if (status === 0) return null
  // Without a report the build of the bundles has failed.
  const { testResults }: Report = existsSync(outputFile)
    ? JSON.parse(readFileSync(outputFile, 'utf8'))
    : { testResults: [] }
  const failed = testResults.find(each => each.status === 'failed')
  const test = failed?.assertionResults.find(each => each.status === 'failed')?.fullName
  return { file: failed?.name.replace(`${copy}/`, '') ?? 'the build', test: test ?? '' }
}

/** Test files that fail with the code as it is. */
const red = new Set<string>()

async function judge(mutant: Drawn): Promise<Outcome> {
  const target = join(copy, mutant.file)
  const until = Date.now() + limit * 1000
  for (const { files: batch, isNear } of batchesOf(mutant.file)) {
    const files = batch.filter(file => !red.has(file))
    if (files.length === 0) continue
    writeFileSync(target, apply(mutant))
    const failure = await run(files, Math.max(1, (until - Date.now()) / 1000), isNear)
    writeFileSync(target, textOf.get(mutant.file) ?? '')
    if (!isNear) cpSync(join(copy, 'bundles'), emptyFolder('dist'), { recursive: true })
    // The nearest tests take seconds: there, a change that never ends is noticed. The others may just be many.
    if (failure === 'no end') return { is: isNear ? 'no end' : 'lived', by: `in ${limit} s` }
    if (failure !== null) return { is: 'died', by: failure.file, test: failure.test }
  }
  return { is: compiles(mutant, true) ? 'lived' : 'refused' }
}

for (const file of tree) cpSync(join(root, file), join(copy, file))
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
if (!values.dry)
  execFileSync(process.execPath, ['infra/build/bundle.ts'], { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] })
if (!values.dry) cpSync(join(copy, 'dist'), join(copy, 'bundles'), { recursive: true })
console.log(`${sources.length} files with ${allLines} lines, seed ${seed}`)
const results: (Drawn & Outcome)[] = []
for (let index = Number(values.from); index < Number(values.to ?? count); index++) {
  const next = random(seed * 1_000_003 + index)
  const drawn = draw(Math.floor(((index + next()) / count) * allLines), next)
  if (drawn === null) continue
  const outcome: Outcome = values.dry ? { is: 'lived' } : await judge(drawn)
  results.push({ ...drawn, ...outcome })
  say(index, drawn, outcome)
}

// What has failed may fail with the code as it is: then it has noticed nothing.
while (!values.dry) {
  const killers = [...new Set(results.flatMap(({ is, by }) => (is === 'died' && by && isTest(by) ? [by] : [])))]
  const failure = killers.length === 0 ? null : await run(killers, limit * killers.length)
  if (failure === null || failure === 'no end' || red.has(failure.file)) break
  console.log(`${failure.file} fails with the code as it is`)
  red.add(failure.file)
  for (const [index, result] of results.entries()) {
    if (result.by === failure.file) say(index, result, Object.assign(result, { test: '' }, await judge(result)))
  }
}
if (values.save) writeFileSync(values.save, JSON.stringify(results, null, 1))

function say(index: number, { file, line, rule, was, text }: Drawn, { is, by = '', test = '' }: Outcome): void {
  const short = (code: string) => code.replaceAll(/\s+/g, ' ').slice(0, 60)
  console.log(`${index} ${is.padEnd(7)} ${file}:${line} ${rule}: ${short(was)} → ${short(text)}\n  ${by} ${test}`)
}

const groups = Object.groupBy(results, ({ file }) => file.split('/').slice(0, 1).join('/'))
const countOf = (some: typeof results, is: Outcome['is']) => some.filter(each => each.is === is).length
for (const [folder, some = []] of [...Object.entries(groups), ['all', results] as const]) {
  const refused = some.reduce((sum, each) => sum + each.refused, 0)
  const figures = (['died', 'lived', 'no end', 'refused'] as const).map(is => `${countOf(some, is)} ${is}`)
  console.log(`${folder}: ${some.length} drawn, ${figures.join(', ')}; ${refused} did not compile`)
}
compiler.close()
