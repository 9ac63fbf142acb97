import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { bundleOf, bundling } from '../../infra/build/function-bundles.ts'
import { makeMissingMaps, nameSourceMaps, withSourceLines } from '../../local/source-maps.ts'

/** The minifier gives `first` and `second` one name. A function with two calls is not inlined. */
const source = `
class Account {
  constructor(refuse) { if (refuse) refuseIt() }
  close() { refuseIt() }
}
function refuseIt() { throw new TypeError(lines) }
const lines = \`of
a text\`
const openAccount = async refuse => { await null; if (refuse) refuseIt() }
const outer = {
  one() { const first = again => (again ? first(false) : refuseIt()); first(true) },
  two() { const second = again => (again ? second(false) : refuseIt()); second(true) },
}
export const register = async () => { await openAccount(false); await openAccount(true) }
export const construct = () => [new Account(false), new Account(true)]
export const close = () => new Account(false).close()
export const { one, two } = outer`

const folder = mkdtempSync(join(tmpdir(), 'maps-'))
const built = join(folder, 'functions/login/index.cjs')
beforeAll(async () => {
  const { format, minify, platform, target } = bundling
  mkdirSync(join(folder, 'maps/login'), { recursive: true })
  writeFileSync(join(folder, 'source.js'), source)
  const entryPoints = [join(folder, 'source.js')]
  await build({ entryPoints, outfile: built, format, minify, platform, target, sourcemap: 'external' })
  renameSync(`${built}.map`, join(folder, 'maps/login/index.cjs.map'))
})

test.each([
  ['register', ['refuseIt:6', 'openAccount:9', 'async register:14']],
  ['construct', ['refuseIt:6', 'new Account:3', 'construct:15']],
  ['close', ['refuseIt:6', 'Account.close:4', 'close:16']],
  ['one', ['refuseIt:6', 'first:11', 'first:11', 'one:11']],
  ['two', ['refuseIt:6', 'second:12', 'second:12', 'two:12']],
])('a stack trace has the names and lines of the sources: %s', async (name, frames) => {
  const called: () => unknown = createRequire(import.meta.url)(built)[name]
  const { stack = '' } = await new Promise<unknown>(resolve => resolve(called())).then(
    () => new Error('nothing was thrown'),
    (error: Error) => error,
  )
  const shown = withSourceLines(stack, 'login', folder)
  const frame = /^ +at (.+) \(.*source\.js:(\d+):\d+\)$/gm
  expect([...shown.matchAll(frame)].map(([, called, line]) => `${called}:${line}`)).toEqual(frames)
})

test.each([
  ['made for the first error of a function', '', /^at a \(shared\/\S+\.ts:\d+:\d+\)$/],
  ['not made once its sources make other code', '//', /^at a \(\/\S+\/index\.cjs:\d+:\d+\)$/],
])('source maps are %s', async (_, change, shown) => {
  const build = mkdtempSync(join(tmpdir(), 'maps-'))
  const code = join(build, 'functions/refresh')
  cpSync(bundleOf('refresh'), code, { recursive: true })
  appendFileSync(join(code, 'index.cjs'), change)
  // The function whose code a debugger shows runs a copy with links.
  const file = join(build, 'inspected/index.cjs')
  cpSync(code, dirname(file), { recursive: true })
  nameSourceMaps(dirname(file), build, 'refresh')
  const before = readFileSync(file, 'utf8').split('class extends Error', 1).join().split('\n')
  const stack = `at a (${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1})`
  await makeMissingMaps(stack, 'refresh', build)
  expect(withSourceLines(stack, 'refresh', build)).toMatch(shown)
})
