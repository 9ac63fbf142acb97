import { execFileSync, fork } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { API } from 'typescript/unstable/sync'
import { type Mutant, mutantsOf } from './rules.ts'
import type { Failure, Request } from './runner.ts'

/**
 * Changes the code in one place after the other, and sees whether a test notices: `npm run mutate -- --count 100`.
 *
 * The places are drawn evenly over the lines of all files that tests import, in the order of their paths, so that each folder
 * has its share; `rules.ts` says what is changed there. A change that the compiler refuses is counted and another one is drawn
 * beside it. All run in a copy of the tree:
 *
 * 1. Each alone, with the bundles as they were, against the tests near it: its mirror, those of the nearest folder that load
 *    it, and those that import it. It ends at the first that fails.
 * 2. Those that live, all at once, against all tests of the projects `service`, `stack` and `products` that load one of them.
 *    What fails is run with each alone; the dead leave, and it begins anew until nothing fails. The project `system` takes a
 *    quarter of an hour and tests what the others do in their homes: of it only near files run.
 *
 * What only browsers run is not drawn, nor the words in `shared/words`: the compiler and recordings hold them. A place there
 * goes to the next file, like that in a file without mutants.
 */

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    /** Of the places: the same seed draws the same ones in the same tree. */
    seed: { type: 'string', default: '1' },
    /** Only files whose path begins so. */
    only: { type: 'string', default: '' },
    /** Seconds for which the near tests of one change may run. */
    limit: { type: 'string', default: '180' },
    /** A file for the results, in JSON. */
    save: { type: 'string' },
    /** Such a file: those that lived are judged again. */
    again: { type: 'string' },
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

const isWords = (file: string) => /^shared\/words\/\w\w\.ts$/.test(file)
const isTest = (file: string) => file.endsWith('.test.ts') && !file.startsWith('test/browser/')

/** The tests that load a file, the fewest imports away first. */
function testsOf(file: string): string[] {
  const loading = new Set([file])
  for (const each of loading) for (const importer of importers.get(each) ?? []) loading.add(importer)
  return [...loading].filter(isTest)
}

