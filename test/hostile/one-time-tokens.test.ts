import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashToken, tokenAttributes } from '../../accounts/token/token.ts'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import { type Person, startTarget } from '../support/attack/target.ts'
import { holds, seed } from '../support/property.ts'

/** One-time tokens that are spent, expired, replaced, another person's or invented. */

const target = startTarget()
const newPassword = 'battery staple'
target.secrets.add(newPassword)

const kinds = {
  verification: {
    ask: 'resend-verification',
    spend: (token: unknown) => target.post('/auth/verify-email', { token }),
    refusal: 'Invalid or expired verification token',
  },
  reset: {
    ask: 'forgot-password',
    spend: (token: unknown) => target.post('/auth/reset-password', { token, new_password: newPassword }),
    refusal: 'Invalid or expired reset token',
  },
} as const
type Kind = keyof typeof kinds

/** Accounts whose first mail has arrived, one for each test. */
const waiting: Person[] = []
beforeAll(async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => target.register()))
  for (const person of people) await target.mailed(person.email)
  waiting.push(...people)
})

/** A person with a mailed token. */
async function holder(kind: Kind): Promise<{ person: Person; token: string }> {
  const person = waiting.pop()
  if (!person) throw new Error('no person is left')
  return { person, token: await another(kind, person) }
}

async function another(kind: Kind, { email }: Person): Promise<string> {
  const before = (await target.mailed(email, 0)).length
  await target.post(`/auth/${kinds[kind].ask}`, { email })
  return (await target.mailed(email, before + 1)).at(-1) ?? ''
}

describe.each(Object.keys(kinds) as Kind[])('a %s token', kind => {
  const { spend, refusal } = kinds[kind]
  const expectRefused = async (token: unknown) => {
    const { status, body } = await spend(token)
    expect([status, body.detail]).toEqual([400, refusal])
  }

  test('works once', async () => {
    const { token } = await holder(kind)
    expect((await spend(token)).status).toBe(200)
    await expectRefused(token)
  })

  test('works once when it is spent ten times at once', async () => {
    const { token } = await holder(kind)
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await spend(token)).status))
    expect(statuses.sort()).toEqual([200, ...Array(9).fill(400)])
  })

  test('does not work in any other spelling, which changes nothing', async () => {
    const { person, token } = await holder(kind)
    const before = await target.users.find(person.email)
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const sibling = last[last.indexOf(token.at(-1) ?? '') ^ 1] ?? ''
    for (const other of [
      token.slice(0, -1),
      token.slice(1),
      `${token}A`,
      `${token}=`,
      ` ${token}`,
      `${token}\n`,
      `${token}\0`,
      token.toLowerCase(),
      token.slice(0, -1) + sibling,
      Buffer.from(token, 'base64url').toString('base64'),
      Buffer.from(token, 'base64url').toString('hex'),
      hashToken(token),
      before?.[tokenAttributes[kind].hash],
      `${token},${token}`,
      '',
    ]) {
      if (other !== token) await expectRefused(other)
    }
    expect(await target.users.find(person.email)).toEqual(before)
    expect((await spend(token)).status).toBe(200)
  })

  test('does not stand in for the other kind', async () => {
    const { person, token } = await holder(kind)
    const before = await target.users.find(person.email)
    const other = kind === 'reset' ? kinds.verification : kinds.reset
    const { status, body } = await other.spend(token)
    expect([status, body.detail]).toEqual([400, other.refusal])
    expect(await target.users.find(person.email)).toEqual(before)
  })

  test('stops working when a newer one is mailed, when it expires, and when its account is deleted', async () => {
    const { person, token } = await holder(kind)
    const second = await another(kind, person)
    await expectRefused(token)

    const { expires } = tokenAttributes[kind]
    await target.users.change(person.email, { [expires]: new Date(Date.now() - 1).toISOString() })
    await expectRefused(second)

    const third = await another(kind, person)
    const item = (await target.users.find(person.email)) ?? {}
    await target.users.remove(person.email)
    await expectRefused(third)
    await target.register(person)
    await expectRefused(third)
    expect((await target.users.find(person.email))?.id).not.toBe(item.id)
  })

  test(`cannot be guessed (seed ${seed})`, () =>
    holds(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String()), expectRefused, 60))
})

testAfterAttack(target)
