import { describe, expect, test } from 'vitest'
import { requireRoom, type Template, usesIn } from '../../infra/quotas.ts'
import { SettingsError } from '../../infra/settings/setting.ts'
import { limited, readSettings, type Settings } from '../../infra/settings/settings.ts'
import { resolverOf } from '../../local/template/resolver.ts'
import type { JsonObject } from '../../local/template/template.ts'
import { languages } from '../../shared/words/languages.ts'
import { everything } from '../support/stack/settings.ts'
import { synthesize } from '../support/stack/template.ts'

/** What AWS takes of a stack: valid settings that need more are refused by name, before a deploy fails over them. */

const many = (count: number, item: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => item(i)).join(',')
const host = (length: number): string =>
  `${'x'.repeat(60)}.`
    .repeat(4)
    .slice(0, length - 4)
    .replace(/\.$/, 'x')
    .concat('.com')
const address = `${'a'.repeat(64)}@${host(180)}`

/** The longest text of each setting, of lists without an end one that is long enough; `null` where all texts are short. */
const longest: Record<keyof Settings, string | null> = {
  SITE_URL: `https://a.example/${'x'.repeat(482)}`,
  PRODUCT_NAME: '𝒜'.repeat(60),
  SUPPORT_EMAIL: address,
  APP_URL: `https://a.example/${'x'.repeat(482)}`,
  // Lists that lie beside the bundles.
  OIDC_CLIENTS: everything.OIDC_CLIENTS,
  SIGN_IN_PROVIDERS: everything.SIGN_IN_PROVIDERS,
  SSO: null,
  LANGUAGES: Object.keys(languages).join(','),
  ACCOUNT_PAGE: null,
  LOGO_URL: `data:image/png,${'x'.repeat(1485)}`,
  ACCENT_COLOR: null,
  REQUIRE_EMAIL_VERIFICATION: null,
  PASSKEY_RP_ID: host(253),
  PASSKEY_ORIGINS: many(15, i => `android:apk-key-hash:${String(i).padStart(43, 'A')}`),
  SIGN_UP: null,
  SIGN_UP_DOMAINS: many(33, i => `${'x'.repeat(45)}${String(i).padStart(2, '0')}.example.com`),
  SECOND_FACTOR: null,
  ACCESS_TOKEN_EXPIRE_MINUTES: null,
  SESSION_DAYS: null,
  SESSION_IDLE_DAYS: null,
  TOKENS_NOT_BEFORE: null,
  ADMIN_EMAIL: address,
  MAIL_FROM: address,
  BCRYPT_COST: null,
  PASSWORD_BLOCKLIST: null,
  RATE_LIMITS: limited.map(name => `${name}=9999999/minute`).join(','),
  EXPECTED_ACCOUNTS: null,
  TOKEN_AUDIENCE: 'x'.repeat(200),
  SIGNING_KEYS: many(5, i => `k${i}${'x'.repeat(30)}`),
  CORS_ORIGINS: many(60, i => `https://${String(i).padStart(44, 'x')}.example.com`),
  STAGE: 'x'.repeat(12),
  API_DOMAIN: host(253),
  API_CERTIFICATE_ARN: everything.API_CERTIFICATE_ARN,
  CATALOGUE_CDN: null,
  CATALOGUE_DOMAIN: `b${host(252)}`,
  CATALOGUE_CERTIFICATE_ARN: everything.CATALOGUE_CERTIFICATE_ARN,
  WEB_ACL_ARN: everything.WEB_ACL_ARN.replace('main', 'x'.repeat(128)),
  SES_IDENTITY: address,
}

/** What has to change beside a setting. */
const beside: Partial<Record<string, Partial<Record<keyof Settings, string>>>> = {
  MAIL_FROM: { SES_IDENTITY: '' },
  SES_IDENTITY: { MAIL_FROM: address },
  PASSKEY_RP_ID: { API_DOMAIN: host(253), SITE_URL: '' },
  API_DOMAIN: { PASSKEY_RP_ID: '', SITE_URL: '' },
}

