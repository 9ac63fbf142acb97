import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { assemblyFaults } from '../../infra/deploy/assembly.ts'
import { readSettings } from '../../infra/settings/settings.ts'
import { createApp } from '../../infra/synthesize.ts'
import { everything } from '../support/stack/settings.ts'

/** A job with AWS credentials accepts only safe parts of a synthesised assembly. */

type Json = Record<string, unknown>

const root = join(import.meta.dirname, '../..')
const directory = mkdtempSync(join(tmpdir(), 'assembly-'))
createApp({ settings: readSettings(everything), validate: false, outdir: directory }).app.synth()

const read = (file: string): Json => JSON.parse(readFileSync(join(directory, file), 'utf8'))
const files = ['manifest.json', 'Gatehouse.assets.json', 'Gatehouse.metadata.json', 'Gatehouse.template.json']
const originals = Object.fromEntries(files.map(file => [file, read(file)]))
const written = (file: string, content: unknown) => writeFileSync(join(directory, file), JSON.stringify(content))
const copyOf = (file: string): Json => structuredClone(originals[file]) as Json

const faults = () => assemblyFaults(directory, 'staging')
const check = (...given: string[]) =>
  spawnSync('node', [join(root, 'infra/deploy/check-assembly.ts'), ...given], { encoding: 'utf8' })

test('an assembly that the synthesis wrote is taken, for its own stage alone', () => {
  expect(faults()).toEqual([])
  expect(check('staging', directory)).toMatchObject({ status: 0, stderr: '' })
  const stderr = expect.stringContaining(`${directory} is not what the synthesis of prod writes: do not deploy it.`)
  expect(check('prod', directory)).toMatchObject({ status: 1, stdout: '', stderr })
  expect(check('staging').status).toBe(2)
})

/** The check's complaints after a change of a file. */
function after(file: string, change: (content: Json) => unknown): string[] {
  const content = copyOf(file)
  const changed = change(content)
  written(file, changed === undefined ? content : changed)
  try {
    return faults()
  } finally {
    written(file, originals[file])
  }
}

/** Every object and every text in a value, with its path. */
const places = (value: unknown, way: string[] = []): { way: string[]; value: unknown }[] => [
  { way, value },
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([member, inner]) => places(inner, [...way, member]))
    : []),
]
const at = (content: unknown, way: string[]): Json =>
  way.reduce((inner, member) => inner[member] as Json, content as Json)
const put = (content: Json, way: string[], value: unknown): void => {
  Object.defineProperty(at(content, way.slice(0, -1)), way.at(-1) ?? '', { value, enumerable: true })
}

/** A representative of similar ones: the first asset, and the template, which is the last. */
const assets = Object.keys(originals['Gatehouse.assets.json']?.files as Json)
const alike = ([first, id]: string[]) => first === 'files' && id !== assets[0] && id !== assets.at(-1)
const found = ['manifest.json', 'Gatehouse.assets.json'].flatMap(file =>
  places(originals[file])
    .filter(({ way }) => way.length > 0 && !alike(way) && !way.includes('aws-cdk-lib/feature-flag-report'))
    .map(place => ({ file, ...place })),
)

const hostile = [
  '/etc/hostname',
  '../../etc/hostname',
  'asset/../../x',
  '..',
  '.',
  '\\\\host\\x',
  'https://example.com',
  'a\n::set-env',
]

