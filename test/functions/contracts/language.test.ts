import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import type { EndpointName } from '../../../api/routes.ts'
import { holds } from '../../support/property.ts'
import { bearer, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find, register } from '../../support/service/people.ts'
import { withProvider } from '../../support/service/provider-logins.ts'
import { complaints } from './refusals.ts'

const harness = createHarness()
beforeEach(() => {
  harness.config.languages = ['en', 'de', 'fr']
})

/** What the API accepts as a body's language, in JSON; the last is one character too long. */
const malformed = [
  '',
  'de_AT',
  'de AT',
  ' de',
  'd\u00e9',
  'de\0',
  '*',
  '\ud800',
  '🇩🇪',
  'ｄｅ',
  'x'.repeat(36),
  1,
  true,
  [],
  ['de'],
  {},
]

const item = async (): Promise<Partial<AccountItem>> => (await harness.accountItems())[0] ?? {}
const open = async (language: object, accept?: string) =>
  send(harness, 'register', {
    body: { ...ada, ...language },
    headers: accept === undefined ? {} : { 'accept-language': accept },
  })
const update = async (body: object) => send(harness, 'update-me', { body, headers: await bearer(harness) })
const me = async () => (await send(harness, 'get-me', { headers: await bearer(harness) })).body

describe('while no languages are offered', () => {
  beforeEach(() => {
    harness.config.languages = []
  })

  test.each<EndpointName>(['register', 'update-me'])('a member of %s is unknown, whatever its type', async name => {
    if (name === 'update-me') await register(harness)
    for (const language of [...malformed, 'de', null]) {
      const answer = name === 'register' ? await open({ language }, 'de') : await update({ language })
      expect(answer.status, String(language)).toBe(name === 'register' ? 201 : 200)
      expect(Object.keys(answer.body)).toEqual(['id', 'email', 'name', 'is_admin', 'is_verified', 'created_at'])
      expect(await item()).not.toHaveProperty('language')
      if (name === 'register') await harness.clear()
    }
  })

  test('a language that was chosen before is not answered, and stays', async () => {
    harness.config.languages = ['en', 'de']
    await open({ language: 'de' })
    harness.config.languages = []
    expect(await me()).not.toHaveProperty('language')
    expect((await update({ name: 'Countess' })).body).not.toHaveProperty('language')
    expect(await item()).toMatchObject({ language: 'de' })
  })
})

/** The languages in a request to open an account, and the account's then. */
const openings: readonly [said: string, language: object, accept: string | undefined, chosen: string | null][] = [
  ['an offered one', { language: 'de' }, undefined, 'de'],
  ['one that leads to an offered one, in any case', { language: 'DE-at' }, undefined, 'de'],
  ['another than the field', { language: 'de' }, 'fr', 'de'],
  ['one that is not offered, as apps send what browsers say', { language: 'pl' }, undefined, null],
  ['one that is not offered, and the field another', { language: 'pl' }, 'fr-CA, de;q=0.9', 'fr'],
  ['one that only begins like an offered one', { language: 'den' }, undefined, null],
  ['one of 35 characters', { language: `de-${'x'.repeat(8)}-${'x'.repeat(23)}` }, undefined, null],
  ['null, and the field', { language: null }, 'de', 'de'],
  ['nothing, and the field', {}, 'de;q=0.5, fr', 'fr'],
  ['nothing, and the field what is not offered', {}, 'pl', null],
  ['nothing, and the field anything', {}, '*', null],
  ['nothing at all', {}, undefined, null],
]

describe('register', () => {
  test.each(openings)('by %s', async (_, language, accept, chosen) => {
    const answer = await open(language, accept)
    expect(answer.status).toBe(201)
    expect(Object.entries(answer.body).at(-1)).toEqual(['language', chosen])
    expect((await item()).language ?? null).toBe(chosen)
    expect(await item()).not.toHaveProperty('language_until')
    expect((await me()).language).toBe(chosen)
  })

  test('refuses what is no tag, and opens no account', async () => {
    for (const language of malformed) {
      const { status, body } = await open({ language }, 'de')
      expect([status, body.errors?.[0].pointer], String(language)).toEqual([422, '/language'])
    }
    expect(await harness.items('Accounts')).toEqual([])
  })
})

describe('provider-login', () => {
  const { proof } = withProvider(harness)
  const openBy = (language: object, accept?: string) =>
    send(harness, 'provider-login', {
      body: { ...proof(), ...language },
      headers: accept === undefined ? {} : { 'accept-language': accept },
    })

  test.each(openings)('opens an account by %s', async (_, language, accept, chosen) => {
    expect(await openBy(language, accept)).toMatchObject({ status: 200 })
    expect(await find(harness)).toMatchObject({ language: chosen, languageUntil: null })
  })

  test('leaves the language of an account that is there', async () => {
    await openBy({ language: 'de' })
    expect(await openBy({ language: 'fr' }, 'fr')).toMatchObject({ status: 200 })
    expect(await find(harness)).toMatchObject({ language: 'de' })
  })

  test('refuses what is no tag, before it asks the provider', async () => {
    for (const language of malformed) {
      const { status, body } = await openBy({ language }, 'de')
      expect([status, body.errors?.[0].pointer], String(language)).toEqual([422, '/language'])
    }
    expect(await harness.items('Accounts')).toEqual([])
  })

  test('knows no such member while no languages are offered', async () => {
    harness.config.languages = []
    for (const language of [...malformed, 'de']) {
      expect(await openBy({ language }, 'de')).toMatchObject({ status: 200 })
      expect(await find(harness)).toMatchObject({ language: null })
    }
  })
})