/** The refusal of a stack with these settings; null if a deploy fits. */
function refusalOf(env: Record<string, string>): string | null {
  try {
    requireRoom(synthesize(env).template as Template, `Gatehouse-${env.STAGE}`, readSettings(env))
    return null
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return error.message
  }
}

test.each(Object.entries(longest).flatMap(([name, text]) => (text === null ? [] : [[name, text] as const])))(
  '%s at its longest fits alone, or is refused by name',
  (name, text) => {
    const refusal = refusalOf({ ...everything, ...beside[name], [name]: text })
    if (refusal !== null) expect(refusal).toContain(`: shorten ${name} `)
    expect(refusal === null).toBe(name !== 'CORS_ORIGINS')
  },
)

test('all settings at their longest are refused together, in a line that names the longest first', () => {
  const { PASSKEY_RP_ID, API_DOMAIN, ...others } = longest
  const texts = Object.entries({ ...others, SITE_URL: null }).filter(([, text]) => text !== null)
  const refusal = refusalOf({ ...everything, ...Object.fromEntries(texts) }) ?? ''
  const [line = ''] = refusal.split('\n')
  expect(line).toMatch(/^the environment of \w+ takes \d+ of 4096 bytes \(AWS Lambda, "Quotas"\): shorten \w+ \d+, /)
  const named = [...line.matchAll(/([A-Z_]+) (\d+)/g)].map(([, name, length]) => [name, Number(length)] as const)
  expect(named).toEqual(named.toSorted(([, one], [, other]) => other - one))
  for (const [name, length] of named) expect(length).toBe(Buffer.byteLength(String(longest[name as keyof Settings])))
})

test('an environment fits at 4,096 bytes, and not at one more', () => {
  const withOrigin = (length: number) => ({ ...everything, CORS_ORIGINS: `https://${'x'.repeat(length)}` })
  const used = (env: Record<string, string>) =>
    usesIn(synthesize(env).template as Template, 'Gatehouse-staging').find(({ limit }) => limit === 4096)?.most.used ??
    0
  const room = 4096 - used(withOrigin(1))
  expect(refusalOf(withOrigin(1 + room))).toBeNull()
  expect(refusalOf(withOrigin(2 + room))).toMatch(/ takes 4097 of 4096 bytes /)
})

describe('a stack with everything', () => {
  const { template } = synthesize({
    ...everything,
    API_DOMAIN: '',
    API_CERTIFICATE_ARN: '',
    PASSKEY_RP_ID: '',
    SITE_URL: '',
  })

  test('has room within each quota', () => {
    for (const { name, limit, most } of usesIn(template as Template, 'Gatehouse-staging')) {
      expect({ name, hasRoom: most.used > 0 && most.used < limit }).toEqual({ name, hasRoom: true })
    }
  })

  // The names of one machine are shorter, and so is its region.
  test('is measured longer than the same stack resolved for one machine', () => {
    const { properties } = resolverOf(template as unknown as Parameters<typeof resolverOf>[0], {
      stackName: 'Gatehouse-staging',
      accountId: '000000000000',
      region: 'us-east-1',
      baseUrl: 'https://local.execute-api.us-east-1.amazonaws.com',
      awsUrl: 'https://sqs.us-east-1.amazonaws.com',
      arn: (service, resource) => `arn:aws:${service}:us-east-1:000000000000:${resource}`,
      keyId: id => id,
    })
    const environments = Object.entries(template.Resources).flatMap(([id, { Type }]) =>
      Type === 'AWS::Lambda::Function'
        ? [JSON.stringify((properties(id).Environment as JsonObject).Variables).length]
        : [],
    )
    const measured =
      usesIn(template as Template, 'Gatehouse-staging').find(({ limit }) => limit === 4096)?.most.used ?? 0
    expect(measured).toBeGreaterThan(Math.max(...environments))
    expect(measured).toBeLessThan(Math.max(...environments) + 500)
  })
})
