import { describe, expect, test } from 'vitest'
import { send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada } from '../../support/service/people.ts'

const harness = createHarness()

describe('register', () => {
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
