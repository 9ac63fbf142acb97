import { describe, expect, test } from 'vitest'
import { goals } from '../api/goals.ts'
import { operations } from '../api/openapi/operations.ts'
import { conditions } from '../api/openapi/problems.ts'
import { type Route, routes } from '../api/routes.ts'
import { settingsTable } from '../infra/settings/settings.ts'
import { openSearch, type Place } from '../reference/client/find.ts'
import { phrases } from '../reference/client/phrases.ts'
import { prose } from '../reference/prose.ts'
import { advice, refusals, titles } from '../shared/base/errors.ts'
import { html } from '../shared/prebuilt/markup.ts'
import { referenceFile } from '../shared/prebuilt/whole-page.ts'
import { document } from './support/api/openapi.ts'
import { builtPage } from './support/built-page.ts'

const built = builtPage(referenceFile)?.html ?? ''
/** Without the break opportunities in names. */
const page = built.replaceAll('<wbr>', '')
const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)

/** The element with an id. It contains no other of its name. */
const partAt = (id: string): string => new RegExp(`<(\\w+)[^>]* id="${id}".*?</\\1>`, 's').exec(page)?.[0] ?? ''
const shown = ({ markup }: ReturnType<typeof prose>) => markup.replaceAll(/<[^>]+>/g, '')

test('every id is there once, and every link within the page leads to one', () => {
  expect(ids).toEqual([...new Set(ids)])
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id)
  expect([...new Set(targets)].filter(id => !ids.includes(id))).toEqual([])
})

test('the start shows how to log in, and a shape is called by its name', () => {
  const start = page.slice(page.indexOf('id="access-token"'))
  expect(start.slice(0, start.indexOf('</section>'))).toContain('/auth/login')
  expect(page).not.toContain('#/components/')
})

test('the navigation leads to every goal and chapter', () => {
  const navigation = page.slice(page.indexOf('<aside'), page.indexOf('</aside>'))
  const headings = [...page.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id).filter(id => id !== 'access-token')
  expect(headings.length).toBeGreaterThan(Object.keys(goals).length)
  expect(headings.filter(id => !navigation.includes(`href="#${id}"`))).toEqual([])
})

test('names may break between their words', () => {
  const names = ['PASSWORD_<wbr>BLOCKLIST', 'User<wbr>Response', 'access_<wbr>token']
  expect(names.filter(name => !built.includes(name))).toEqual([])
})

test('every row that is no page has a goal, and every goal a row', () => {
  const rows = Object.entries<Route>(routes)
  expect(rows.filter(([, { goal, reply }]) => (goal === undefined) !== (reply === 'page'))).toEqual([])
  expect(Object.keys(goals).filter(goal => !rows.some(([, row]) => row.goal === goal))).toEqual([])
})

