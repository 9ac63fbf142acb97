import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeProtectedHeader } from 'jose'
import { expect, test } from 'vitest'
import { operate } from '../support/system/operate.ts'
import { runSystem } from '../support/system/running.ts'

const dataDirectory = mkdtempSync(join(tmpdir(), 'gatehouse-keys-'))
const { send } = runSystem({ SIGNING_KEYS: 'next,main' }, { dataDirectory })

test('list shows each published key with its id, the signing one first', async () => {
  const { body } = await send('GET', '/auth/.well-known/jwks.json')
  const { status, stdout, stderr } = await operate('keys', ['list', '--local'], { env: { DATA_DIR: dataDirectory } })
  expect([status, stderr]).toEqual([0, ''])
  const rows = stdout
    .trim()
    .split('\n')
    .map(line => line.split(/ {2,}/))
  expect(rows).toEqual([
    ['name', 'use', 'age', 'state', 'kid and KMS key'],
    ['next', 'signs', '0 minutes', 'Enabled', 'SigningKeyNext'],
    ['main', 'published', '0 minutes', 'Enabled', 'SigningKeyMain'],
  ])
  expect(body.keys.map(({ kid }: { kid: string }) => kid)).toEqual(['SigningKeyNext', 'SigningKeyMain'])
  const json = await operate('keys', ['list', '--local', '--json'], { env: { DATA_DIR: dataDirectory } })
  expect(JSON.parse(json.stdout)).toEqual(
    rows.slice(1).map(([name, use, , state, kid]) => ({
      name,
      signs: use === 'signs',
      created_at: expect.stringMatching(/^\d{4}-\S+Z$/),
      state,
      kid,
    })),
  )
  const person = { email: 'ada@example.com', password: 'correct horse' }
  await send('POST', '/auth/register', person)
  const login = await send('POST', '/auth/login', person)
  expect(decodeProtectedHeader(login.body.access_token).kid).toBe(rows[1]?.[4])
})
