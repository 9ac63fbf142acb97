import { describe, expect, test } from 'vitest'
import { longSetting, requireRoom, type Template, usesIn } from '../../infra/quotas.ts'
import { SettingsError } from '../../infra/settings/setting.ts'
import { limited, readSettings, type Settings } from '../../infra/settings/settings.ts'
import { resolverOf } from '../../local/template/resolver.ts'
import type { JsonObject } from '../../local/template/template.ts'
import { languages } from '../../shared/words/languages.ts'
import { everything } from '../support/stack/settings.ts'
import { synthesize } from '../support/stack/template.ts'
import { cases } from './settings/cases.ts'

/** AWS's quotas of a stack: valid settings that exceed them are refused by name, before a deploy fails. */

const many = (count: number, item: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => item(i)).join(',')
const host = (length: number): string =>
  `${'x'.repeat(60)}.`
    .repeat(4)
    .slice(0, length - 4)
    .replace(/\.$/, 'x')
    .concat('.com')
const address = `${'a'.repeat(64)}@${host(180)}`

/** Long texts that no case of a setting has; for unlimited lists, one that is long enough. */
const longer: Partial<Record<keyof Settings, string>> = {
  SUPPORT_EMAIL: address,
  // Lists that lie beside the bundles.
  OIDC_CLIENTS: everything.OIDC_CLIENTS,
  SIGN_IN_PROVIDERS: everything.SIGN_IN_PROVIDERS,
  LANGUAGES: Object.keys(languages).join(','),
  PASSKEY_RP_ID: host(253),
  SIGN_UP_DOMAINS: many(33, i => `${'x'.repeat(45)}${String(i).padStart(2, '0')}.example.com`),
  ADMIN_EMAIL: address,
  MAIL_FROM: address,
  RATE_LIMITS: limited.map(name => `${name}=9999999/minute`).join(','),
  TOKEN_AUDIENCE: 'x'.repeat(200),
  SIGNING_KEYS: many(5, i => `k${i}${'x'.repeat(30)}`),
  CORS_ORIGINS: many(60, i => `https://${String(i).padStart(44, 'x')}.example.com`),
  STAGE: 'x'.repeat(12),
  API_DOMAIN: host(253),
  API_CERTIFICATE_ARN: everything.API_CERTIFICATE_ARN,
  CATALOGUE_DOMAIN: `b${host(252)}`,
  CATALOGUE_CERTIFICATE_ARN: everything.CATALOGUE_CERTIFICATE_ARN,
  WEB_ACL_ARN: everything.WEB_ACL_ARN.replace('main', 'x'.repeat(128)),
  SES_IDENTITY: address,
}

/** The longest text of each setting that can fill a quota, from its cases. */
const longest: Record<string, string> = {
  ...Object.fromEntries(
    cases.flatMap(([name, { good }]) => {
      const [text] = good
        .map(([text]) => text)
        .toSorted((one, other) => Buffer.byteLength(other) - Buffer.byteLength(one))
      return text !== undefined && Buffer.byteLength(text) >= longSetting ? [[name, text]] : []
    }),
  ),
  ...longer,
}

/** Settings that must change along with another. */
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

test.each(Object.entries(longest))('%s at its longest fits alone, or is refused by name', (name, text) => {
  const refusal = refusalOf({ ...everything, ...beside[name], [name]: text })
  if (refusal !== null) expect(refusal).toContain(`: shorten ${name} `)
  expect(refusal === null).toBe(name !== 'CORS_ORIGINS')
})

test('all settings at their longest are refused together, in a line, the longest first', () => {
  const { PASSKEY_RP_ID: _, API_DOMAIN: __, ...others } = longest
  const refusal = refusalOf({ ...everything, ...others, SITE_URL: everything.SITE_URL }) ?? ''
  const [line = ''] = refusal.split('\n')
  expect(line).toMatch(/^the environment of \w+ takes \d+ of 4096 bytes \(AWS Lambda, "Quotas"\): shorten \w+ \d+, /)
  const named = [...line.matchAll(/([A-Z_]+) (\d+)/g)].map(([, name, length]) => [name, Number(length)] as const)
  expect(named).toEqual(named.toSorted(([, one], [, other]) => other - one))
  for (const [name, length] of named) expect(length).toBe(Buffer.byteLength(String(longest[String(name)])))
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

// AWS CloudFormation, "Resource name".
test('a name that CloudFormation generates counts with the 14 characters at most that it appends', () => {
  const Environment = { Variables: { NAME: { Ref: 'Table' } } }
  const Resources = {
    Table: { Type: 'AWS::DynamoDB::Table' },
    Function: { Type: 'AWS::Lambda::Function', Properties: { Environment } },
  }
  const [environment] = usesIn({ Resources }, 'Gatehouse').filter(({ limit }) => limit === 4096)
  expect(environment?.most.used).toBe('{"NAME":"Gatehouse-Table"}'.length + 14)
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