describe('an operation', () => {
  const described = operations.filter(({ path, row }) => path !== row.also)

  /** Operations that need an authenticator's members. Others accept them in place of a password, which their examples have. */
  const ofAuthenticators = ['passkey-login', 'confirm-passkey']

  test.each(described)('has its place, its errors, its body and its examples: $name', ({ name, path, codes, row }) => {
    const part = partAt(name)
    expect(part).toContain(`<code>${path}</code>`)
    for (const code of codes) expect(part).toContain(`href="#code-${code}"`)
    if (row.body) expect(part).toContain(`href="#shape-${row.body}"`)
    const kinds = row.ownPages || ofAuthenticators.includes(name) ? [] : ['in-curl', 'in-fetch', 'in-python']
    expect([...part.matchAll(/class="snippet (in-\w+)"/g)].map(([, kind]) => kind)).toEqual(kinds)
  })

  test('has the status that it answers a code with', () => {
    const statusIn = (name: string) => /#code-wrong-code.*?class="note">(\d+)/s.exec(partAt(name))?.[1]
    expect(['login', 'delete-account'].map(statusIn)).toEqual(['401', '400'])
  })

  test('has its answer read in one way in all languages, and not always as JSON', () => {
    const ways = described.map(({ name }) => [
      ...new Set([...partAt(name).matchAll(/response\.(json|text)\b/g)].map(([, way]) => way)),
    ])
    expect(ways.filter(({ length }) => length > 1)).toEqual([])
    expect(ways.flat()).toContain('text')
  })

  test('is called as somebody without a second factor calls it, if they can', () => {
    const example = (name: string) => partAt(name).slice(partAt(name).indexOf('class="snippet in-curl"'))
    const withCode = described.map(({ name }) => name).filter(name => example(name).includes('492039'))
    expect(withCode).toEqual([
      'set-up-second-factor',
      'confirm-second-factor',
      'renew-recovery-codes',
      'remove-second-factor',
    ])
  })

  test('tells the settings that change it, those of its mails too', () => {
    expect(partAt('login')).toContain('href="#setting-REQUIRE_EMAIL_VERIFICATION"')
    expect(partAt('forgot-password')).toContain('href="#setting-SITE_URL"')
    expect(partAt('get-module')).not.toContain('href="#setting-')
  })
})

test.each(Object.keys(refusals) as (keyof typeof refusals)[])('the code %s has its cause, and what to do', code => {
  const [status, text] = refusals[code]
  const part = partAt(`code-${code}`)
  expect(part).toContain(`<td>${status} ${titles[status]}</td>`)
  expect(part).toContain(html`${text}`.markup)
  const said = part.replaceAll(/<[^>]+>/g, '')
  expect(said).toContain(shown(prose(advice[code], { anchors: new Map() })))
  expect(said).toContain(conditions[code] ?? '')
})

test('every shape of the document has its place, with every member', () => {
  for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
    const part = partAt(`shape-${name}`)
    const missing = Object.keys(properties).filter(member => !part.includes(`<code>${member}</code>`))
    expect({ name, isThere: part !== '', missing }).toEqual({ name, isThere: true, missing: [] })
  }
})

test('every limit is shown', () => {
  for (const { row, rowName } of operations.filter(({ row }) => row.limit))
    expect(page).toMatch(new RegExp(`href="#${rowName}">[^<]+</a></th><td>${row.limit} requests in 60 seconds`))
})

test('a setting is explained as in the table of settings', () => {
  const { meaning } = settingsTable.PASSWORD_BLOCKLIST
  expect(partAt('setting-PASSWORD_BLOCKLIST').replaceAll(/<[^>]+>/g, '')).toContain(
    shown(prose(meaning, { anchors: new Map() })),
  )
})

test('people’s phrases are of places that are there', () => {
  const named = [...page.matchAll(/\sid="([^"]+)" data-kind=/g)].map(([, id = '']) => id)
  expect(Object.keys(phrases).filter(id => !named.includes(id))).toEqual([])
})

/** Phrases of people by the places of which one is meant. */
const askedFor: Record<string, string> = {
  'delete-account': 'delete my account, how do I close an account, gdpr',
  'logout-everywhere': 'log out all devices, sign out everywhere',
  'absent-webhooks': 'webhook, notify my server of a new user',
  'absent-users': 'list all users, admin api',
  'absent-api-keys': 'api key, machine to machine',
  'absent-codes': 'magic link, sms code',
  'code-origin-not-allowed': 'cors error',
  'get-signing-keys': 'how to verify a token, jwks',
  'set-up-second-factor': 'enable 2fa for a user',
  refresh: 'my access token has expired',
  providers: 'sign in with google, log in with github',
  'forgot-password': 'user forgot the password',
  'get-openapi': 'swagger',
  'end-session': 'log out one device',
  'code-account-locked': 'account is locked after wrong passwords',
  undo: 'account taken over',
}

