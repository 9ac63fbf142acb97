import { describe, expect, test } from 'vitest'
import { bearer, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, register } from '../../support/service/people.ts'
import { badEmails, badNames, badNewPasswords, detailOf } from './refusals.ts'

const harness = createHarness()

describe('register', () => {
  const body = { ...ada, name: 'Ada' }

  test('opens an account and returns it without its password', async () => {
    const answer = await send(harness, 'register', { body })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'ada@example.com',
      name: 'Ada',
      is_admin: false,
      is_verified: false,
      created_at: '2026-03-01T12:00:00.000Z',
    })
  })

  test.each(['ada@example.com', ' ADA@Example.Com '])('refuses %s when it is registered', async email => {
    await send(harness, 'register', { body })
    expect(await detailOf(send(harness, 'register', { body: { ...body, email } }))).toEqual([
      400,
      'Email already registered',
    ])
  })

  test('marks the configured address an administrator, in any case', async () => {
    const answer = await send(harness, 'register', { body: { ...ada, email: 'ADMIN@example.com' } })
    expect(answer.body).toMatchObject({ email: 'admin@example.com', is_admin: true })
  })

  test('refuses a password under 8 characters', async () => {
    expect(await detailOf(send(harness, 'register', { body: { ...body, password: 'seven77' } }))).toEqual([
      400,
      'Password must be at least 8 characters',
    ])
  })

  test.each([
    ['absent', {}, null],
    ['null', { name: null }, null],
    ['empty', { name: '' }, ''],
    ['200 characters outside the basic plane', { name: '🏰'.repeat(200) }, '🏰'.repeat(200)],
  ])('takes a name that is %s', async (_, name, stored) => {
    const answer = await send(harness, 'register', { body: { ...ada, ...name } })
    expect(answer.status).toBe(201)
    expect(answer.body.name).toBe(stored)
  })

  test.each(['x'.repeat(256), '🔑'.repeat(256), '        ', 'contraseña', '\0\0\0\0\0\0\0\0'])(
    'takes any password of 8 to 256 characters: %#',
    async password => {
      expect((await send(harness, 'register', { body: { ...ada, password } })).status).toBe(201)
      expect((await send(harness, 'login', { body: { ...ada, password } })).status).toBe(200)
    },
  )

  test('counts the characters of a password after its normalisation', async () => {
    const seven = 'é'.repeat(7).normalize('NFD')
    expect(seven).toHaveLength(14)
    expect((await send(harness, 'register', { body: { ...ada, password: seven } })).status).toBe(400)
  })

  test('refuses with 422 what has another shape, by member', async () => {
    await register(harness, { email: 'me@example.com', password: 'correct horse' })
    const headers = await bearer(harness, 'me@example.com')
    const refused = async (changes: object) => {
      const { status, body: problem } = await send(harness, 'register', { body: { ...body, ...changes }, headers })
      return [status, problem.errors?.map(({ pointer }: { pointer: string }) => pointer)]
    }
    for (const email of badEmails) expect(await refused({ email }), String(email)).toEqual([422, ['/email']])
    for (const name of badNames) expect(await refused({ name }), String(name)).toEqual([422, ['/name']])
    for (const password of badNewPasswords) {
      expect(await refused({ password }), String(password)).toEqual([422, ['/password']])
    }
    expect(await refused({ email: 1, password: 1, name: 1 })).toEqual([422, ['/email', '/password', '/name']])
    expect(await harness.accountItems()).toHaveLength(1)
  })

  test('tells what is missing and what is wrong in a sentence', async () => {
    const answer = await send(harness, 'register', { body: { email: 'ada' } })
    expect(answer.body).toEqual({
      type: 'about:blank',
      title: 'Unprocessable Content',
      status: 422,
      detail: "'email' must be an e-mail address, such as ada@example.com (and 1 more)",
      code: 'invalid-body',
      errors: [
        { pointer: '/email', detail: 'must be an e-mail address, such as ada@example.com' },
        { pointer: '/password', detail: 'is required' },
      ],
    })
  })
})
