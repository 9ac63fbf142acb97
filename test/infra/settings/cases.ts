import { statementOf } from '../../../infra/settings/provider-members.ts'
import type { Setting } from '../../../infra/settings/setting.ts'
import { type Settings, settingsTable } from '../../../infra/settings/settings.ts'
import { languages } from '../../../shared/words/languages.ts'

import { providers } from '../../support/providers.ts'

type Name = keyof Settings

export function certificate(region: string): string {
  return `arn:aws:acm:${region}:111122223333:certificate/12345678-1234-1234-1234-123456789012`
}

export function webAcl(place: string): string {
  return `arn:aws:wafv2:${place}/webacl/main/12345678-1234-1234-1234-123456789012`
}

/** An application of the list, and the text of a list of one. */
const app = { id: 'app', name: 'App', redirects: ['https://app.example.com/callback'] }
const listOf = (changed: object): string => JSON.stringify([{ ...app, ...changed }])
const whole = { ...app, logouts: [], home: null, secrets: [], api: false, unverified: false, pkce: 'required' as const }

const manyDomains = (count: number): string => Array.from({ length: count }, (_, i) => `a${i}.example`).join(',')

const keyHash = `android:apk-key-hash:${'A-_'.repeat(14)}8`

const manyApps = (count: number): string =>
  Array.from({ length: count }, (_, i) => `android:apk-key-hash:${String(i).padStart(43, 'A')}`).join(',')

/** A default, texts with the values read from them, and refused texts. */
interface Case<T> {
  unset: T
  good: [string, T][]
  bad: string[]
}

/** The settings with a number range or a list of words, by their rows. */
type Told = {
  [N in Name]: Settings[N] extends number
    ? N
    : Settings[N] extends string
      ? string extends Settings[N]
        ? never
        : N
      : never
}[Name]

/** The cases of an address that pages and mails link to. */
const legal = (path: string): Case<string> => ({
  unset: '',
  good: [
    [`https://example.com/${path}?v=2#start`, `https://example.com/${path}?v=2#start`],
    [`http://localhost:5173/${path}`, `http://localhost:5173/${path}`],
    [`https://a.example/${'x'.repeat(232)}`, `https://a.example/${'x'.repeat(232)}`],
  ],
  bad: ['javascript:alert(1)', `https://a.example/${'x'.repeat(233)}`],
})

