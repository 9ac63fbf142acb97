import { describe, expect, test } from 'vitest'
import { passkeyOrigins } from '../../../infra/settings/passkeys.ts'
import { readSettings, type Settings } from '../../../infra/settings/settings.ts'
import { settingsWarnings } from '../../../infra/settings/warnings.ts'
import { readAllSettings } from '../../../local/local-settings.ts'
import { certificate } from './cases.ts'
import { refusalOf } from './refusal.ts'

const certified = { API_DOMAIN: 'api.example.com', API_CERTIFICATE_ARN: certificate('us-east-1') }
const cdnCertificate = { CATALOGUE_CERTIFICATE_ARN: certificate('us-east-1') }

const passkeys = (rpId: string, page = `https://${rpId}`) => ({
  PASSKEY_RP_ID: rpId,
  MAIL_FROM: 'no-reply@example.com',
  SITE_URL: page,
})

test.each<[Record<string, string>, keyof Settings, keyof Settings]>([
  [{ ...certified, ...cdnCertificate, CATALOGUE_DOMAIN: 'api.example.com' }, 'CATALOGUE_DOMAIN', 'API_DOMAIN'],
  [{ ...passkeys('app.example.com'), PASSKEY_ORIGINS: 'https://example.com' }, 'PASSKEY_ORIGINS', 'PASSKEY_RP_ID'],
  // Others can change these on their way.
  [{ STAGE: 'demo', TERMS_URL: 'http://a.example/' }, 'TERMS_URL', 'STAGE'],
  [{ STAGE: 'demo', PRIVACY_URL: 'http://a.example/' }, 'PRIVACY_URL', 'STAGE'],
  [{ SES_IDENTITY: 'ada@example.com', MAIL_FROM: 'x.ada@example.com' }, 'SES_IDENTITY', 'MAIL_FROM'],
])('%j is refused by one line, which names %s and %s, which made it necessary', (env, name, cause) => {
  const refusal = refusalOf(env)
  expect(refusal).toMatch(new RegExp(`^${name} (?:is not set but )?must be [^\\n]*$`))
  expect(refusal.endsWith(`, because ${cause} is '${env[cause]}'`)).toBe(true)
})

test('a setting with a wrong value requires no other', () => {
  expect(refusalOf({ API_DOMAIN: 'api' })).toMatch(/^API_DOMAIN must be [^\n]*, not 'api'$/)
})

describe('the domain of passkeys', () => {
  test.each(['ada.github.io', 'example.co.uk', 'xn--bcher-kva.example', 'notamazonaws.com', 'notlocalhost.example'])(
    '%s is taken',
    rpId => {
      expect(readSettings(passkeys(rpId)).PASSKEY_RP_ID).toBe(rpId)
    },
  )

  const elsewhere = passkeys('example.com', 'https://example.org')

  test.each([
    ['at a page', passkeys('example.com', 'https://example.com/app')],
    ['above a page', passkeys('example.com', 'https://a.b.example.com:8443')],
    ['at the API', { ...elsewhere, ...certified, PASSKEY_RP_ID: 'api.example.com' }],
    ['above a listed origin', { ...elsewhere, PASSKEY_ORIGINS: 'https://app.example.com' }],
  ])('may be %s', (_, env) => {
    expect(readSettings(env).PASSKEY_RP_ID).toBe(env.PASSKEY_RP_ID)
  })

  test.each([
    ['no page', elsewhere],
    ['a page below it', passkeys('app.example.com', 'https://example.com')],
    ['a page whose name ends like it', passkeys('example.com', 'https://notexample.com')],
    ['an app alone', { ...elsewhere, PASSKEY_ORIGINS: `android:apk-key-hash:${'A'.repeat(43)}` }],
    ['the address of somebody’s app', { ...elsewhere, APP_URL: 'https://app.example.com' }],
  ])('is refused where it fits %s', (_, env) => {
    expect(refusalOf(env)).toBe(
      `PASSKEY_RP_ID must be the host of API_DOMAIN, SITE_URL or an https origin of PASSKEY_ORIGINS, or above it, not '${env.PASSKEY_RP_ID}'`,
    )
  })
})

