import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { clientsFile } from '../../accounts/application/client.ts'

/** docs/own-repository.md, from an empty folder, as far as it goes without AWS. */

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/own-repository.md'), 'utf8')
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.+?)^\`\`\``, 'gms'))].map(([, block = '']) => block)

const folder = mkdtempSync(join(tmpdir(), 'own-'))
const at = (...path: string[]) => join(folder, 'accounts', ...path)

/** Of git and npm, and of nobody's own settings. */
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  SOURCE: join(folder, 'source'),
  ...Object.fromEntries(
    [
      ['user.name', 'Ada'],
      ['user.email', 'ada@example.com'],
      ['init.defaultBranch', 'main'],
      // The address is a folder here.
      ['protocol.file.allow', 'always'],
    ].flatMap(([name = '', value = ''], i) => [
      [`GIT_CONFIG_KEY_${i}`, name],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]),
  ),
  GIT_CONFIG_COUNT: '4',
}
const bash = (script: string) => promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env })

/** The present sources, as a repository with two versions. */
async function publish(): Promise<void> {
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
    },
  )
  for (const file of stdout.split('\0').filter(file => file !== '')) {
    cpSync(join(root, file), join(env.SOURCE, file), { verbatimSymlinks: true })
  }
  await bash(`cd source && git init -q && git add . && git commit -qm 0.5.0 && git tag v0.5.0
    printf '\\n' >> CHANGELOG.md && git commit -qam 0.6.0 && git tag v0.6.0`)
}

test('the page’s lines make a repository that synthesises its stage, and update it', async () => {
  await publish()
  const script = blocks('sh')
    .filter(block => !block.includes('cdk deploy'))
    .join('')
    // The packages are those of these tests.
    .replaceAll('npm --prefix gatehouse ci', `ln -sfn ${join(root, 'node_modules')} gatehouse/node_modules`)
  expect(script).not.toContain('npm ci')
  const { stdout } = await bash(script)
  expect(stdout).toMatch(/^ghc1_[\w-]{43}$/m)
  expect(JSON.parse(readFileSync(at('stages/clients.json'), 'utf8'))).toMatchObject([{ id: 'grafana' }])
  const deployed = globSync(`asset.*/${clientsFile}`, { cwd: at('gatehouse/cdk.out') })
  expect(deployed.length).toBeGreaterThan(0)
  for (const file of deployed) expect(readFileSync(at('gatehouse/cdk.out', file), 'utf8')).toContain('grafana')
  await bash(`${process.execPath} accounts/gatehouse/infra/deploy/check-assembly.ts prod accounts/gatehouse/cdk.out`)
  expect((await bash('cd accounts && git show --format=%s --numstat')).stdout).toBe(
    'Gatehouse 0.6.0\n\n1\t1\tgatehouse\n',
  )
})

test('its workflow gives the copied one what it asks for', () => {
  const [deploy = ''] = blocks('yaml')
  const { jobs, permissions } = parse(deploy)
  const { on } = parse(readFileSync(join(root, '.github/workflows/deploy-stage.yml'), 'utf8'))
  expect(Object.keys(jobs.prod.with).sort()).toEqual(Object.keys(on.workflow_call.inputs).sort())
  expect(jobs.prod.uses).toBe('./.github/workflows/deploy-stage.yml')
  expect([permissions, jobs.prod.permissions]).toEqual([
    { contents: 'read' },
    { contents: 'read', 'id-token': 'write' },
  ])
})
