import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AccountRecord } from '../../../operations/users/account-record.ts'
import { accountKind, accountRecords, countRecords, type Format } from '../../../operations/users/records.ts'

const hash = `$2b$12$${'a'.repeat(22)}${'b'.repeat(31)}`
const prehashed = `$bcrypt-sha256$v=2,t=2b,r=12$${'a'.repeat(22)}$${'b'.repeat(31)}`
const account: AccountRecord = {
  email: 'ada@example.com',
  name: null,
  language: null,
  roles: null,
  invited_until: null,
  is_admin: false,
  is_verified: false,
  created_at: null,
  id: null,
  token_version: 0,
  locked_at: null,
  second_factor: false,
  password_hash: hash,
  former_password_hash: null,
  reset_verifies: false,
  totp_secret: null,
  totp_last_step: null,
  recovery_codes: null,
  wrong_codes: null,
  factor_key: null,
  passkeys: null,
  passkey_handle: null,
  passkey_rp_id: null,
  identities: null,
}

/** What an export with hashes has of a second factor. */
const factor = {
  totp_secret: Buffer.from('a ciphertext').toString('base64'),
  totp_last_step: 59_000_000,
  recovery_codes: ['0a'.repeat(32), '0b'.repeat(32)],
  wrong_codes: ['AbCd-_012345'],
  factor_key: 'arn:aws:kms:eu-central-1:123456789012:key/0b9c8a1e-1f43-4b8e-9d0a-3c1c5a0b7f11',
}

const spki = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' })
const passkey = {
  credential_id: 'AbCd-_01',
  public_key: spki.toString('base64'),
  transports: ['internal', 'hybrid'],
  sign_count: 7,
  backup_eligible: true,
  backed_up: false,
  label: 'Phone',
  created_at: '2026-01-02T03:04:05.678Z',
  last_used_at: null,
}
/** What an export with hashes has of passkeys. */
const passkeys = { passkeys: [passkey], passkey_handle: `${'a'.repeat(85)}A`, passkey_rp_id: 'example.com' }

/** A stream gives a text in pieces. */
async function* chunks(text: string) {
  yield* text.split(/(?<=\n)/)
}

async function read(text: string, format: Format, options?: { takesAnyHash: boolean }) {
  const all = []
  for await (const record of accountRecords(chunks(text), format, options)) all.push(record)
  return all
}

const readLine = async (members: object) => (await read(JSON.stringify(members), 'ndjson'))[0]