const ownCases: { [N in Exclude<Name, Told>]: Case<Settings[N]> } = {
  SITE_URL: {
    unset: '',
    good: [
      ['https://example.com', 'https://example.com'],
      ['https://example.com/', 'https://example.com'],
      ['http://localhost:3000/app/', 'http://localhost:3000/app'],
      ['https://Example.com:443//', 'https://example.com'],
      [`https://a.example/${'x'.repeat(482)}`, `https://a.example/${'x'.repeat(482)}`],
    ],
    bad: [
      'example.com',
      'ftp://example.com',
      'https://example.com/?a=1',
      'https://example.com/#a',
      'https://a@b.com',
      `https://a.example/${'x'.repeat(483)}`,
    ],
  },
  PRODUCT_NAME: {
    unset: 'Gatehouse',
    good: [
      ['Smith & Söhne', 'Smith & Söhne'],
      ['<b>"Acme\'s"</b>', '<b>"Acme\'s"</b>'],
      ['👩‍👩‍👧', '👩‍👩‍👧'],
      ['𝒜'.repeat(60), '𝒜'.repeat(60)],
    ],
    bad: ['a'.repeat(61), 'a\u202eb', '\u2800', 'a\ud800', '\ue000'],
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
      [`https://a.example/${'x'.repeat(482)}`, `https://a.example/${'x'.repeat(482)}`],
    ],
    bad: [
      'app.example.com',
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://example.com',
      'https:app.example.com',
      'https://ada:secret@example.com',
      'https://ada@example.com',
      `https://a.example/${'x'.repeat(483)}`,
      // Six characters each in their URL spelling.
      `https://a.example/${'ä'.repeat(81)}`,
      'https://example.com/"onclick=x',
      'https://example.com/a b',
    ],
  },
  LANGUAGES: {
    unset: [],
    good: [
      [Object.keys(languages).join(','), Object.keys(languages)],
      [Object.keys(languages).toReversed().join(' , '), Object.keys(languages).toReversed()],
      ['EN', ['en']],
    ],
    bad: ['en,pl', 'en,EN', 'en,', 'en de', 'en-GB', 'en-XA', 'constructor'],
  },
  SIGN_IN_PROVIDERS: {
    unset: [],
    good: [
      ['[]', []],
      [JSON.stringify(providers.map(statementOf)), providers],
    ],
    bad: ['google', '{}', '[{}]', '[{"id":"google","name":"Google"}]'],
  },
  OIDC_CLIENTS: {
    unset: [],
    good: [
      ['[]', []],
      [listOf({}), [whole]],
      [listOf({ api: true, unverified: false }), [{ ...whole, api: true }]],
    ],
    bad: ['{}', '[', 'app', '[{}]', listOf({ colour: 'red' })],
  },
  TERMS_URL: legal('terms'),
  PRIVACY_URL: legal('privacy'),
  LOGO_URL: {
    unset: '',
    good: [
      ['https://cdn.example.com/logo.svg?v=2', 'https://cdn.example.com/logo.svg?v=2'],
      ['HTTPS://CDN.example.com:8443/a', 'https://cdn.example.com:8443/a'],
      [`https://a.example/${'x'.repeat(1482)}`, `https://a.example/${'x'.repeat(1482)}`],
      ['data:image/svg+xml,%3Csvg/%3E', 'data:image/svg+xml,%3Csvg/%3E'],
      [`data:image/png;base64,${'A'.repeat(1478)}`, `data:image/png;base64,${'A'.repeat(1478)}`],
    ],
    bad: [
      'http://example.com/logo.png',
      'https://ada@example.com/logo.png',
      'https://a;script-src/logo.png',
      'https://*/logo.png',
      'https://localhost/logo.png',
      `https://a.example/${'x'.repeat(1483)}`,
      'data:text/html,x',
      'data:image/svg+xml,<svg/>',
      "data:image/svg+xml,'",
      `data:image/png;base64,${'A'.repeat(1479)}`,
    ],
  },
  ACCENT_COLOR: {
    unset: '',
    good: [
      ['#1f5fbf', '#1f5fbf'],
      ['#767676', '#767676'],
      ['#0A7D33', '#0a7d33'],
    ],
    bad: ['#777777', '#fff', '1f5fbf', '#1f5fbf80', 'navy', '#ffffff', '#12345g'],
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
  PASSKEY_RP_ID: {
    unset: '',
    // Others need a matching page: requirements.test.ts.
    good: [
      ['example.com', 'example.com'],
      ['app.example.com', 'app.example.com'],
    ],
    bad: [
      'com',
      'bücher.example',
      'xn--a.example',
      'example.com:443',
      '*.example.com',
      'a_b.example.com',
      '0x7f.1',
      'amazonaws.com',
      'abc.execute-api.eu-central-1.amazonaws.com',
      'abc.execute-api.cn-north-1.amazonaws.com.cn',
      'co.uk',
      'github.io',
      'cloudfront.net',
    ],
  },
  PASSKEY_ORIGINS: {
    unset: [],
    good: [
      [
        `https://example.com, https://app.example.com:8443,${keyHash}`,
        ['https://example.com', 'https://app.example.com:8443', keyHash],
      ],
      [manyApps(15), manyApps(15).split(',')],
    ],
    bad: [
      '*',
      'http://example.com',
      'https://example.com:443',
      'https://example.com,https://example.com',
      'https://example.com,',
      'ios:bundle-id:com.example.app',
      keyHash.slice(0, -1),
      `${keyHash}A`,
      `${keyHash.slice(0, -1)}=`,
      keyHash.toUpperCase(),
      manyApps(16),
      'https://example.org',
      'https://notexample.com',
    ],
  },
  SIGN_UP_DOMAINS: {
    unset: [],
    good: [
      ['example.com', ['example.com']],
      ['example.com, xn--bcher-kva.example', ['example.com', 'xn--bcher-kva.example']],
      [manyDomains(50), manyDomains(50).split(',')],
    ],
    bad: ['bücher.example', 'example.com,example.com', 'example.com,,example.org', '@example.com', manyDomains(51)],
  },
  SESSION_IDLE_DAYS: {
    unset: 14,
    good: [
      ['1', 1],
      ['30', 30],
    ],
    bad: ['0', '31', '-1', '1.5', 'never'],
  },
  TOKENS_NOT_BEFORE: {
    unset: '',
    good: [
      ['2025-03-01T12:00:00Z', '2025-03-01T12:00:00.000Z'],
      ['2025-03-01t13:00:00.5+01:00', '2025-03-01T12:00:00.500Z'],
    ],
    bad: [
      '2025-03-01',
      '2025-03-01 12:00:00Z',
      '2025-03-01T12:00:00',
      '2025-02-30T12:00:00Z',
      '2999-01-01T00:00:00Z',
      'now',
    ],
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
  RATE_LIMITS: {
    unset: 'on',
    good: [
      ['off', 'off'],
      ['login=10/minute,register=5/hour', 'login=10/minute,register=5/hour'],
      ['register-day=20/day', 'register-day=20/day'],
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
    bad: ['Prod', '1', 'a_b', 'a-', 'a'.repeat(13)],
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

/** The numbers that settings have by default. */
const numbers: Partial<Record<Name, number>> = {
  ACCESS_TOKEN_EXPIRE_MINUTES: 60,
  SESSION_DAYS: 30,
  BCRYPT_COST: 12,
  EXPECTED_ACCOUNTS: 1_000_000,
}

/** Valid and invalid texts by a row's own words. */
function told(name: Name, { expected, fallback, meaning }: Setting<unknown>): Case<unknown> {
  const [, from, to] = /^a whole number from (\d+) to (\d+)(?: \(.+\))?$/.exec(expected) ?? []
  if (from !== undefined && to !== undefined) {
    const outside = [Number(from) - 1, Number(to) + 1].map(String)
    return {
      unset: numbers[name] ?? Number(fallback),
      good: [from, to].map(text => [text, Number(text)]),
      bad: [...outside, '-5', '1.5', '12.5', '1e3', '1e6', '0x10', '1,000', '\u0663', '99999999999999', 'many', 'on'],
    }
  }
  const choices = /^\w+(?:, \w+)* or \w+$/.test(expected) ? expected.split(/, | or /) : []
  const [unset, ...others] = choices.filter(choice => !meaning.includes(`\`${choice}\`: `))
  if (unset === undefined || others.length > 0)
    throw new Error(
      `${name} has neither cases here, nor a meaning that says of each value but the default what it does`,
    )
  const capitals = choices.flatMap(choice => [choice.toUpperCase(), `${choice[0]?.toUpperCase()}${choice.slice(1)}`])
  const bad = [...capitals, 'on', 'off', 'true', 'false', 'no', 'closed', 'mandatory', '1', '10000', '/account']
  return { unset, good: choices.map(choice => [choice, choice]), bad: bad.filter(text => !choices.includes(text)) }
}

/** By setting. */
export const cases = Object.entries(settingsTable).map(([name, row]): [name: Name, Case<unknown>] => [
  name as Name,
  name in ownCases ? ownCases[name as keyof typeof ownCases] : told(name as Name, row),
])

/** The other settings that a setting requires. */
export const alsoRequired: Partial<Record<Name, Record<string, string>>> = {
  API_DOMAIN: { API_CERTIFICATE_ARN: certificate('eu-central-1') },
  API_CERTIFICATE_ARN: { API_DOMAIN: 'api.example.com' },
  CATALOGUE_DOMAIN: { CATALOGUE_CERTIFICATE_ARN: certificate('us-east-1') },
  CATALOGUE_CERTIFICATE_ARN: { CATALOGUE_DOMAIN: 'catalogue.example.com' },
  SES_IDENTITY: { MAIL_FROM: 'Gatehouse <no-reply@mail.example.com>' },
  // `required` needs a sender.
  SECOND_FACTOR: { MAIL_FROM: 'no-reply@example.com' },
  PASSKEY_ORIGINS: { PASSKEY_RP_ID: 'example.com', MAIL_FROM: 'no-reply@example.com', SITE_URL: 'https://example.com' },
  PASSKEY_RP_ID: { MAIL_FROM: 'no-reply@example.com', SITE_URL: 'https://app.example.com' },
  SIGN_IN_PROVIDERS: { MAIL_FROM: 'no-reply@example.com' },
  SIGN_UP_DOMAINS: { REQUIRE_EMAIL_VERIFICATION: 'true' },
}