describe('passkeys are taken at', () => {
  const app = `android:apk-key-hash:${'A'.repeat(43)}`
  const site = passkeys('example.com', 'https://www.example.com/app')
  const addresses = { ...certified, APP_URL: 'https://app.example.com' }

  test('the address of `npm start` too, where their domain is at or above it', () => {
    const takenAt = (BASE_URL: string) =>
      readAllSettings({ ...site, PASSKEY_ORIGINS: 'https://app.example.com', BASE_URL }).PASSKEY_ORIGINS
    expect(takenAt('https://api.example.com')).toEqual(['https://api.example.com', 'https://app.example.com'])
    expect(takenAt('https://api.example.org')).toEqual(['https://app.example.com'])
  })

  test.each([
    ['no origin while there are none', { SITE_URL: 'https://example.com' }, []],
    [
      'the API’s and the site’s origins',
      { ...site, ...addresses },
      ['https://api.example.com', 'https://www.example.com'],
    ],
    [
      'listed ones',
      { ...site, PASSKEY_ORIGINS: `https://app.example.com,${app}` },
      ['https://www.example.com', 'https://app.example.com', app],
    ],
    ['each once', { ...site, PASSKEY_ORIGINS: 'https://www.example.com' }, ['https://www.example.com']],
    [
      'no site elsewhere',
      { ...passkeys('example.com', 'https://example.org'), ...addresses },
      ['https://api.example.com'],
    ],
    ['no API elsewhere', { ...site, ...addresses, PASSKEY_RP_ID: 'www.example.com' }, ['https://www.example.com']],
  ])('%s', (_, env, origins) => {
    const settings = readSettings(env)
    expect(
      passkeyOrigins(settings, `https://${settings.API_DOMAIN || 'abc.execute-api.eu-central-1.amazonaws.com'}`),
    ).toEqual(origins)
  })
})

describe('on one machine passkeys', () => {
  test.each<[string, Record<string, string>, string, string[]]>([
    ['are localhost’s', {}, 'localhost', ['http://localhost:3000']],
    ['are localhost’s at another port', { BASE_URL: 'http://localhost:8080' }, 'localhost', ['http://localhost:8080']],
    [
      'are there for the site too',
      { SITE_URL: 'http://localhost:5173/' },
      'localhost',
      ['http://localhost:3000', 'http://localhost:5173'],
    ],
    ['are off where an empty text says so', { PASSKEY_RP_ID: '' }, '', []],
    ['are off at another host', { BASE_URL: 'http://gatehouse:3000' }, '', []],
    ['are off without mails', { MAIL_FROM: '' }, '', []],
    [
      'are those of a domain',
      { ...passkeys('example.com'), BASE_URL: 'https://auth.example.com' },
      'example.com',
      ['https://example.com', 'https://auth.example.com'],
    ],
  ])('%s', (_, env, rpId, origins) => {
    const settings = readAllSettings(env)
    expect(settings.PASSKEY_RP_ID).toBe(rpId)
    expect(passkeyOrigins(settings, settings.BASE_URL || 'http://localhost:3000')).toEqual(origins)
    expect(settingsWarnings(settings, env, settings.BASE_URL)).toEqual([])
  })

  test.each([
    [{ BASE_URL: 'http://gatehouse:3000', PASSKEY_RP_ID: 'localhost' }],
    [{ BASE_URL: 'http://127.0.0.1:3000', PASSKEY_RP_ID: 'localhost' }],
  ])('are not localhost’s at another host (%j)', env => {
    expect(() => readAllSettings(env)).toThrow(/^PASSKEY_RP_ID must not be localhost, because BASE_URL is '[^\n]*'$/)
  })
})