describe('a line of NDJSON', () => {
  test('needs only an address', async () => {
    expect(await readLine({ email: ' Ada@Example.com ' })).toEqual({
      line: 1,
      record: { ...account, password_hash: undefined },
    })
  })

  test('may say that the account has no password', async () => {
    expect(await readLine({ ...account, password_hash: null })).toEqual({
      line: 1,
      record: { ...account, password_hash: null },
    })
  })

  test('may have a name that people can no longer choose, since an export has it', async () => {
    for (const name of ['\u200fעדה', 'Ada\u00ad', 'Ada\u200d', ' ']) {
      expect(await readLine({ ...account, name })).toMatchObject({ record: { name } })
      const old = { ...account, ...passkeys, passkeys: [{ ...passkey, label: name }] }
      expect(await readLine(old)).toMatchObject({ record: { passkeys: [{ label: name }] } })
    }
  })

  test('may have every member of an account', async () => {
    const id = '01a1f88f-88cd-79e8-a34b-f4798adcd039'
    const flags = { is_admin: true, is_verified: true, token_version: 3 }
    const members = {
      ...account,
      ...flags,
      id,
      name: 'Ada 🔑',
      // Kept though nobody offers it.
      language: 'PL',
      created_at: '2020-01-02T03:04:05+01:00',
      locked_at: '2021-01-02T03:04:05Z',
      second_factor: true,
      roles: ['editor', 'a:b'],
      password_hash: prehashed,
      former_password_hash: hash,
      reset_verifies: true,
      ...factor,
      ...passkeys,
    }
    expect(await readLine(members)).toEqual({
      line: 1,
      record: {
        ...members,
        created_at: new Date('2020-01-02T02:04:05Z'),
        locked_at: new Date('2021-01-02T03:04:05Z'),
        second_factor: true,
        roles: ['a:b', 'editor'],
        totp_secret: new Uint8Array(Buffer.from('a ciphertext')),
        passkeys: [{ ...passkey, public_key: new Uint8Array(spki) }],
      },
    })
  })

  test('may have a handle without passkeys, since it is for good', async () => {
    expect(await readLine({ ...account, ...passkeys, passkeys: [] })).toMatchObject({ record: { passkeys: [] } })
  })

  test.each(Object.keys(passkeys))('with passkeys but for %s is refused, and names it', async name => {
    const part = { ...account, ...passkeys, [name]: null }
    const first = name === 'passkeys' ? 'passkey_handle' : 'passkeys'
    expect(await readLine(part)).toEqual({ line: 1, problem: `${name} is missing beside ${first}` })
  })

  test('may have a second factor without recovery codes or wrong codes', async () => {
    const members = { ...account, id: '7', ...factor, recovery_codes: [], wrong_codes: [] }
    expect(await readLine(members)).toMatchObject({ record: { recovery_codes: [], wrong_codes: [] } })
  })

  test.each(['id', ...Object.keys(factor)])('with a second factor but for %s is refused, and names it', async name => {
    const { [name]: _, ...part }: Record<string, unknown> = { ...account, id: '7', ...factor }
    const first = name === 'totp_secret' ? 'totp_last_step' : 'totp_secret'
    const problem = `${name} is missing beside ${first}`
    expect(await readLine(part)).toEqual({ line: 1, problem })
    expect(await readLine({ ...part, [name]: null })).toEqual({ line: 1, problem })
  })

  test.each(Object.entries(factor))('with nothing of a second factor but %s is refused', async (name, value) => {
    const others = Object.keys(factor).filter(other => other !== name)
    const problem = `${[...others, 'id'].join(', ')} are missing beside ${name}`
    expect(await readLine({ ...account, [name]: value })).toEqual({ line: 1, problem })
  })

  /** By the reason: what is refused for it. */
  const refused: Record<string, Record<string, object>> = {
    'email is missing': { 'no address': {} },
    'email must be an e-mail address, such as ada@example.com': { 'a bad address': { email: 'ada@localhost' } },
    'email must be an e-mail address': { 'an encoded word for an address': { email: '=?q?=@example.com' } },
    'is_admin must be true or false': { 'a flag that is not a boolean': { is_admin: 'yes' } },
    'name must not contain control characters': { 'a name with a line break': { name: 'a\nb' } },
    'name must not contain invisible characters, line separators or direction controls': {
      'a line separator in a name': { name: 'Ada\u2028' },
    },
    'name must be at most 200 characters': { 'a name that is too long': { name: 'x'.repeat(201) } },
    'language must be a language tag, such as de: at most 35 letters, digits and hyphens': {
      'a language that is no tag': { language: 'no tag' },
    },
    'language must be a string': { 'a number for a language': { language: 17 } },
    'created_at must be a time such as 2026-03-01T12:00:00Z': {
      'an infinite time': { created_at: 'infinity' },
      'a day without a time': { created_at: '2020-01-02' },
      'the hour 24': { created_at: '2020-04-30T24:00:00Z' },
    },
    'locked_at must be a time such as 2026-03-01T12:00:00Z': {
      'February 30 without a time': { locked_at: '2026-02-30' },
    },
    'created_at is of a day that is not in the calendar': {
      'a month that does not exist': { created_at: '2020-13-02T03:04:05Z' },
      'February 29 of a year without one': { created_at: '2025-02-29 03:04:05+00' },
      'April 31': { created_at: '2020-04-31T03:04:05Z' },
      'the day 0': { created_at: '2020-04-00T03:04:05Z' },
    },
    'locked_at is of a day that is not in the calendar': { 'February 30': { locked_at: '2026-02-30T03:04:05Z' } },
    'created_at must be a time from 1970 to now': { 'a time in the future': { created_at: '2999-01-01T00:00:00Z' } },
    'id must be 1 to 128 letters, digits and characters of': {
      'an id with an address in it': { id: 'ada@example.com' },
    },
    'id must be 1 to 128': {
      'an id that is empty': { id: '' },
      'an id that is too long': { id: 'x'.repeat(129) },
      'an id with a line break': { id: 'x\n' },
      'a fraction for an id': { id: 1.5 },
      'a negative number for an id': { id: -7 },
    },
    'token_version must be an integer': { 'a fraction for a token version': { token_version: 1.5 } },
    'token_version must be an integer from 0 to 1000000000000': {
      'a token version that is too high': { token_version: 10 ** 12 + 1 },
    },
    'totp_secret must be a ciphertext of KMS in base64': {
      'a secret in base32': { totp_secret: 'JBSWY3DP=' },
      'a secret in base64url': { totp_secret: 'a-_a' },
      'an empty secret': { totp_secret: '' },
      'a secret that no KMS made': { totp_secret: Buffer.alloc(6145).toString('base64') },
      'a secret that is no text': { totp_secret: [1, 2] },
    },
    'totp_last_step must be an integer from 0': {
      'a step before 1970': { totp_last_step: -1 },
      'half a step': { totp_last_step: 0.5 },
      'a step in quotes': { totp_last_step: '59000000' },
    },
    'recovery_codes must be at most ten SHA-256 hashes, in lower-case hexadecimal, each once': {
      'a recovery code itself': { recovery_codes: ['ABCD-EFGH'] },
      'a hash in capitals': { recovery_codes: ['0A'.repeat(32)] },
      'a recovery code twice': { recovery_codes: ['0a'.repeat(32), '0a'.repeat(32)] },
      'eleven recovery codes': { recovery_codes: Array.from({ length: 11 }, (_, i) => String(10 + i).repeat(32)) },
      'recovery codes in one text': { recovery_codes: '0a'.repeat(32) },
      'a number for a recovery code': { recovery_codes: [7] },
    },
    'wrong_codes must be at most 100 ids, each once': {
      'a count of wrong codes': { wrong_codes: 3 },
      'a wrong code twice': { wrong_codes: ['a', 'a'] },
      'more wrong codes than an account counts': { wrong_codes: Array.from({ length: 101 }, (_, i) => `id${i}`) },
      'an empty id of a wrong code': { wrong_codes: [''] },
    },
    'factor_key must be the ARN of a key': {
      'the id of a key': { factor_key: 'FactorKey' },
      'the ARN of an alias': { factor_key: 'arn:aws:kms:eu-central-1:123456789012:alias/x' },
      'an ARN with a line break': { factor_key: 'arn:aws:kms:eu-central-1:123456789012:key/x\n' },
    },
    "roles must be at most ten different roles of a-z, 0-9 and : _ . -, each at most 32 long, none of them 'none'": {
      'a role in capitals': { roles: ['Editor'] },
      'two roles in capitals, of which it says so once': { roles: ['Editor', 'Content Admin'] },
      'the role none': { roles: ['editor', 'none'] },
      'a role twice': { roles: ['editor', 'editor'] },
      'a role that is too long': { roles: ['e'.repeat(33)] },
      'roles in one text': { roles: 'editor billing' },
      'eleven roles': { roles: Array.from({ length: 11 }, (_, i) => `role-${i}`) },
    },
    'invited_until must be a time from 1970 to a week ahead': {
      'an invitation for ever': { invited_until: '2999-01-01T00:00:00Z' },
    },
    'invited_until does not go with a password_hash': {
      'an invitation beside a hash': { invited_until: '2026-01-01T00:00:00Z' },
    },
    'passkeys must be at most 10 different passkeys, as export --with-hashes writes them': {
      'passkeys by their key': { ...passkeys, passkeys: { a: passkey } },
      'eleven passkeys': {
        ...passkeys,
        passkeys: Array.from({ length: 11 }, (_, i) => ({ ...passkey, credential_id: `id-${i}` })),
      },
      'a passkey twice': { ...passkeys, passkeys: [passkey, passkey] },
      ...Object.fromEntries(
        Object.entries({
          credential_id: ['', 'a+b', 'a'.repeat(1365), 7],
          public_key: ['', 'AAAA', spki.toString('base64url'), spki.toString('hex')],
          transports: [['telepathy'], 'internal', null],
          sign_count: [-1, 0.5, 2 ** 32, '7'],
          backup_eligible: [null, 1],
          backed_up: [null, 'no'],
          label: ['a\nb', 'x'.repeat(61), null],
          created_at: [
            null,
            'yesterday',
            '2026-01-02T03:04:05+01',
            '2026-02-30T00:00:00.000Z',
            '9999-01-02T03:04:05.678Z',
          ],
          last_used_at: ['yesterday', undefined],
        }).flatMap(([name, values]) =>
          values.map(value => [
            `a passkey with ${JSON.stringify(value)?.slice(0, 20)} for ${name}`,
            { ...passkeys, passkeys: [{ ...passkey, [name]: value }] },
          ]),
        ),
      ),
      'a passkey that is backed up, and cannot be': {
        ...passkeys,
        passkeys: [{ ...passkey, backup_eligible: false, backed_up: true }],
      },
      'a passkey with a member too many': { ...passkeys, passkeys: [{ ...passkey, aaguid: 'x' }] },
    },
    'passkey_handle must be 64 bytes in base64url': {
      'a short handle': { ...passkeys, passkey_handle: 'abc' },
      'a handle of another spelling': { ...passkeys, passkey_handle: 'a'.repeat(86) },
    },
    'passkey_rp_id must be a host name': {
      'an origin for a domain': { ...passkeys, passkey_rp_id: 'https://example.com' },
    },
    'former_password_hash must be a hash of a form that docs/migrate.md lists': {
      'a former password': { former_password_hash: 'correct horse' },
    },
    'reset_verifies must be true or false': { 'a mark that is no flag': { reset_verifies: 1 } },
    'has an unknown member: verified. Accounts have email': { 'a misspelt member': { verified: 'yes' } },
    'has an unknown member: __proto__. Accounts have email, name, language, roles, invited_until, is_admin': {
      'a member that every object inherits': JSON.parse('{"__proto__": "strange"}'),
    },
    'has an unknown member. Accounts have email': { 'a hash for the name of a member': { [hash]: '' } },
    'password_hash must be a hash of a form that docs/migrate.md lists': {
      'bcrypt-sha256 of version 3': {
        password_hash: `$bcrypt-sha256$v=3,t=2b,r=12$${'a'.repeat(22)}$${'b'.repeat(31)}`,
      },
      'a password': { password_hash: 'correct horse' },
    },
    'password_hash is an unsalted digest, which is not taken': {
      'an MD5': { password_hash: '5f4dcc3b5aa765d61d8327deb882cf99' },
      'a SHA-1': { password_hash: '5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8' },
      'a SHA-256': { password_hash: 'a'.repeat(64) },
      'a SHA-512': { password_hash: '0'.repeat(128) },
    },
    'password_hash is a plain digest, which': {
      "Django's MD5": { password_hash: 'md5$salt$5f4dcc3b5aa765d61d8327deb882cf99' },
      "Django's SHA-1": { password_hash: 'sha1$salt$5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8' },
    },
    'password_hash is an unsalted digest that was hashed once more, which': {
      'one of Drupal 6 in Drupal 7': { password_hash: `U$S$D${'a'.repeat(51)}` },
    },
    "password_hash is a hash of Unix's crypt, which": Object.fromEntries(
      ['1', '5', '6', 'y', 'apr1'].map(kind => [`$${kind}$`, { password_hash: `$${kind}$salt$digest` }]),
    ),
    'password_hash is a hash in braces, as LDAP and Spring write it, which': {
      "LDAP's": { password_hash: '{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=' },
      "Spring's PBKDF2": { password_hash: '{pbkdf2}5d923b44a6d129f3ddf3e3c8d29412723dcbde72445e8ef6bf3b508fbf17fa4e' },
    },
    'password_hash is a hash of a bcrypt that is known to be broken, which': {
      "crypt_blowfish's": { password_hash: `$2x$12$${'a'.repeat(53)}` },
    },
    'password_hash is an argon2 hash with a key or data, which': {
      'a key': {
        password_hash: '$argon2id$v=19$m=65536,t=3,p=4,keyid=a2V5$c29tZXNhbHQ$RdescudvJCsgt3ub+b3dWRWJTmaaJObG',
      },
      data: { password_hash: '$argon2i$v=19$m=65536,t=3,p=4,data=ZGF0YQ$c29tZXNhbHQ$RdescudvJCsgt3ub+b3dWRWJTmaaJObG' },
    },
    'password_hash is an argon2 hash of version 16, which': {
      'its version': { password_hash: '$argon2i$v=16$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b3dWRWJTmaaJObG' },
      'no version': { password_hash: 'argon2$argon2i$m=512,t=2,p=2$c29tZXNhbHQ$RdescudvJCsgt3ub+b3dWRWJTmaaJObG' },
    },
    'password_hash must have a cost from 4 to 15': {
      'a hash that no login can verify in time': { password_hash: hash.replace('$12$', '$16$') },
    },
  }
  const refusals = Object.entries(refused).flatMap(([problem, cases]) =>
    Object.entries(cases).map(([what, members]) => [what, members, problem] as const),
  )

  test.each(refusals)('with %s is refused, and the reason quotes nothing of it', async (_, members, problem) => {
    const read = await readLine(
      'email' in members || problem.startsWith('email') ? members : { ...account, ...members },
    )
    expect(read).toEqual({ line: 1, problem: expect.stringContaining(problem) })
    const reason = JSON.stringify(read)
    expect(reason.split(problem), 'says it once').toHaveLength(2)
    // Numbers and short texts may stand in a reason by chance.
    const values = [hash, ...Object.values(members)].map(value =>
      typeof value === 'string' ? value : JSON.stringify(value),
    )
    for (const value of values.filter(({ length }) => length > 2)) expect(reason).not.toContain(value)
  })

  test('may be dated ahead by less than a second, as the table’s clock may be', async () => {
    const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
    const locked_at = at(900)
    expect(await readLine({ ...account, locked_at })).toMatchObject({ record: { locked_at: new Date(locked_at) } })
    expect(await readLine({ ...account, locked_at: at(60_000) })).toHaveProperty('problem')
  })

  test.each([4, 15])('may have a hash of cost %i', async cost => {
    const password_hash = hash.replace('$12$', `$${String(cost).padStart(2, '0')}$`)
    expect(await readLine({ ...account, password_hash })).toMatchObject({ record: { password_hash } })
  })

  test.each([
    ['2024-05-01 12:34:56.123456+00', '2024-05-01T12:34:56.123Z'],
    ['2024-05-01 12:34:56+02', '2024-05-01T10:34:56.000Z'],
    ['2024-05-01 12:34:56.5-03:30', '2024-05-01T16:04:56.500Z'],
    ['2024-05-01 12:34:56.123456', '2024-05-01T12:34:56.123Z'],
    ['2024-05-01t12:34:56z', '2024-05-01T12:34:56.000Z'],
  ])('may have the time %s, which is %s', async (created_at, time) => {
    expect(await readLine({ ...account, created_at })).toMatchObject({ record: { created_at: new Date(time) } })
  })

  test.each([
    ['"7"', '7'],
    ['7', '7'],
    ['90071992547409930', '90071992547409930'],
    ['9007199254740993', '9007199254740993'],
    ['"auth0|5dea9f9c82dd7c0e76e4ec93"', 'auth0|5dea9f9c82dd7c0e76e4ec93'],
    ['"01A1F88F-88CD-79E8-A34B-F4798ADCD039"', '01A1F88F-88CD-79E8-A34B-F4798ADCD039'],
    [`"${'x'.repeat(128)}"`, 'x'.repeat(128)],
    ['null', null],
  ])('may have the id %s, which is stored as %s', async (json, id) => {
    expect(await read(`{"email":"ada@example.com","id":${json}}`, 'ndjson')).toMatchObject([{ record: { id } }])
  })

  test.each([
    ['an argon2 hash of version 16', '$argon2id$v=16$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b3dWRWJTmaaJObG'],
    ['a hash that no login can verify in time', hash.replace('$12$', '$16$')],
    ['a hash in parts', { hash: 'x', salt: 'y' }],
    ['an empty text', ''],
  ])('loses %s if other hashes are dropped, and keeps a hash that works', async (_, password_hash) => {
    const lines = [{ password_hash }, { password_hash: hash }, { password_hash: null }, { password_hash, name: 7 }]
    const text = lines.map(line => JSON.stringify({ email: 'ada@example.com', ...line })).join('\n')
    expect(await read(text, 'ndjson', { takesAnyHash: true })).toEqual([
      { line: 1, record: { ...account, password_hash: '*' } },
      { line: 2, record: account },
      { line: 3, record: { ...account, password_hash: null } },
      { line: 4, problem: 'name must be a string' },
    ])
  })

  test('that is bad is reported by its number, and the others are read', async () => {
    const good = JSON.stringify(account)
    const long = JSON.stringify({ ...account, name: 'x'.repeat(120_000) })
    expect(await read(`${good}\r\n\n{"email":\n[]\n"x"\n${long}\n${good}`, 'ndjson')).toEqual([
      { line: 1, record: account },
      { line: 3, problem: 'is not valid JSON' },
      { line: 4, problem: 'is not a JSON object' },
      { line: 5, problem: 'is not a JSON object' },
      { line: 6, problem: 'is longer than 40000 characters' },
      { line: 7, record: account },
    ])
  })
})

