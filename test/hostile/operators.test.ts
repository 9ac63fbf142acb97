import { describe, expect, test } from 'vitest'
import type { AccountItem } from '../../accounts/account/attributes.ts'
import { fruitlessBody } from '../support/api/requests.ts'
import { bearerNames, requestLine } from '../support/api/rows.ts'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import { type Person, startTarget } from '../support/attack/target.ts'

/** Operators change an account during all other requests to it: the operator's change wins. */

const target = startTarget({}, { concurrency: 8 })

/** Repetitions of each race, whose winner varies. */
const rounds = 2

interface Owner extends Person {
  authorization: string
  verification: string
  reset: string
}

async function owner(): Promise<Owner> {
  const person = await target.register()
  await target.mailed(person.email)
  await target.post('/auth/forgot-password', { email: person.email })
  const [verification = '', reset = ''] = await target.mailed(person.email, 2)
  return { ...person, verification, reset, authorization: `Bearer ${await target.logIn(person)}` }
}

const chosen = { change: 'changed horse', reset: 'another horse' }
for (const password of Object.values(chosen)) target.secrets.add(password)

/** Does everything with an account except delete it. @returns the issued access tokens */
async function everything({ email, password, authorization, verification, reset }: Owner): Promise<string[]> {
  const headers = { authorization }
  const answers = await Promise.all([
    target.post('/auth/change-password', { current_password: password, new_password: chosen.change }, headers),
    target.post('/auth/login', { email, password }),
    target.post('/auth/reset-password', { token: reset, new_password: chosen.reset }),
    target.post('/auth/verify-email', { token: verification }),
    target.post('/auth/forgot-password', { email }),
    target.post('/auth/resend-verification', { email }),
    target.send({ method: 'PUT', path: '/auth/me', body: { name: 'Countess' }, headers }),
    target.post('/auth/logout-everywhere', undefined, headers),
    target.post('/auth/login', { email, password }),
  ])
  const tokens = answers.flatMap(({ body }) => (body?.access_token ? [String(body.access_token)] : []))
  for (const token of tokens) target.secrets.add(token)
  return tokens
}

const passwordsOf = ({ password }: Owner) => [password, ...Object.values(chosen)]
const logIns = (person: Owner) =>
  Promise.all(passwordsOf(person).map(password => target.post('/auth/login', { email: person.email, password })))

/** Expects every endpoint that takes tokens to refuse this one. */
async function expectDead(token: string): Promise<void> {
  for (const name of bearerNames) {
    const { status, body } = await target.send({
      ...requestLine(name),
      headers: { authorization: `Bearer ${token}` },
      body: fruitlessBody(name),
    })
    expect([status, body.code, body.detail]).toEqual([401, 'invalid-access-token', 'Invalid or expired token'])
  }
}

const race = async (person: Owner, act: (account: AccountItem, now: Date) => Promise<boolean>): Promise<string[]> => {
  const account = await target.stored(person)
  const [tokens, isDone] = await Promise.all([everything(person), act(account, new Date())])
  expect(isDone).toBe(true)
  return tokens
}

describe.each(Array.from({ length: rounds }, (_, i) => [i + 1]))('round %i', () => {
  test('a lock in the middle of everything else locks everyone out, with any new password', async () => {
    const person = await owner()
    const tokens = await race(person, (account, now) => target.operator.lock(account, now))
    expect((await target.stored(person)).locked_at).toBeDefined()
    const answers = await logIns(person)
    expect(answers.map(({ body }) => body.code).sort()).toEqual([
      'account-locked',
      'bad-credentials',
      'bad-credentials',
    ])
    for (const token of tokens) await expectDead(token)

    await target.operator.unlock(await target.stored(person), new Date())
    for (const token of tokens) await expectDead(token)
    expect((await logIns(person)).filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('a revocation in the middle of everything else leaves no older password, token or link', async () => {
    const person = await owner()
    const tokens = await race(person, (account, now) => target.operator.revoke(account, now))
    expect((await logIns(person)).map(({ body }) => body.code)).toEqual(Array(3).fill('bad-credentials'))
    for (const token of tokens) await expectDead(token)
    const reset = await target.post('/auth/reset-password', { token: person.reset, new_password: chosen.reset })
    expect(reset.body.code).toBe('invalid-reset-token')
  })

  test('signing out in the middle of everything else leaves no older token', async () => {
    const person = await owner()
    await race(person, (account, now) => target.operator.signOut(account, now))
    await expectDead(person.authorization.slice('Bearer '.length))
    expect((await logIns(person)).filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

test('a locked account gets no mail with a link, however many are requested at once', async () => {
  const person = await target.register()
  const [verification] = await target.mailed(person.email)
  await target.operator.lock(await target.stored(person), new Date())
  const asks = ['/auth/forgot-password', '/auth/resend-verification', '/auth/forgot-password']
  const bystander = await target.register()
  await Promise.all(asks.map(path => target.post(path, { email: person.email })))
  await target.post('/auth/forgot-password', { email: bystander.email })
  await target.mailed(bystander.email, 2)
  expect(await target.mailed(person.email)).toEqual([verification])
})

testAfterAttack(target)
