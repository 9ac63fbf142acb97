import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const file = 'local/preflight.cjs'

/** Runs the preflight of a checkout under a Node that claims this version. */
async function preflight(checkout: string, node: string) {
  const script = `Object.defineProperty(process, 'versions', { value: { node: '${node}' } }); require(process.argv[1])`
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

describe('before anything starts, one sentence says what to do', () => {
  test.each(['10.24.1', '20.20.2', '22.11.9', '23.11.0', '25.1.0'])(
    'with Node %s, which npm ci refuses',
    async version => {
      const { code, stderr } = await preflight(checkoutWithoutPackages(), version)
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(
          new RegExp(
            `^Gatehouse needs Node 24, and this is Node ${version}: install Node 24, then run \`npm ci\` in .*\\n$`,
          ),
        ),
      })
    },
  )

  test.each(['22.12.0', '24.0.0', '26.1.0'])('before npm ci, with Node %s', async version => {
    const { code, stderr } = await preflight(checkoutWithoutPackages(), version)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^\S+ is not installed: run `npm ci` in .*\n$/)
  })

  test('with a Node that npm ci takes, but that cannot run the sources', async () => {
    expect(await preflight(root, '22.23.3')).toEqual({
      code: 1,
      stderr: 'Gatehouse needs Node 24, and this is Node 22.23.3: install Node 24.\n',
    })
  })

  test.each(['24.0.0', '26.0.0'])('and none with Node %s', async version => {
    expect(await preflight(root, version)).toEqual({ code: 0, stderr: '' })
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
  const ours = Object.entries(scripts).filter(([name, script]) => /\bnode .*\.ts$/.test(script) && name !== 'bench')
  expect(ours.map(([name]) => name)).toEqual(['start', 'build', 'users', 'mail', 'keys', 'smoke', 'docs'])
  for (const [, script] of ours) expect(script).toContain(`node -r ./${file} `)
})
