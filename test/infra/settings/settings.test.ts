import { describe, expect, test } from 'vitest'
import { namedSender, senderField } from '../../../infra/settings/sender.ts'
import { checkTable, SettingsError } from '../../../infra/settings/setting.ts'
import { readSettings, type Settings, settingsTable } from '../../../infra/settings/settings.ts'
import { settingsWarnings } from '../../../infra/settings/warnings.ts'

type Name = keyof Settings

/** The error message for bad settings. */
function refusalOf(env: Record<string, string>): string {
  try {
    readSettings(env)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
  }
  throw new Error('not refused')
}

function certificate(region: string): string {
  return `arn:aws:acm:${region}:111122223333:certificate/12345678-1234-1234-1234-123456789012`
}

function webAcl(place: string): string {
  return `arn:aws:wafv2:${place}/webacl/main/12345678-1234-1234-1234-123456789012`
}

/** By setting: its default, texts with the values read from them, and refused texts. */
const cases: { [N in Name]: { unset: Settings[N]; good: [string, Settings[N]][]; bad: string[] } } = {
  SITE_URL: {
    unset: '',
    good: [
      ['https://example.com', 'https://example.com'],
      ['https://example.com/', 'https://example.com'],
      ['http://localhost:3000/app/', 'http://localhost:3000/app'],
      ['https://Example.com:443//', 'https://example.com'],
    ],
    bad: ['example.com', 'ftp://example.com', 'https://example.com/?a=1', 'https://example.com/#a', 'https://a@b.com'],
  },
  PRODUCT_NAME: {
    unset: 'Gatehouse',
    good: [
      ['Smith & Söhne', 'Smith & Söhne'],
      ['<b>"Acme\'s"</b>', '<b>"Acme\'s"</b>'],
      ['بوابة', 'بوابة'],
      ['می\u200cخواهم', 'می\u200cخواهم'],
      ['👩‍👩‍👧', '👩‍👩‍👧'],
      ['I \u2764\ufe0f', 'I \u2764\ufe0f'],
      ['𝒜'.repeat(60), '𝒜'.repeat(60)],
    ],
    bad: [
      'a'.repeat(61),
      'a\nb',
      'a\u202eb',
      'a\u200bb',
      'a\u2028b',
      'a\ud800',
      '\u200d',
      'a\u0007',
      '\u3164',
      'a\u3164',
      '\ufe0f',
    ],
  },
  SUPPORT_EMAIL: {
    unset: '',
    good: [[' Help@Bücher.example ', 'help@xn--bcher-kva.example']],
    bad: ['help', 'help@localhost', 'Help <help@example.com>', 'a@example.com, b@example.com'],
  },
  APP_URL: {
    unset: '',
    good: [
      ['https://app.example.com', 'https://app.example.com/'],
      ['HTTP://localhost:5173/#/login?from=mail', 'http://localhost:5173/#/login?from=mail'],
      ['https://example.com/@me?a=1&b=2', 'https://example.com/@me?a=1&b=2'],
    ],
    bad: [
      'app.example.com',
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://example.com',
      'https:app.example.com',
      'https://ada:secret@example.com',
      'https://ada@example.com',
      'https://example.com/"onclick=x',
      'https://example.com/a b',
    ],
  },
  REQUIRE_EMAIL_VERIFICATION: {
    unset: false,
    good: [
      ['true', true],
      ['TRUE', true],
      ['false', false],
      ['yes', false],
      ['1', false],
    ],
    bad: [],
  },
  ACCESS_TOKEN_EXPIRE_MINUTES: {
    unset: 60,
    good: [
      ['1', 1],
      ['43200', 43_200],
    ],
    bad: ['0', '43201', '-5', '1.5', '1e3', 'an hour', '0x10'],
  },
  ADMIN_EMAIL: {
    unset: '',
    good: [[' Ada@Example.com ', 'ada@example.com']],
    bad: ['ada', 'ada@localhost', 'ada@example.com, bob@example.com'],
  },
  MAIL_FROM: {
    unset: '',
    good: [
      ['no-reply@example.com', 'no-reply@example.com'],
      ['Gatehouse <no-reply@example.com>', 'Gatehouse <no-reply@example.com>'],
      ['Gatehouse <no-reply@localhost>', 'Gatehouse <no-reply@localhost>'],
      ['No-Reply@Example.com', 'no-reply@example.com'],
      ['post@bücher.example', 'post@xn--bcher-kva.example'],
      ['Ada & Co. <post@example.com>', '"Ada & Co." <post@example.com>'],
      ['"Ada & Co." <post@example.com>', '"Ada & Co." <post@example.com>'],
      ['"Example, Inc" <post@example.com>', '"Example, Inc" <post@example.com>'],
      ['Torhüter <post@example.com>', '=?UTF-8?B?VG9yaMO8dGVy?= <post@example.com>'],
    ],
    bad: [
      'Gatehouse',
      'no-reply',
      'a@example.com, b@example.com',
      'Gatehouse <no-reply@example.com',
      '<>',
      'A\r\nBcc: b <a@b.example>',
    ],
  },
  BCRYPT_COST: {
    unset: 12,
    good: [
      ['10', 10],
      ['15', 15],
    ],
    bad: ['9', '16', 'high', '12.5'],
  },
  PASSWORD_BLOCKLIST: {
    unset: 'off',
    good: [
      ['on', 'on'],
      ['off', 'off'],
    ],
    bad: ['true', 'ON', '10000'],
  },
  RATE_LIMITS: {
    unset: 'on',
    good: [
      ['off', 'off'],
      ['login=10/minute,register=5/hour', 'login=10/minute,register=5/hour'],
    ],
    bad: ['none', 'login', 'login=0/minute', 'login=1/week', 'get-me=1/minute', 'login=1/minute,login=2/minute'],
  },
  TOKEN_AUDIENCE: {
    unset: 'gatehouse',
    good: [['https://api.example.com', 'https://api.example.com']],
    bad: ['two words', 'a'.repeat(201), 'büro'],
  },
  SIGNING_KEYS: {
    unset: ['main'],
    good: [
      ['main', ['main']],
      ['next, main', ['next', 'main']],
      ['a,b,c,d,e', ['a', 'b', 'c', 'd', 'e']],
    ],
    bad: ['main,main', 'a,b,c,d,e,f', 'Main', '2026', 'main,', 'a-b', `a${'b'.repeat(32)}`],
  },
  CORS_ORIGINS: {
    unset: ['*'],
    good: [['https://a.example, http://localhost:5173', ['https://a.example', 'http://localhost:5173']]],
    bad: ['*,https://a.example', 'a.example', 'https://a.example/', 'https://*.example', 'null'],
  },
  STAGE: {
    unset: 'dev',
    good: [
      ['staging', 'staging'],
      ['pr-17', 'pr-17'],
    ],
    bad: ['Prod', '1', 'a_b', 'a-', 'a'.repeat(17)],
  },
  API_DOMAIN: {
    unset: '',
    good: [['api.example.com', 'api.example.com']],
    bad: ['localhost', 'https://api.example.com', 'API.example.com', 'api.example.com.', '10.0.0.1', '-a.example'],
  },
  API_CERTIFICATE_ARN: {
    unset: '',
    good: [[certificate('eu-central-1'), certificate('eu-central-1')]],
    bad: ['arn:aws:acm:eu-central-1:1:certificate/x', `${certificate('eu-central-1')}0`, 'certificate'],
  },
  CATALOGUE_CDN: {
    unset: 'on',
    good: [
      ['on', 'on'],
      ['off', 'off'],
    ],
    bad: ['false', 'OFF', 'no'],
  },
  CATALOGUE_DOMAIN: {
    unset: '',
    good: [['catalogue.example.com', 'catalogue.example.com']],
    bad: ['catalogue', '*.example.com'],
  },
  CATALOGUE_CERTIFICATE_ARN: {
    unset: '',
    good: [[certificate('us-east-1'), certificate('us-east-1')]],
    bad: [certificate('eu-central-1'), 'us-east-1'],
  },
  WEB_ACL_ARN: {
    unset: '',
    good: [[webAcl('us-east-1:111122223333:global'), webAcl('us-east-1:111122223333:global')]],
    bad: [webAcl('eu-central-1:111122223333:regional'), webAcl('us-east-1:111122223333:regional'), 'main'],
  },
  SES_IDENTITY: {
    unset: '',
    good: [
      ['example.com', 'example.com'],
      ['No-Reply@Mail.Example.com', 'no-reply@mail.example.com'],
      ['mail.example.com', 'mail.example.com'],
    ],
    bad: ['example', 'other.example', 'ail.example.com', 'ada@example.com', 'no-reply@mail'],
  },
}

