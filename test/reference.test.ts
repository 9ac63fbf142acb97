import { describe, expect, test } from 'vitest'
import { goals } from '../api/goals.ts'
import { operations } from '../api/openapi/operations.ts'
import { conditions } from '../api/openapi/problems.ts'
import { type Route, routes } from '../api/routes.ts'
import { settingsTable } from '../infra/settings/settings.ts'
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
