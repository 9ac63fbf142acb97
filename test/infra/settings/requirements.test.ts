import { expect, test } from 'vitest'
import type { Settings } from '../../../infra/settings/settings.ts'
import { certificate, webAcl } from './cases.ts'
import { refusalOf } from './refusal.ts'

const certified = { API_DOMAIN: 'api.example.com', API_CERTIFICATE_ARN: certificate('us-east-1') }
const cdnCertificate = { CATALOGUE_CERTIFICATE_ARN: certificate('us-east-1') }

test.each<[string, Record<string, string>, keyof Settings, keyof Settings]>([
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
  [
    'domains of addresses that anybody can type',
    { SIGN_UP_DOMAINS: 'example.com', REQUIRE_EMAIL_VERIFICATION: 'false' },
    'SIGN_UP_DOMAINS',
    'REQUIRE_EMAIL_VERIFICATION',
  ],
  ['an identity without a sender', { SES_IDENTITY: 'example.com' }, 'MAIL_FROM', 'SES_IDENTITY'],
  [
    'an identity that mails do not come from',
    { SES_IDENTITY: 'other.example', MAIL_FROM: 'a@example.com' },
    'SES_IDENTITY',
    'MAIL_FROM',
  ],
  [
    'an identity that is another mailbox',
    { SES_IDENTITY: 'ada@example.com', MAIL_FROM: 'x.ada@example.com' },
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