/** The other settings that a setting requires. */
const company: Partial<Record<Name, Record<string, string>>> = {
  API_DOMAIN: { API_CERTIFICATE_ARN: certificate('eu-central-1') },
  API_CERTIFICATE_ARN: { API_DOMAIN: 'api.example.com' },
  CATALOGUE_DOMAIN: { CATALOGUE_CERTIFICATE_ARN: certificate('us-east-1') },
  CATALOGUE_CERTIFICATE_ARN: { CATALOGUE_DOMAIN: 'catalogue.example.com' },
  SES_IDENTITY: { MAIL_FROM: 'Gatehouse <no-reply@mail.example.com>' },
}
const withCompany = (name: Name, env: Record<string, string>) => ({ ...company[name], ...env })
const rows = Object.entries(cases) as [Name, { unset: unknown; good: [string, unknown][]; bad: string[] }][]

describe('each setting', () => {
  test.each(rows)('%s has a default', (name, { unset }) => {
    expect(readSettings({})[name]).toEqual(unset)
  })

  test.each(rows)('%s that is empty is unset', (name, { unset }) => {
    expect(readSettings({ [name]: '' })[name]).toEqual(unset)
    expect(readSettings({ [name]: ' ' })[name]).toEqual(unset)
  })

  const goodOnes = rows.flatMap(([name, { good }]) => good.map(([text, value]) => [name, text, value] as const))
  test.each(goodOnes)("%s takes '%s'", (name, text, value) => {
    expect(readSettings(withCompany(name, { [name]: text }))[name]).toEqual(value)
  })

  const badOnes = rows.flatMap(([name, { bad }]) => bad.map(text => [name, text] as const))
  test.each(badOnes)("%s does not take '%s', and says what is expected", (name, text) => {
    const refusal = `${name} must be ${settingsTable[name].expected}, not '${text}'`
    expect(refusalOf(withCompany(name, { [name]: text })).slice(0, refusal.length)).toBe(refusal)
  })

  test.each(rows)('%s may be written in any case', (name, { good: [[text, value] = ['', '']] }) => {
    expect(readSettings(withCompany(name, { [name.toLowerCase()]: text }))[name]).toEqual(value)
  })

  test.each(rows)('%s is explained by sentences', name => {
    expect(settingsTable[name].meaning).toMatch(/^[A-Z`].*\.$/)
  })
})

describe('a sender without a name of its own gets the product’s', () => {
  test.each([
    ['no-reply@example.com', 'Acme', 'Acme <no-reply@example.com>'],
    ['Post <post@example.com>', 'Acme', 'Post <post@example.com>'],
    ['post@example.com', 'Ada & Co.', '"Ada & Co." <post@example.com>'],
    ['post@example.com', 'Smith & Söhne', '=?UTF-8?B?U21pdGggJiBTw7ZobmU=?= <post@example.com>'],
    ['post@example.com', 'The "Acme"', '=?UTF-8?B?VGhlICJBY21lIg==?= <post@example.com>'],
    ['post@example.com', '=?UTF-8?B?eA==?=', '=?UTF-8?B?PT9VVEYtOD9CP2VBPT0/PQ==?= <post@example.com>'],
    ['', 'Acme', ''],
  ])('%j by %j is %j', (sender, name, field) => {
    expect(namedSender(senderField(sender) ?? '', name)).toBe(field)
  })

  test('in encoded words that no server has to fold (RFC 2047 §2)', () => {
    const field = namedSender('post@example.com', '門'.repeat(60))
    for (const word of field.split(' ')) expect(word.length).toBeLessThanOrEqual(75)
    expect(Buffer.byteLength(field)).toBe(field.length)
  })
})

describe('a name in several spellings', () => {
  test.each([
    [{ bcrypt_cost: '11', BCRYPT_COST: '' }],
    [{ BCRYPT_COST: ' ', bcrypt_cost: '11' }],
    [{ bcrypt_cost: '', BCRYPT_COST: '11', Bcrypt_Cost: ' 11' }],
  ])('has the value that is not empty (%j)', env => {
    expect(readSettings(env).BCRYPT_COST).toBe(11)
  })

  test('is refused with different values', () => {
    expect(refusalOf({ bcrypt_cost: '10', BCRYPT_COST: '11', Bcrypt_Cost: '' })).toBe(
      "bcrypt_cost is '10' and BCRYPT_COST is '11', but they are the same setting: unset all but one",
    )
  })
})

test('all bad settings are reported at once, one line each', () => {
  const env = { BCRYPT_COST: '9', SITE_URL: 'example.com', TOKEN_AUDIENCE: 'fine', API_DOMAIN: 'api.example.com' }
  expect(refusalOf(env).split('\n')).toEqual([
    expect.stringMatching(/^SITE_URL must be /),
    expect.stringMatching(/^BCRYPT_COST must be /),
    expect.stringMatching(/^API_CERTIFICATE_ARN is not set but must be /),
  ])
})

const certified = { API_DOMAIN: 'api.example.com', API_CERTIFICATE_ARN: certificate('us-east-1') }
const cdnCertificate = { CATALOGUE_CERTIFICATE_ARN: certificate('us-east-1') }

test.each<[string, Record<string, string>, Name, Name]>([
  ['a domain without its certificate', { API_DOMAIN: 'api.example.com' }, 'API_CERTIFICATE_ARN', 'API_DOMAIN'],
  [
    'a certificate without its domain',
    { API_CERTIFICATE_ARN: certificate('eu-west-1') },
    'API_DOMAIN',
    'API_CERTIFICATE_ARN',
  ],
  [
    'the catalogue’s domain without its certificate',
    { CATALOGUE_DOMAIN: 'c.example.com' },
    'CATALOGUE_CERTIFICATE_ARN',
    'CATALOGUE_DOMAIN',
  ],
  ['the catalogue’s certificate without its domain', cdnCertificate, 'CATALOGUE_DOMAIN', 'CATALOGUE_CERTIFICATE_ARN'],
  [
    'one domain for both API and catalogue',
    { ...certified, ...cdnCertificate, CATALOGUE_DOMAIN: 'api.example.com' },
    'CATALOGUE_DOMAIN',
    'API_DOMAIN',
  ],
  [
    'a domain at CloudFront without CloudFront',
    { ...cdnCertificate, CATALOGUE_DOMAIN: 'c.example.com', CATALOGUE_CDN: 'off' },
    'CATALOGUE_CDN',
    'CATALOGUE_DOMAIN',
  ],
  [
    'a web ACL for CloudFront without CloudFront',
    { WEB_ACL_ARN: webAcl('us-east-1:111122223333:global'), CATALOGUE_CDN: 'off' },
    'CATALOGUE_CDN',
    'WEB_ACL_ARN',
  ],
  ['an identity without a sender', { SES_IDENTITY: 'example.com' }, 'MAIL_FROM', 'SES_IDENTITY'],
  [
    'an identity that mails do not come from',
    { SES_IDENTITY: 'other.example', MAIL_FROM: 'a@example.com' },
    'SES_IDENTITY',
    'MAIL_FROM',
  ],
])('%s is refused by one line, which names the setting and what made it necessary', (_, env, name, cause) => {
  const refusal = refusalOf(env)
  expect(refusal).toMatch(new RegExp(`^${name} (?:is not set but )?must be [^\\n]*$`))
  expect(refusal.endsWith(`, because ${cause} is '${env[cause]}'`)).toBe(true)
})

test('a setting with a wrong value requires no other', () => {
  expect(refusalOf({ API_DOMAIN: 'api' })).toMatch(/^API_DOMAIN must be [^\n]*, not 'api'$/)
})

test('other environment variables are ignored', () => {
  expect(readSettings({ PATH: '/bin', HOME: '/root' })).toEqual(readSettings({}))
})

test('another default can take the place of the table’s own, and an empty text still means unset or off', () => {
  const local = { MAIL_FROM: 'Gatehouse <no-reply@localhost>', BCRYPT_COST: '10' }
  const read = (env: Record<string, string>) => checkTable(settingsTable, env, local).values
  expect(read({})).toMatchObject({ MAIL_FROM: local.MAIL_FROM, BCRYPT_COST: 10 })
  expect(read({ MAIL_FROM: '', BCRYPT_COST: '' })).toMatchObject({ MAIL_FROM: '', BCRYPT_COST: 10 })
})

describe('a warning', () => {
  const warningsOf = (env: Record<string, string>) => settingsWarnings(readSettings(env), env)

  test('is not given for the defaults', () => {
    expect(warningsOf({})).toEqual([])
  })

  test.each([
    [
      'a value that is neither true nor false',
      { require_email_verification: 'yes' },
      "'yes', neither true nor false: it counts as false",
    ],
    ['verification without mails', { REQUIRE_EMAIL_VERIFICATION: 'true' }, 'nobody can verify their address'],
    ['an administrator without verification', { ADMIN_EMAIL: 'ada@example.com' }, 'anyone who registers that address'],
  ])('is given for %s', (_, env, words) => {
    expect(warningsOf(env)).toEqual([expect.stringContaining(words)])
  })

  test('is not given when verification has what it needs', () => {
    const env = { REQUIRE_EMAIL_VERIFICATION: 'true', MAIL_FROM: 'a@example.com', ADMIN_EMAIL: 'ada@example.com' }
    expect(warningsOf(env)).toEqual([])
  })
})

test('a bad rate limit is refused with the reason', () => {
  expect(refusalOf({ RATE_LIMITS: 'login=5/minute,logn=5/minute' })).toMatch(/: 'logn=5\/minute' is not <route>=/)
})

test('a warning names the variable that counts', () => {
  const env = { require_email_verification: 'yes', REQUIRE_EMAIL_VERIFICATION: '' }
  expect(settingsWarnings(readSettings(env), env)).toEqual([expect.stringMatching(/ is 'yes', neither /)])
})