describe('an assembly', () => {
  beforeAll(() => {
    // Its largest files, with similar lines.
    for (const file of ['Gatehouse.metadata.json', 'Gatehouse.template.json']) {
      const content = originals[file] as Json
      originals[file] = file.includes('metadata')
        ? Object.fromEntries(Object.entries(content).slice(0, 3))
        : { Resources: Object.fromEntries(Object.entries(content.Resources as Json).slice(0, 3)) }
      written(file, originals[file])
    }
  })

  test('says no other text where the command line reads a name of AWS', () => {
    const free = found
      .filter(({ value }) => typeof value === 'string')
      .filter(({ file, way }) => hostile.some(text => after(file, content => put(content, way, text)).length === 0))
      .map(({ way }) => way.findLast(member => member !== '0'))
    // Members that are only shown, compared or sorted by, and tags: all harmless.
    const harmless = ['additionalDependencies', 'dependencies', 'displayName', 'minimumCliVersion', 'version']
    expect([...new Set(free)].sort()).toEqual([...harmless, 'service', 'stage'].sort())
  })

  test('has no member that the synthesis does not write, wherever it stands', () => {
    const objects = found.filter(({ value }) => typeof value === 'object' && !Array.isArray(value))
    expect(objects.length).toBeGreaterThan(15)
    for (const { file, way } of objects) {
      for (const member of ['executable', 'region', 'assumeRoleExternalId', '__proto__']) {
        const said = after(file, content => put(content, [...way, member], ['id']))
        expect({ way, member, said }).toEqual({ way, member, said: [expect.any(String)] })
      }
    }
  })

  const [first = ''] = assets
  const known = at(originals['manifest.json'], ['artifacts', 'Gatehouse.assets'])
  const asset = { type: 'aws:cdk:asset', data: { packaging: 'container-image', path: '.' } }
  const nested = { Type: 'AWS::CloudFormation::Stack', Metadata: { 'aws:asset:path': '../x.json' } }
  test.each<[file: string, way: string[], value: unknown]>([
    ['Gatehouse.assets.json', ['files', first, 'source'], { executable: ['id'] }],
    ['Gatehouse.assets.json', ['dockerImages', 'a'.repeat(64)], { source: { directory: '.' }, destinations: {} }],
    ['Gatehouse.assets.json', ['files', '../../x'], at(originals['Gatehouse.assets.json'], ['files', first])],
    ['manifest.json', ['artifacts', 'x'], { type: 'cdk:cloud-assembly', properties: { directoryName: 'asset.x' } }],
    [
      'manifest.json',
      ['artifacts', 'more'],
      { ...known, properties: { ...at(known, ['properties']), file: 'notes.txt' } },
    ],
    ['manifest.json', ['artifacts', 'Gatehouse', 'properties', 'stackName'], 'Gatehouse-prod'],
    // Context that is to be looked up.
    ['manifest.json', ['missing'], [{ key: 'x', provider: 'plugin', props: {} }]],
    ['manifest.json', ['artifacts', 'x'], { type: 'constructor' }],
    ['manifest.json', ['artifacts'], [null]],
    // As version 1 of the CDK wrote assets.
    ['Gatehouse.metadata.json', ['/x'], [asset]],
    ['manifest.json', ['artifacts', 'Gatehouse', 'metadata'], { '/x': [{ type: 'aws:cdk:asset' }] }],
    ['Gatehouse.template.json', ['Resources', 'X'], nested],
  ])('with another part in %s, at %j, is refused: %j', (file, way, value) => {
    writeFileSync(
      join(directory, 'notes.txt'),
      JSON.stringify({
        version: '1',
        files: { [`${'a'.repeat(64)}`]: { source: { executable: ['id'] }, destinations: {} } },
      }),
    )
    expect(after(file, content => put(content, way, value))).not.toEqual([])
  })

  test('whose manifest is not JSON, or missing, is refused, and none of it quoted', () => {
    expect(after('manifest.json', () => null)).not.toEqual([])
    expect(after('manifest.json', () => undefined)).toEqual([])
    writeFileSync(join(directory, 'manifest.json'), 'root:x:0:0')
    expect(faults()).toEqual(['manifest.json is not JSON, or missing'])
    rmSync(join(directory, 'manifest.json'))
    expect(faults()).toEqual(['manifest.json is not JSON, or missing'])
    written('manifest.json', originals['manifest.json'])
  })

  describe('with a link', () => {
    const link = join(directory, 'asset.nested/link')
    afterEach(() => rmSync(join(directory, 'asset.nested'), { recursive: true }))

    test.each(['/etc', '/etc/hostname', '../manifest.json', 'nowhere'])('to %s is refused', target => {
      mkdirSync(join(directory, 'asset.nested'))
      symlinkSync(target, link)
      expect(faults()).toEqual([`${JSON.stringify(link)} is neither a file nor a folder`])
    })
  })

  test('that is a link itself is refused', () => {
    const link = `${directory}-link`
    symlinkSync(directory, link)
    expect(assemblyFaults(link, 'staging')).toEqual([`${JSON.stringify(link)} is no folder`])
    rmSync(link)
  })
})