/** The tests near a file, in the order in which they run. */
function nearOf(file: string): string[][] {
  const mirror = `test/${file.replace(/\.tsx?$/, '.test.ts')}`
  let folder = dirname(mirror)
  const own = () => testsOf(file).filter(each => each !== mirror && each.startsWith(folder))
  while (dirname(folder) !== 'test' && own().length === 0) folder = dirname(folder)
  const others = [...(importers.get(file) ?? [])].filter(each => each !== mirror && !own().includes(each))
  return [testsOf(file).filter(each => each === mirror), own(), others.filter(isTest)].filter(
    ({ length }) => length > 0,
  )
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
  .filter(file => !file.startsWith('test/') && file.startsWith(values.only) && testsOf(file).length > 0)
  .sort()
const lines = sources.flatMap(file => (textOf.get(file) ?? '').split('\n').map((_, line) => ({ file, line })))

/** What the compiler reads in place of a file. */
const changed = new Map<string, string>()
const compiler = new API({ cwd: root, fs: { readFile: name => changed.get(name) } })
const openProject = join(root, 'tsconfig.json')
const { program } = compiler.updateSnapshot({ openProject }).getProjects()[0] ?? fail('tsconfig.json opens no project')

function fail(reason: string): never {
  throw new Error(reason)
}

interface Candidate extends Mutant {
  file: string
  line: number
  was: string
}

interface Result extends Candidate {
  index: number
  /** How many others the compiler has refused in its place. */
  refused: number
  is: 'died' | 'lived' | 'no end'
  by: string
  test: string
}

/** The text of a file with all that is changed in it. */
const textWith = (mutants: Candidate[], file: string) =>
  mutants
    .filter(mutant => mutant.file === file)
    .sort((a, b) => b.start - a.start)
    .reduce((source, { start, end, text }) => source.slice(0, start) + text + source.slice(end), textOf.get(file) ?? '')

/** Whether a mutant compiles; with `isWhole` also all that loads it, which takes the compiler seconds. */
function compiles(mutant: Candidate, isWhole = false): boolean {
  const path = join(root, mutant.file)
  const fileChanges = { changed: [...changed.keys(), path] }
  changed.clear()
  changed.set(path, textWith([mutant], mutant.file))
  using snapshot = compiler.updateSnapshot({ fileChanges })
  const present = snapshot.getProjects()[0]?.program ?? fail('the project is closed')
  const errors =
    present.getSyntacticDiagnostics(path).length || present.getSemanticDiagnostics(isWhole ? undefined : path).length
  return errors === 0
}

/** The mutants at a place, the nearest line first, and then those of the next files. */
function* candidatesFrom(place: number, next: () => number): Generator<Candidate> {
  const { file, line } = lines[place % lines.length] ?? fail('there is no line')
  const source = textOf.get(file) ?? ''
  const ast = isWords(file) ? undefined : program.getSourceFile(join(root, file))
  const sorted = (ast ? mutantsOf(ast) : [])
    .map(mutant => ({ ...mutant, file, line: source.slice(0, mutant.start).split('\n').length }))
    .map(mutant => ({ mutant, key: Math.abs(mutant.line - 1 - line) + next() / 2 }))
    .sort((a, b) => a.key - b.key)
  for (const { mutant } of sorted) yield { ...mutant, was: source.slice(mutant.start, mutant.end) }
  yield* candidatesFrom(place - line + source.split('\n').length, next)
}

function draw(index: number): Result {
  const next = random(seed * 1_000_003 + index)
  let refused = 0
  for (const candidate of candidatesFrom(Math.floor(((index + next()) / count) * lines.length), next)) {
    if (compiles(candidate)) return { ...candidate, index, refused, is: 'lived', by: '', test: '' }
    refused += 1
  }
  return fail('no mutant compiles')
}

/** A copy of the tree, so that no change can stay in the sources. */
const copy = mkdtempSync(join(tmpdir(), 'gatehouse-mutants-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true, maxRetries: 3 }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

/** Vitest in a process of its own. */
function startRunner(tests: 'near' | 'far') {
  const env = { ...process.env, TMPDIR: join(copy, 'tmp') }
  mkdirSync(env.TMPDIR, { recursive: true })
  const script = join(copy, 'test/mutation/runner.ts')
  const child = fork(script, [tests], { cwd: copy, env, stdio: 'ignore', detached: true })
  const stop = () => {
    const isRunning = child.exitCode === null && child.signalCode === null
    if (isRunning && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
  let settle = (_: Failure[] | null): void => {}
  child.on('message', (failures: Failure[]) => settle(failures))
  child.on('close', () => settle(null))
  process.prependListener('exit', stop)
  child.on('close', () => process.off('exit', stop))
  /** Runs tests with some mutants in the copy. @returns what failed; null when it did not end, and another has to be started */
  async function run(mutants: Candidate[], files: string[], seconds: number): Promise<Failure[] | null> {
    const changed = [...new Set(mutants.map(({ file }) => file))]
    for (const file of changed) writeFileSync(join(copy, file), textWith(mutants, file))
    const timer = setTimeout(stop, seconds * 1000)
    child.send({ files: files.filter(file => !red.has(file)), changed } satisfies Request)
    const failures = await new Promise<Failure[] | null>(resolve => {
      settle = resolve
    })
    clearTimeout(timer)
    for (const file of changed) writeFileSync(join(copy, file), textWith([], file))
    return failures
  }
  return { run, stop }
}

/** A runner that builds the bundles anew, for one run. */
async function runFar(mutants: Candidate[], files: string[]): Promise<Failure[] | null> {
  const runner = startRunner('far')
  const failures = await runner.run(mutants, files, limit * files.length)
  runner.stop()
  return failures
}

/** Test files that fail with the code as it is, so they notice nothing. */
const red = new Set<string>()

/** What becomes of a mutant by what fails with it; null when the tests did not end. */
function settle(result: Result, failures: Failure[] | null): Result {
  const { file: by = '', test = '' } = failures?.[0] ?? {}
  return Object.assign(result, { is: failures === null ? 'no end' : by === '' ? 'lived' : 'died', by, test })
}

/** Judges each alone by the tests near it, until one fails. */
async function judgeNear(results: Result[]): Promise<void> {
  let runner = startRunner('near')
  for (const result of results) {
    for (const files of nearOf(result.file)) {
      settle(result, await runner.run([result], files, limit))
      if (result.is === 'no end') runner = startRunner('near')
      if (result.is !== 'lived') break
    }
    if (result.is !== 'lived') say(result)
  }
  const killers = [...new Set(results.map(({ by }) => by).filter(isTest))]
  const [failure] = (await runner.run([], killers, limit * killers.length)) ?? []
  runner.stop()
  if (!failure) return
  console.log(`${failure.file} fails with the code as it is`)
  red.add(failure.file)
  await judgeNear(results.filter(({ by }) => by === failure.file))
}

/** Judges all that live at once by the tests that load one of them, and each alone by what fails then. */
async function judgeFar(results: Result[]): Promise<void> {
  const living = results.filter(({ is }) => is === 'lived')
  const files = [...new Set(living.flatMap(({ file }) => testsOf(file)))].filter(file => !red.has(file))
  const failed = ((await runFar(living, files)) ?? files.map(file => ({ file }))).map(({ file }) => file)
  if (failed.length === 0) return
  console.log(`With ${living.length} at once ${failed.join(', ')} failed`)
  for (const { file } of (await runFar([], failed)) ?? []) red.add(file)
  for (const result of living) {
    const own = testsOf(result.file).filter(file => failed.includes(file))
    if (own.length > 0) settle(result, await runFar([result], own))
    if (result.is !== 'lived') say(result)
  }
  // What fails only with all of them says nothing of any.
  if (living.every(({ is }) => is === 'lived')) for (const file of failed) red.add(file)
  await judgeFar(living)
}

function say({ index, file, line, rule, was, text, is, by, test }: Result): void {
  const short = (code: string) => code.replaceAll(/\s+/g, ' ').slice(0, 60)
  console.log(`${index} ${is.padEnd(7)} ${file}:${line} ${rule}: ${short(was)} → ${short(text)}\n  ${by} ${test}`)
  if (values.save) writeFileSync(values.save, JSON.stringify(results, null, 1))
}

const results: Result[] = values.again
  ? JSON.parse(readFileSync(values.again, 'utf8'))
  : Array.from({ length: count }, (_, index) => draw(index))
const moved = results.find(({ file, start, end, was }) => textOf.get(file)?.slice(start, end) !== was)
if (moved) fail(`${moved.file} has changed since ${values.again}`)
console.log(`${results.length} in ${lines.length} lines of ${sources.length} files, seed ${seed}`)
for (const result of results) if (values.dry) say(result)
if (!values.dry) {
  for (const file of tree) cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  execFileSync(process.execPath, ['infra/build/bundle.ts'], { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] })
  const unsettled = results.filter(({ is }) => is === 'lived' || is === 'no end')
  await judgeNear(unsettled)
  for (const result of unsettled)
    if (result.is === 'lived' && !compiles(result, true)) say(settle(result, [{ file: 'the compiler', test: '' }]))
  await judgeFar(unsettled)
  for (const result of unsettled) if (result.is === 'lived') say(result)
}

const groups = Object.groupBy(results, ({ file }) => file.split('/').slice(0, 1).join('/'))
const countOf = (some: Result[], is: Result['is']) => some.filter(each => each.is === is).length
for (const [folder, some = []] of [...Object.entries(groups), ['all', results] as const]) {
  const refused = some.reduce((sum, each) => sum + each.refused, 0)
  const figures = (['died', 'lived', 'no end'] as const).map(is => `${countOf(some, is)} ${is}`)
  console.log(`${folder}: ${some.length} drawn, ${figures.join(', ')}; ${refused} did not compile`)
}
compiler.close()
