import { describe, expect, test } from 'vitest'
import { readSettings, settingsTable } from '../../../infra/settings/settings.ts'
import { deployWarnings, nearNames, settingsWarnings } from '../../../infra/settings/warnings.ts'
import { localSettingsTable } from '../../../local/local-settings.ts'
import { languages } from '../../../shared/words/languages.ts'
import type { Words } from '../../../shared/words/words.ts'

describe('a warning', () => {
  const warningsOf = (env: Record<string, string>) => settingsWarnings(readSettings(env), env)

  test('is not given for the defaults', () => {
    expect(warningsOf({})).toEqual([])
  })

  const withMails = { MAIL_FROM: 'no-reply@example.com' }
  const listedDomain = { SIGN_UP_DOMAINS: 'example.com', REQUIRE_EMAIL_VERIFICATION: 'true', ...withMails }

  const page = { id: 'app', name: 'App', redirects: ['https://app.example.com/callback'] }
  const onLocalhost = { ...page, redirects: ['http://localhost:8000/callback'] }
  const inApps = { ...page, redirects: ['http://127.0.0.1/', 'com.example.app:/'] }
  const secrets = ['0'.repeat(64)]
  const elsewhere = { CORS_ORIGINS: 'https://other.example.com' }
  const listed = (...clients: object[]) => ({ OIDC_CLIENTS: JSON.stringify(clients) })

  test.each<[Record<string, string>, string]>([
    [{ require_email_verification: 'yes' }, "'yes', neither true nor false: it counts as false"],
    [{ REQUIRE_EMAIL_VERIFICATION: 'true' }, 'nobody can verify their address'],
    [{ SIGN_UP: 'invited' }, 'nobody can be invited'],
    // Only operators let this administrator in.
    [
      { SIGN_UP: 'invited', ...withMails, ADMIN_EMAIL: 'ada@example.com' },
      'Invite it, then run npm run users -- admin',
    ],
    [{ ...listedDomain, ADMIN_EMAIL: 'ada@sub.example.com' }, 'Invite it, then run npm run users -- admin'],
    [{ ADMIN_EMAIL: 'ada@example.com' }, 'anyone who registers that address'],
    // The API's own pages cannot use these passkeys.
    [
      { PASSKEY_RP_ID: 'example.com', SITE_URL: 'https://example.com', ...withMails },
      'its own pages, the account page among them, have no passkeys',
    ],
    [{ ...listed(page), ...elsewhere }, 'app is public, but CORS_ORIGINS lacks https://app.example.com'],
    [listed({ ...page, secrets, pkce: 'optional' }), 'OIDC_CLIENTS: app may leave PKCE out (ASVS 10.4.6)'],
    [{ ...listed(onLocalhost), STAGE: 'staging' }, 'app lists http://localhost:8000/callback'],
  ])('is given for %j', (env, words) => {
    expect(warningsOf(env)).toEqual([expect.stringContaining(words)])
  })

  test.each(Object.entries<Words>(languages))(
    'is given for %s alone while no native reader has read it',
    (tag, { read }) => {
      const warning = expect.stringContaining(`LANGUAGES offers ${tag}, which no native reader has read`)
      expect(warningsOf({ LANGUAGES: tag })).toEqual(read === null ? [warning] : [])
    },
  )

  test.each([
    ['that keeps a secret', { ...listed({ ...page, secrets }), ...elsewhere }],
    ['whose pages may call the API', { ...listed(page), CORS_ORIGINS: 'https://app.example.com' }],
    ['whose pages any origin has', listed(page)],
    ['on localhost while it is made', listed(onLocalhost)],
    ['that is no page', { ...listed(inApps), ...elsewhere }],
  ])('is not given for an application %s', (_, env) => {
    expect(warningsOf(env)).toEqual([])
  })

  test('is not given when verification has what it needs', () => {
    const env = { REQUIRE_EMAIL_VERIFICATION: 'true', MAIL_FROM: 'a@example.com', ADMIN_EMAIL: 'ada@example.com' }
    expect(warningsOf(env)).toEqual([])
  })
})

test('a warning names the variable that counts', () => {
  const env = { require_email_verification: 'yes', REQUIRE_EMAIL_VERIFICATION: '' }
  expect(settingsWarnings(readSettings(env), env)).toEqual([expect.stringMatching(/ is 'yes', neither /)])
})

test.each([
  [{}, ['a page of any origin']],
  [{ CORS_ORIGINS: '*' }, ['a page of any origin']],
  [{ CORS_ORIGINS: 'https://app.example.com' }, []],
  [{ CORS_ORIGINS: 'https://app.example.com', MAIL_FROM: 'a@example.com' }, ['neither requires TLS']],
  [{ CORS_ORIGINS: 'https://app.example.com', MAIL_FROM: 'a@example.com', SES_IDENTITY: 'example.com' }, []],
])('a deploy with %j has its warnings', (env, words) => {
  expect(deployWarnings(readSettings(env))).toEqual(words.map(each => expect.stringContaining(each)))
})

const known = Object.keys({ ...settingsTable, ...localSettingsTable })

describe('a name in the environment', () => {
  test.each([
    ['ACCES_TOKEN_EXPIRE_MINUTES', 'ACCESS_TOKEN_EXPIRE_MINUTES'],
    ['MAILFROM', 'MAIL_FROM'],
    ['MAIL_FORM', 'MAIL_FROM'],
    ['STGE', 'STAGE'],
    ['DATADIR', 'DATA_DIR'],
    ['cors_origin', 'CORS_ORIGINS'],
  ])('%s gets a warning that tells of %s', (name, meant) => {
    expect(nearNames({ [name]: '1' }, known)).toEqual([
      `${name.toUpperCase()} is not a setting. Did you mean ${meant}?`,
    ])
  })

  test.each([...known, ...known.map(name => name.toLowerCase())])('%s gets none', name => {
    expect(nearNames({ [name]: '1' }, known)).toEqual([])
  })

  test('gets none when it is of another program', () => {
    const others =
      'PATH HOME HOSTNAME HOSTTYPE USER MAIL SHELL PWD LANG TERM EDITOR CI NODE_ENV JAVA_HOME XDG_DATA_DIRS'
    const clouds = 'AWS_REGION AWS_PROFILE CDK_OUTDIR GITHUB_TOKEN RUNNER_TEMP DOCKER_HOST SSH_AUTH_SOCK BASE_URL'
    expect(nearNames(Object.fromEntries(`${others} ${clouds}`.split(' ').map(name => [name, '1'])), known)).toEqual([])
  })
})