const unseen = [
  ['register', 'create a user'],
  ['register', 'open a new account'],
  ['login', 'log a user in with email and password'],
  ['login get-me', 'get the user id'],
  ['logout', 'log the user out'],
  ['logout-everywhere', 'kick out all other sessions'],
  ['list-sessions', 'which devices is somebody logged in on'],
  ['end-session', 'end a single session'],
  ['change-password', 'let people change their password'],
  ['change-email', 'change the email of an account'],
  ['update-me', 'rename a user'],
  ['verify-email resend-verification', 'confirm an email address'],
  ['resend-verification', 'send the verification email again'],
  ['set-up-passkey confirm-passkey', 'add a passkey to an account'],
  ['passkey-login passkey-login-options', 'log in with a fingerprint'],
  ['providers provider-login sign-in-methods', 'which logins with google'],
  ['disconnect-provider', 'unlink a google account'],
  ['set-up-second-factor', 'show a qr code for an authenticator app'],
  ['renew-recovery-codes', 'generate new backup codes'],
  ['remove-second-factor', 'user lost the authenticator'],
  ['undo', 'account was hacked'],
  ['refresh', 'how long is a token valid and how to renew it'],
  ['get-signing-keys', 'public keys for jwt verification'],
  ['authorize token', 'openid connect authorization code flow'],
  ['code-too-many-requests', 'how many requests per minute'],
  ['code-email-not-verified', 'error that the email is not verified'],
  ['absent-roles', 'user roles and permissions'],
  ['absent-attributes', 'upload an avatar'],
  ['absent-saml', 'saml single sign on'],
  ['get-me list-sessions', 'who is logged in'],
  ['delete-account', 'remove all data of a person'],
  ['absent-users', 'find a user by email'],
] as const

/** What the page's script reads of a place. */
const places = [...page.matchAll(/<(\w+)[^>]*\sid="([^"]+)" data-kind="([^"]*)".*?<\/\1>/gs)].map(
  ([all, , id = '', kind = '']): Place => {
    const textOf = (html = '') => html.replaceAll(/<[^>]+>/g, '').replaceAll('&#8217;', '’')
    const before = page.slice(0, page.indexOf(all))
    return {
      id,
      kind: textOf(kind),
      text: textOf(/class="anchor"[^>]*>(.*?)<\/a>/s.exec(all)?.[1]),
      section: textOf(before.slice(before.lastIndexOf('<h2')).match(/<h2[^>]*>.*?<\/h2>/s)?.[0]),
      content: textOf(all),
    }
  },
)
const find = openSearch(places)
const placesFor = (typed: string) =>
  find(typed)
    .rows.slice(0, 3)
    .map(({ href = '' }) => href.slice(1))

test.each(Object.entries(askedFor).flatMap(([id, asked]) => asked.split(', ').map(typed => [typed, id])))(
  '"%s" finds %s among the first three',
  (typed = '', id) => {
    expect(placesFor(typed)).toContain(id)
  },
)

test.each([
  ['sign up', 'register'],
  ['signup', 'register'],
  ['sign in', 'login'],
  ['forgot', 'forgot-password'],
  ['2fa', 'get-second-factor'],
  ['otp', 'get-second-factor'],
  ['backup codes', 'renew-recovery-codes'],
  ['rate limit', 'code-too-many-requests'],
  ['change address', 'change-email'],
  ['PASSWORD_BLOCK', 'setting-PASSWORD_BLOCKLIST'],
])('"%s" finds %s first', (typed, id) => {
  expect(placesFor(typed)[0]).toBe(id)
})

test('as many places are listed as a person looks through', () => {
  expect(find('a').rows).toHaveLength(30)
})

test('of phrases that the words were not chosen for, at most one in ten misses', () => {
  const missed = unseen.filter(([ids, typed]) => !placesFor(typed).some(id => ids.split(' ').includes(id)))
  expect(missed.length, missed.map(([, typed]) => typed).join()).toBeLessThanOrEqual(unseen.length / 10)
})