test.each(['[{"email":"ada@example.com"}]', ' \n[\n  {"email":'])('a JSON array is not read: %j', async text => {
  await expect(read(text, 'ndjson')).rejects.toThrow("Convert it: jq -c '.[]' accounts.json > accounts.ndjson")
})

test('an array below an object is a wrong line alone', async () => {
  const records = await read('{"email":"ada@example.com"}\n["x"]\n{"email":"bob@example.com"}\n', 'ndjson')
  expect(records.map(read => 'problem' in read)).toEqual([false, true, false])
})

test.each(['{\n  "email": "ada@example.com"\n}\n', '\r\n { \r\n}'])(
  'an object of several lines is not read: %j',
  async text => {
    await expect(read(text, 'ndjson')).rejects.toThrow('Convert it: jq -c . accounts.json > accounts.ndjson')
  },
)

test.each([
  ['{}\n\n{}\nx', 'ndjson', 3],
  ['email,name\na,"\n"\n\nb,c\n', 'csv', 2],
] as const)('%j as %s is counted as the number of records that are read: %i', async (text, format, count) => {
  expect(await countRecords(chunks(text), format, accountKind)).toBe(count)
  expect(await read(text, format)).toHaveLength(count)
})

describe('CSV', () => {
  test('has its columns in any order, and may lack optional ones', async () => {
    expect(
      await read(
        `password_hash,name,email,is_verified,is_admin\n${hash},"Lovelace, Ada",Ada@example.com,TRUE,0\n${hash},,b@example.com,,\n`,
        'csv',
      ),
    ).toEqual([
      { line: 2, record: { ...account, name: 'Lovelace, Ada', is_verified: true } },
      { line: 3, record: { ...account, email: 'b@example.com' } },
    ])
  })

  test('may have booleans and times as PostgreSQL writes them, and keeps an id as text', async () => {
    const rows = `email,id,is_admin,is_verified,created_at\na@example.com,0042,t,f,2024-05-01 12:34:56.123456+00\nb@example.com,,F,T,\n`
    expect(await read(rows, 'csv')).toMatchObject([
      { record: { id: '0042', is_admin: true, is_verified: false, created_at: new Date('2024-05-01T12:34:56.123Z') } },
      { record: { id: null, is_admin: false, is_verified: true, created_at: null } },
    ])
  })

  test('reports bad rows by their line', async () => {
    expect(
      await read(
        `email,is_admin,token_version\na@example.com\n"b\n@example.com",true,1\nc@example.com,yes,1\nd@example.com,1,x\n\n`,
        'csv',
      ),
    ).toEqual([
      { line: 2, problem: 'has 1 fields where the first line has 3' },
      { line: 3, problem: 'email must be an e-mail address, such as ada@example.com' },
      { line: 5, problem: 'is_admin must be true or false' },
      { line: 6, problem: 'token_version must be an integer from 0 to 1000000000000' },
    ])
  })

  test.each(Object.entries({ ...factor, ...passkeys, former_password_hash: hash, reset_verifies: true }))(
    'holds no %s, which only an export writes: such a row is refused',
    async (name, value) => {
      const text = `email,${name}\na@example.com,\nb@example.com,"${value}"\n`
      expect(await read(text, 'csv')).toMatchObject([
        { line: 2, record: { email: 'a@example.com' } },
        { line: 3, problem: `${name}: read from NDJSON alone` },
      ])
    },
  )

  test('has roles in one field, separated by spaces', async () => {
    expect(await read('email,roles\na@example.com,editor billing\nb@example.com,\n', 'csv')).toMatchObject([
      { record: { roles: ['billing', 'editor'] } },
      { record: { roles: null } },
    ])
  })

  test('may have a token version of ten digits, as accounts have after an import', async () => {
    expect(await read('email,token_version\na@example.com,1800000000\n', 'csv')).toMatchObject([
      { record: { token_version: 1_800_000_000 } },
    ])
  })

  test('has names of columns in any case, with blanks around them', async () => {
    expect(await read(' Email ,NAME,"Is_Admin "\na@example.com,Ada,t\n', 'csv')).toMatchObject([
      { line: 2, record: { email: 'a@example.com', name: 'Ada', is_admin: true } },
    ])
  })

  test('may have last columns and lines that hold nothing, as spreadsheets write them', async () => {
    const rows =
      'email,name,, \na@example.com,Ada,,\nb@example.com,\nc@example.com,Eve\nd@example.com,,,7\n,,,\n , ,,\n\n'
    expect(await read(`\n,\n${rows}`, 'csv')).toMatchObject([
      { line: 4, record: { email: 'a@example.com', name: 'Ada' } },
      { line: 5, record: { email: 'b@example.com', name: null } },
      { line: 6, record: { email: 'c@example.com', name: 'Eve' } },
      { line: 7, problem: 'has 4 fields where the first line has 2' },
    ])
  })

  test.each([
    ['no column for the address', 'name,password_hash', 'no column is email'],
    ['a column twice', 'email,name, Name', 'column 3 is name again, as column 2'],
    ['a column without a name', 'email,,name', 'column 2 has no name'],
    [
      'columns of other names',
      'email,hunter2,name,hashed_password',
      'column 2 is none of these; column 4 is none of these',
    ],
    [
      'several faults',
      'hunter2,name,name',
      'column 1 is none of these; column 3 is name again, as column 2; no column is email',
    ],
    ['no header at all', `ada@example.com,${hash}`, 'no column is one of these'],
    ['another separator', 'email|name', 'no column is one of these'],
  ])('with %s is not read, and says which and why, naming no unknown name', async (_, header, fault) => {
    const refusal = await read(`${header}\n`, 'csv').catch(({ message }) => message)
    expect(refusal).toMatch(
      /^the first line must name the columns, separated by commas: email and any of name, language, roles, invited_until, is_admin,/,
    )
    expect(refusal.split('But ')[1]).toBe(fault)
  })

  test.each([
    ['email;name', 'semicolons'],
    ['\n"Email";"name"', 'semicolons'],
    ['email;name\na@example.com;"b,c"', 'semicolons'],
    ['name\temail', 'tabs'],
  ])('with %j for its first line is not read, and says what separates columns', async (text, separators) => {
    const problem = `the columns are separated by ${separators}: export it with commas`
    for (const whole of [text, `${text}\n`]) await expect(read(whole, 'csv')).rejects.toThrow(problem)
    // However it comes in.
    const pieces = async function* () {
      yield* `${text}\n`
    }
    await expect(countRecords(pieces(), 'csv', accountKind)).rejects.toThrow(problem)
  })
})
