import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { checkTable, type Setting } from '../../../infra/settings/setting.ts'
import { readSettings, type Settings, settingsTable } from '../../../infra/settings/settings.ts'
import { localSettingsTable, readAllSettings, serviceSettingsTable } from '../../../local/local-settings.ts'
import { memberOf, readConfig, settingNames } from '../../../shared/base/config.ts'
import { variables } from '../../support/stack/variables.ts'
import { alsoRequired, cases } from './cases.ts'
import { refusalOf } from './refusal.ts'

type Name = keyof Settings

const withRequired = (name: Name, env: Record<string, string>) => ({ ...alsoRequired[name], ...env })

describe('each setting', () => {
  test.each(cases)('%s has a default, which an empty text leaves', (name, { unset }) => {
    for (const env of [{}, { [name]: '' }, { [name]: ' ' }]) expect(readSettings(env)[name]).toEqual(unset)
  })

  const goodOnes = cases.flatMap(([name, { good }]) => good.map(([text, value]) => [name, text, value] as const))
  test.each(goodOnes)("%s takes '%s'", (name, text, value) => {
    expect(readSettings(withRequired(name, { [name]: text }))[name]).toEqual(value)
  })

  const badOnes = cases.flatMap(([name, { bad }]) => bad.map(text => [name, text] as const))
  test.each(badOnes)("%s does not take '%s', and says what is expected", (name, text) => {
    const { expected, isHidden }: Setting<unknown> = settingsTable[name]
    const refusal = `${name} must be ${expected}${isHidden ? ': ' : `, not '${text}'`}`
    expect(refusalOf(withRequired(name, { [name]: text })).slice(0, refusal.length)).toBe(refusal)
  })

  test.each(cases)('%s may be written in any case', (name, { good: [[text, value] = ['', '']] }) => {
    expect(readSettings(withRequired(name, { [name.toLowerCase()]: text }))[name]).toEqual(value)
  })

  /** Settings that the stack hands to functions as they are, by text; the others have tests of their own. */
  const asSet = settingNames.flatMap(name => {
    const [, setting] = cases.find(([other]) => other === name) ?? []
    return setting && !['OIDC_CLIENTS', 'SIGN_IN_PROVIDERS'].includes(name) ? [[name, setting] as const] : []
  })
  test.each(asSet)('functions tell %s from its default', (name, { unset, good }) => {
    const read = (value: unknown) => readConfig({ ...variables, [name]: String(value) })[memberOf(name)]
    const others = good.filter(([, value]) => !isDeepStrictEqual(value, unset))
    expect(others.length).toBeGreaterThan(0)
    for (const [, value] of others) expect(read(value)).not.toEqual(read(unset))
  })

  test.each(cases)('%s is explained by sentences', name => {
    expect(settingsTable[name].meaning).toMatch(/^[A-Z`].*\.$/)
  })
})

describe('a list in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lists-'))

  /** The settings with a list in a file, in lines. */
  function inFile(name: Name, text: string): Record<string, string> {
    writeFileSync(join(folder, 'list.json'), text)
    return withRequired(name, { INIT_CWD: folder, [name]: '@list.json' })
  }
  const isJson = (text: string): boolean => /^\s*[[{]/.test(text)
  const lists = cases.filter(([name]) => 'isList' in settingsTable[name])

  test('may stand for each setting whose value is JSON, and for no other', () => {
    const inJson = cases.filter(([, { good }]) => good.every(([text]) => isJson(text)))
    expect(lists.map(([name]) => name)).toEqual(inJson.map(([name]) => name))
    const namesIn = (table: Record<string, Setting<unknown>>) => Object.keys(table).filter(name => table[name]?.isList)
    expect(namesIn({ ...serviceSettingsTable, ...localSettingsTable })).toEqual(namesIn(settingsTable))
    const others = cases.map(([name]) => name).filter(name => !('isList' in settingsTable[name]))
    const env = Object.fromEntries(others.map(name => [name, '@list.json']))
    expect(checkTable(settingsTable, env, {}, { folder, prefix: '', isClosed: false }).files).toEqual({})
  })

  const goodOnes = lists.flatMap(([name, { good }]) => good.map(([text, value]) => [name, text, value] as const))
  test.each(goodOnes)('is what it is on one line: %s, %s', (name, text, value) => {
    const env = inFile(name, `\ufeff${JSON.stringify(JSON.parse(text), null, 2).replaceAll('\n', '\r\n')}\r\n`)
    expect(readSettings(env)[name]).toEqual(value)
    expect(readAllSettings(env)[name]).toEqual(value)
    expect(readSettings({ ...env, [name]: `@${join(folder, 'list.json')}`, INIT_CWD: '/' })[name]).toEqual(value)
  })

  const badOnes = lists.flatMap(([name, { bad }]) => bad.map(text => [name, text] as const))
  test.each(badOnes)('is refused by its name, as one on one line is: %s, %s', (name, text) => {
    const [start, reason] = refusalOf(withRequired(name, { [name]: text })).split(/(?<=^[^:]*): /)
    const isSyntax = reason === 'it is not a JSON array' && !isJson(text.replace(/^\[$/, ''))
    expect(refusalOf(inFile(name, text))).toMatch(
      isSyntax ? `${start}: list.json, line 1, column ` : `${start}: list.json: ${reason}`,
    )
  })

  test('is named where an entry does not fit another setting', () => {
    const entry = { id: 'gatehouse', name: 'App', redirects: ['https://app.example.com/'] }
    expect(refusalOf(inFile('OIDC_CLIENTS', JSON.stringify([entry])))).toMatch(
      /^OIDC_CLIENTS: list\.json: gatehouse: id must not be that of access tokens/,
    )
  })
})

describe('a path that one types', () => {
  const paths = Object.entries<Setting<unknown>>(localSettingsTable).filter(([, { expected }]) => expected === 'a path')

  test.each(paths)('is of the folder in which one stands: %s', (name, { fallback, isPath }) => {
    expect(isPath).toBe(true)
    const read = (text: string) =>
      checkTable(localSettingsTable, { INIT_CWD: '/there', [name]: text }).values[
        name as keyof typeof localSettingsTable
      ]
    expect(['a/b', '../a', '/a', ''].map(read)).toEqual(['/there/a/b', '/a', '/a', fallback])
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

test('another default can take the place of the table’s own', () => {
  const local = { MAIL_FROM: 'Gatehouse <no-reply@localhost>', BCRYPT_COST: '10' }
  const read = (env: Record<string, string>) => checkTable(settingsTable, env, local).values
  expect(read({})).toMatchObject({ MAIL_FROM: local.MAIL_FROM, BCRYPT_COST: 10 })
  expect(read({ MAIL_FROM: '', BCRYPT_COST: '' })).toMatchObject({ MAIL_FROM: '', BCRYPT_COST: 10 })
})

test.each([
  ['pl', /of en\b[^\n]*: there is no pl$/],
  ['en,EN', /: EN is repeated$/],
  ['en,,en', /: a tag is empty$/],
  // Only on one machine.
  ['en,en-XA', /: there is no en-XA$/],
])('a bad list of languages is refused with reason and possible ones: %s', (languages, reason) => {
  expect(refusalOf({ LANGUAGES: languages })).toMatch(reason)
})

test('on one machine the languages that nobody speaks can be offered too', () => {
  expect(readAllSettings({ LANGUAGES: 'en,ar-xb,EN-XA' }).LANGUAGES).toEqual(['en', 'ar-XB', 'en-XA'])
  expect(() => readAllSettings({ LANGUAGES: 'en,pl' })).toThrow(/en-XA, ar-XB, not 'en,pl': there is no pl$/)
})

test.each<[string, Record<string, string>, number[]]>([
  ['are those that the guide names', {}, [3000, 3001, 3002]],
  ['all move with the first', { PORT: '4000' }, [4000, 4001, 4002]],
  ['stay where they are set', { PORT: '4000', INBOX_PORT: '5000', PROVIDER_PORT: '' }, [4000, 5000, 4002]],
  ['are any that are free', { PORT: '0' }, [0, 0, 0]],
  ['are any that are free where none come after', { PORT: '65534' }, [65534, 65535, 0]],
])('the ports of npm start %s', (_, env, ports) => {
  const { PORT, INBOX_PORT, PROVIDER_PORT } = readAllSettings(env)
  expect([PORT, INBOX_PORT, PROVIDER_PORT]).toEqual(ports)
})

test('a bad port is refused once', () => {
  expect(() => readAllSettings({ PORT: 'http' })).toThrow(/^PORT must be a port [^\n]*$/)
})

test('a bad rate limit is refused with the reason', () => {
  expect(refusalOf({ RATE_LIMITS: 'login=5/minute,logn=5/minute' })).toMatch(
    /: there is no limit 'logn': they are [^\n]*login/,
  )
})