describe('update-me', () => {
  test.each([
    ['an offered one', { language: 'de' }, 'de'],
    ['one that leads to an offered one, in any case', { language: 'DE-at' }, 'de'],
    ['null', { language: null }, 'fr'],
    ['nothing', { name: 'Countess' }, 'fr'],
  ])('takes %s', async (_, body, language) => {
    await open({ language: 'fr' })
    const answer = await update(body)
    expect([answer.status, answer.body.language]).toEqual([200, language])
    expect(Object.keys(answer.body).at(-1)).toBe('language')
    expect((await item()).language).toBe(language)
  })

  test('refuses what leads to no offered language, and changes nothing', async () => {
    await open({ language: 'fr' })
    const before = await item()
    for (const language of [...malformed, 'pl', 'den', 'x-de'])
      expect(await complaints(harness, 'update-me', { name: 'Countess', language }), String(language)).toEqual([
        422,
        ['/language'],
      ])
    expect(await item()).toEqual(before)
    expect((await update({ language: 'pl' })).body).toMatchObject({
      code: 'invalid-body',
      detail: "'language' must be one of en, de, fr",
      errors: [{ pointer: '/language', detail: 'must be one of en, de, fr' }],
    })
  })

  test('writes name and language at once: in one write, or in none', async () => {
    await open({ language: 'fr' })
    harness.calls.length = 0
    await update({ name: 'Countess', language: 'de' })
    expect(harness.calls.filter(call => call.startsWith('Update') && call.endsWith('Accounts'))).toHaveLength(1)
    const written = await item()
    expect(written).toMatchObject({ name: 'Countess', language: 'de', language_before: 'fr' })
    const headers = await bearer(harness)
    harness.beforeCall = command => {
      if (command === 'UpdateItem') harness.broken = 'Accounts'
    }
    expect((await send(harness, 'update-me', { body: { name: 'Eve', language: 'en' }, headers })).status).toBe(503)
    Object.assign(harness, { broken: null, beforeCall: () => {} })
    expect(await item()).toEqual(written)
  })

  test('writes nothing for the present language, by any tag', async () => {
    await open({ language: 'de' })
    const before = await item()
    harness.advance(1000)
    expect((await update({ language: 'de-AT' })).body.language).toBe('de')
    expect(await item()).toEqual(before)
  })

  test('of an account whose language is offered no more is a change from the default', async () => {
    await open({ language: 'fr' })
    harness.config.languages = ['de', 'en']
    expect((await me()).language).toBeNull()
    expect((await item()).language).toBe('fr')
    await update({ language: 'en' })
    expect(await item()).toMatchObject({ language: 'en', language_before: 'de' })
  })

  test('leaves a language that is not offered for a while as it is', async () => {
    await open({ language: 'fr' })
    harness.config.languages = ['en']
    await update({ name: 'Countess' })
    harness.config.languages = ['en', 'de', 'fr']
    expect((await me()).language).toBe('fr')
    expect(await item()).not.toHaveProperty('language_until')
  })
})

describe('whatever is sent', () => {
  const texts = fc.oneof(
    fc.constantFrom('de', 'DE-at', 'pl', '*', 'de;q=0', 'constructor', '__proto__', 'x'.repeat(8000)),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.stringMatching(/^[A-Za-z0-9-]{1,36}$/),
  )
  const languages = fc.oneof(texts, fc.jsonValue({ stringUnit: 'binary', maxDepth: 2 }) as fc.Arbitrary<unknown>)
  const isTag = (language: unknown) => typeof language === 'string' && /^[A-Za-z0-9-]{1,35}$/.test(language)

  test('register answers with an offered language, or none, or refuses what is no tag', () =>
    holds(fc.tuple(languages, texts), async ([language, accept]) => {
      await harness.clear()
      const { status, body } = await open({ language }, accept)
      expect(status).toBe(language === null || isTag(language) ? 201 : 422)
      if (status === 201) expect([null, 'en', 'de', 'fr']).toContain(body.language)
    }))

  test('update-me answers with an offered language, or refuses what leads to none', async () => {
    await open({ language: 'fr' })
    harness.config.rateLimits = null
    await holds(languages, async language => {
      const { status, body } = await update({ language })
      if (status === 200) expect(body.language).toBe((await find(harness)).language)
      else expect([status, body.errors[0].pointer]).toEqual([422, '/language'])
      expect(['en', 'de', 'fr']).toContain((await find(harness)).language)
    })
  })
})
