import { beforeEach, describe, expect, test } from 'vitest'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { bearer, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, find } from '../../support/service/people.ts'
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

  test('a body’s member is unknown, whatever its type', async () => {
    for (const language of [...malformed, 'de', null]) {
      const answer = await open({ language }, 'de')
      expect(answer.status, String(language)).toBe(201)
      expect(Object.keys(answer.body)).toEqual(['id', 'email', 'name', 'is_admin', 'is_verified', 'created_at'])
      expect(await item()).not.toHaveProperty('language')
      await harness.clear()
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

describe('register', () => {
  test.each<[said: string, language: object, accept: string | undefined, chosen: string | null]>([
    ['an offered one', { language: 'de' }, undefined, 'de'],
    ['one that leads to an offered one, in any case', { language: 'DE-at' }, undefined, 'de'],
    ['another than the field', { language: 'de' }, 'fr', 'de'],
    ['one that is not offered, as apps send what browsers say', { language: 'pl' }, undefined, null],
    ['one that is not offered, and the field another', { language: 'pl' }, 'fr-CA, de;q=0.9', 'fr'],
    ['one of 35 characters', { language: `de-${'x'.repeat(8)}-${'x'.repeat(23)}` }, undefined, null],
    ['null, and the field', { language: null }, 'de', 'de'],
    ['nothing, and the field', {}, 'de;q=0.5, fr', 'fr'],
    ['nothing at all', {}, undefined, null],
  ])('by %s', async (_, language, accept, chosen) => {
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

  test('opens an account by the body’s language before the field’s, and changes none', async () => {
    for (const language of ['de', 'fr']) {
      const headers = { 'accept-language': 'en' }
      const answer = await send(harness, 'provider-login', { body: { ...proof(), language }, headers })
      expect(answer.status).toBe(200)
      expect(await find(harness)).toMatchObject({ language: 'de', languageUntil: null })
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
