import { spawnSync } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { readSettings, settingsTable } from '../../infra/settings/settings.ts'
import { openAccounts } from '../../local/accounts-file.ts'
import { keyMaterials } from '../../local/aws/key-materials.ts'
import { Tables } from '../../local/aws/tables.ts'
import { openDataDirectory } from '../../local/data-directory.ts'
import { localSettingsTable } from '../../local/local-settings.ts'
import { listen } from '../../local/network.ts'
import { refuseHalfReset } from '../../local/reset.ts'
import { runStack } from '../../local/system.ts'
import { assemble } from '../../local/template/assembly.ts'
import { Route, readProperties } from '../../local/template/property-schemas.ts'
import { resolverOf } from '../../local/template/resolver.ts'
import type { Deployment } from '../../local/template/return-values.ts'
import type { Json, Template } from '../../local/template/template.ts'
import { smallStack } from '../support/system/small-stack.ts'

/** A law over the sentences that end a start: each says what to do, and its cause is provoked here. */

const root = join(import.meta.dirname, '../..')
const folder = (): string => mkdtempSync(join(tmpdir(), 'start-error-'))

const deployment: Deployment = {
  ...{ stackName: 'Stack', accountId: '000000000000', region: 'us-east-1' },
  ...{ baseUrl: 'http://localhost:3000', awsUrl: 'http://127.0.0.1:4000' },
  arn: (service, resource) => `arn:aws:${service}:us-east-1:000000000000:${resource}`,
  keyId: id => id,
}
const resolve = (value: Json, Resources: Template['Resources'] = {}) =>
  resolverOf({ Resources }, deployment).resolve(value)

const table = (id: string, key: string, attribute = key) => ({
  ...{ id, name: id },
  AttributeDefinitions: [{ AttributeName: attribute, AttributeType: 'S' as const }],
  KeySchema: [{ AttributeName: key, KeyType: 'HASH' as const }],
})
type TableDefinition = ReturnType<typeof table>

/** Creates tables in a folder, by one system after the other. */
async function createTables(...systems: TableDefinition[][]): Promise<void> {
  const path = folder()
  for (const definitions of systems) {
    const tables = new Tables(path)
    try {
      await tables.create(definitions)
    } finally {
      await tables.close()
    }
  }
}

async function createTablesAtOnce(): Promise<void> {
  const path = folder()
  const [first, second] = [new Tables(path), new Tables(path)]
  try {
    await first.create([table('Accounts', 'id')])
    await second.create([table('Accounts', 'id')])
  } finally {
    await Promise.all([first.close(), second.close()])
  }
}

function openTwice(): void {
  const path = folder()
  const { close } = openDataDirectory(path)
  try {
    openDataDirectory(path)
  } finally {
    close()
  }
}

function refuseKilledReset(): void {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE resetting (id INTEGER PRIMARY KEY); INSERT INTO resetting (id) VALUES (1)')
  refuseHalfReset(database)
}

async function readBadKey(): Promise<void> {
  const directory = folder()
  mkdirSync(join(directory, 'main.pem'))
  await keyMaterials(directory)({ id: 'main', KeySpec: 'RSA_2048' } as Parameters<ReturnType<typeof keyMaterials>>[0])
}

/** A server that may not listen: these tests may run as root, who may. */
const forbidden = Object.assign(new EventEmitter(), {
  listen: () => setImmediate(() => forbidden.emit('error', Object.assign(new Error('no'), { code: 'EACCES' }))),
}) as unknown as Server & EventEmitter

function runWithBadOption(): void {
  const { stderr } = spawnSync(process.execPath, ['local/start.ts', '--wach'], { cwd: root, encoding: 'utf8' })
  throw new Error(stderr)
}

/** A path below a file. */
const nowhere = (): string => join(import.meta.filename, 'x')
const settings = readSettings({})
const local = { settings, port: 0, inboxPort: 0, host: '127.0.0.1', dataDirectory: null }

const causes: Record<string, () => unknown> = {
  'an option that there is not': runWithBadOption,
  'a folder that cannot be made': () => openDataDirectory(nowhere()),
  'a folder that is in use': openTwice,
  'an address of another machine': () => listen(createServer(), '192.0.2.1'),
  'a port for root alone': () => listen(forbidden, '127.0.0.1', 80, 'PORT'),
  'a reset that was killed': refuseKilledReset,
  'a key that is a folder': readBadKey,
  'tables that are in use': createTablesAtOnce,
  'tables of 0.4.0': () => createTables([table('Users', 'email')], [table('Accounts', 'id'), table('Users', 'email')]),
  'a table of another shape': () => createTables([table('Accounts', 'email')], [table('Accounts', 'id')]),
  'a table whose key has no type': () => createTables([table('Accounts', 'id', 'email')]),
  'accounts that are not there': () =>
    openAccounts(nowhere(), { dataDirectory: folder(), bcryptCost: settings.BCRYPT_COST }),
  'a build that cannot be written': () => assemble(settings, folder(), { build: nowhere() }),
  'a function that there is not': async () => {
    const { stop } = await runStack({ ...local, assembly: smallStack({ login: { source: '' } }), inspect: 'signin' })
    await stop()
  },
  'a resource of an unknown type': () => resolve('', { Fleet: { Type: 'AWS::EC2::Fleet' } }),
  'a resource that is not there': () => resolve({ 'Fn::GetAtt': ['Fleet', 'Arn'] }),
  'an unknown attribute': () =>
    resolve({ 'Fn::GetAtt': ['Users', 'Colour'] }, { Users: { Type: 'AWS::DynamoDB::Table' } }),
  'an unknown mapping': () => resolve({ 'Fn::FindInMap': ['a', 'b', 'c'] }),
  'an unknown intrinsic function': () => resolve({ 'Fn::ImportValue': 'x' }),
  'an unknown condition': () => resolve({ 'Fn::If': ['IsBig', 1, 2] }),
  'an unknown property': () => readProperties('Route', Route, {}),
}

/** The sentences by their causes. */
const sentences = new Map<string, string>()
for (const [cause, provoke] of Object.entries(causes)) {
  const error = await Promise.resolve()
    .then(provoke)
    .then(String, error => error)
  sentences.set(cause, error instanceof Error ? error.message.trim() : `no error, but ${error}`)
}

const settingNames = Object.keys({ ...settingsTable, ...localSettingsTable }).join('|')
const advice = new RegExp(
  `^(?:${settingNames}): |(?:set|new|needs) (?:${settingNames})\\b|\`npm |npm start are --|--inspect takes|CONTRIBUTING\\.md`,
)

test.each([...sentences])('%s: the start says what to do', (_, sentence) => {
  expect(sentence).toMatch(advice)
  expect(sentence).not.toMatch(/\n\s+at /)
})

/** Patterns of what `local/` says when a start ends, a gap for each value. */
const patterns = globSync('local/**/*.ts', { cwd: root }).flatMap(file =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:new StartError|unsupported)\(\s*([`'])(.*?)\1/gs)].map(
    ([, , text = '']) => [file, text.replaceAll('\\\n', '')] as const,
  ),
)

test.each(patterns)('%s: the cause of "%s" is provoked', (_, text) => {
  const parts = text.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/)
  const pattern = new RegExp(
    parts.map(part => part.replaceAll('\\`', '`').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*'),
    's',
  )
  expect([...sentences.values()].filter(sentence => pattern.test(sentence)).length).toBeGreaterThan(0)
})

test('there are patterns to provoke', () => expect(patterns.length).toBeGreaterThan(15))
