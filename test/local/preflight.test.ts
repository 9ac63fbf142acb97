import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const file = 'local/preflight.cjs'

const linux = ['linux', 'x64'] as const
const others = [
  ['linux', 'arm64'],
  ['darwin', 'arm64'],
  ['darwin', 'x64'],
] as const

/** Runs the preflight of a checkout under a Node that claims this version and machine. */
async function preflight(checkout: string, node: string, [platform, arch]: readonly [string, string] = linux) {
  const claims = { versions: { node }, platform, arch }
  const script = `for (const [name, value] of Object.entries(${JSON.stringify(claims)}))
    Object.defineProperty(process, name, { value })
    require(process.argv[1])`
  const { code = 0, stderr } = await promisify(execFile)(process.execPath, ['-e', script, join(checkout, file)]).catch(
    error => error,
  )
  return { code, stderr }
}

function checkoutWithoutPackages(): string {
  const checkout = mkdtempSync(join(tmpdir(), 'preflight-'))
  for (const name of ['package.json', file]) cpSync(join(root, name), join(checkout, name), { recursive: true })
  return checkout
}

/** The same with all packages, including those for other machines. */
function checkoutWithPackages(): string {
  const checkout = checkoutWithoutPackages()
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  for (const name of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
    mkdirSync(join(checkout, 'node_modules', name), { recursive: true })
    writeFileSync(join(checkout, 'node_modules', name, 'package.json'), '{}')
  }
  return checkout
}

describe('before anything starts, one sentence says what to do', () => {
  const wrong = (node: string) => `Gatehouse needs Node 24, and this is Node ${node}: `

  test.each(['24.0.0', '25.1.0', '26.1.0'])('before npm ci, with Node %s', async node => {
    const { code, stderr } = await preflight(checkoutWithoutPackages(), node)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^\S+ is not installed: run `npm ci` in \S+\.\n$/)
  })

  test.each(['20.0.0', '22.11.9', '23.11.0'])(
    'with Node %s, where npm ci brings Node 24: before and after it',
    async node => {
      const checkout = checkoutWithoutPackages()
      const before = `${wrong(node)}run \`npm ci\` in ${checkout}, which brings it.\n`
      expect(await preflight(checkout, node)).toEqual({ code: 1, stderr: before })
      const after = `${wrong(node)}start it with npm, which runs the right one.\n`
      expect(await preflight(checkoutWithPackages(), node)).toEqual({ code: 1, stderr: after })
    },
  )

  test.each([...others.map(machine => ['23.11.0', machine] as const), ['18.20.8', linux], ['10.24.1', linux]] as const)(
    'with Node %s on %j, where npm ci does not',
    async (node, machine) => {
      const checkout = checkoutWithoutPackages()
      const before = `${wrong(node)}install Node 24, then run \`npm ci\` in ${checkout}.\n`
      expect(await preflight(checkout, node, machine)).toEqual({ code: 1, stderr: before })
      expect(await preflight(checkoutWithPackages(), node, machine)).toEqual({
        code: 1,
        stderr: `${wrong(node)}install Node 24.\n`,
      })
    },
  )

  test.each(['24.0.0', '25.1.0', '26.0.0'])('and none with Node %s', async version => {
    expect(await preflight(checkoutWithPackages(), version)).toEqual({ code: 0, stderr: '' })
  })
})

test('it is read by a Node of 2018: nothing in it is newer', async () => {
  const source = readFileSync(join(root, file), 'utf8')
  const [old, latest] = await Promise.all(['node10', 'esnext'].map(target => transform(source, { target })))
  expect(old?.code).toBe(latest?.code)
  expect(source).not.toContain('node:')
})

test('every command runs it first', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const without = Object.entries(scripts).filter(
    ([, script]) => !/^(?:exec )?node (?:-r )?\.\/local\/preflight\.cjs /.test(script),
  )
  // They run npm alone.
  expect(without.map(([name]) => name)).toEqual(['check', 'sbom'])
})
