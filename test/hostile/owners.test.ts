import { expect, test, vi } from 'vitest'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import { type Person, startTarget } from '../support/attack/target.ts'

/** Owners change their accounts in several ways in parallel: each race has a winner, and nothing is half done. */

const target = startTarget({}, { concurrency: 8 })

interface Owner extends Person {
  headers: { authorization: string }
  /** Of a link that resets the password. */
  reset: string
  verification: string
}

async function owner(): Promise<Owner> {
  const person = await target.register()
  const [verification = ''] = await target.mailed(person.email)
  await target.post('/auth/forgot-password', { email: person.email })
  const [, reset = ''] = await target.mailed(person.email, 2)
  const headers = { authorization: `Bearer ${await target.logIn(person)}` }
  return { ...person, headers, reset, verification }
}

const password = (text: string): string => {
  target.secrets.add(text)
  return text
}

type Act = 'change' | 'reset' | 'rename' | 'verify' | 'logOut' | 'delete' | 'logIn'

/** An owner's acts, each for real; `text` is a new password. */
const acts: Record<Act, (owner: Owner, text: string) => ReturnType<typeof target.post>> = {
  change: ({ password: current_password, headers }: Owner, new_password: string) =>
    target.post('/auth/change-password', { current_password, new_password }, headers),
  reset: ({ reset: token }: Owner, new_password: string) =>
    target.post('/auth/reset-password', { token, new_password }),
  rename: ({ headers }: Owner) => target.send({ method: 'PUT', path: '/auth/me', body: { name: 'Countess' }, headers }),
  verify: ({ verification: token }: Owner) => target.post('/auth/verify-email', { token }),
  logOut: ({ headers }: Owner) => target.post('/auth/logout-everywhere', undefined, headers),
  delete: ({ password, headers }: Owner) => target.post('/auth/delete-account', { password }, headers),
  logIn: ({ email, password }: Owner) => target.post('/auth/login', { email, password }),
}
const names = Object.keys(acts) as Act[]

const logsIn = async ({ email }: Owner, text: string): Promise<boolean> =>
  (await target.post('/auth/login', { email, password: text })).status === 200
const stored = async ({ email }: Owner) => (await target.users.all()).find(item => item.email === email)

test.each(names.filter(name => name !== 'change').map(name => [name]))(
  'a change of the password and %s at once leave one password that works',
  async name => {
    const person = await owner()
    const [changed, other] = [password('changed horse'), password('another horse')]
    const [change, act] = await Promise.all([acts.change(person, changed), acts[name](person, other)])
    expect([200, 401]).toContain(change.status)
    expect([200, 400, 401]).toContain(act.status)
    const works = await Promise.all([person.password, changed, other].map(text => logsIn(person, text)))
    const expected = [
      ['delete', act.status === 200, [false, false, false]],
      ['reset', act.status === 200, [false, false, true]],
      [name, change.status === 200, [false, true, false]],
    ] as const
    const [, , due] = expected.find(([of, holds]) => of === name && holds) ?? [name, true, [true, false, false]]
    expect(works).toEqual(due)
  },
)

test('ten deletions at once each succeed or are refused for their token, and the account is gone', async () => {
  const person = await owner()
  const answers = await Promise.all(Array.from({ length: 10 }, () => acts.delete(person, '')))
  expect(answers.filter(({ status }) => status !== 200 && status !== 401)).toEqual([])
  expect(answers.some(({ status }) => status === 200)).toBe(true)
  expect(await stored(person)).toBeUndefined()
})

test('a deletion in the middle of everything else is final, and a refused one deletes nothing', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, owner))
  for (const person of people) {
    const answers = await Promise.all(names.map(name => acts[name](person, password(`${name} horse`))))
    expect(answers.filter(({ status }) => ![200, 400, 401].includes(status))).toEqual([])
    const isDeleted = answers[names.indexOf('delete')]?.status === 200
    expect((await stored(person)) === undefined).toBe(isDeleted)
    const again = await target.post('/auth/register', { email: person.email, password: person.password })
    expect(again.status).toBe(isDeleted ? 201 : 400)
  }
})

test('of fifteen log-outs at once one succeeds, and the token version rises once', async () => {
  const person = await owner()
  const before = Number((await stored(person))?.token_version)
  const outs = await Promise.all(Array.from({ length: 15 }, () => acts.logOut(person, '')))
  expect(outs.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await stored(person))?.token_version).toBe(before + 1)
})

test('owners of verified addresses are told of each change that happened, and of no other', async () => {
  const person = await owner()
  await acts.verify(person, '')
  const told = () =>
    target.system.inbox
      .list()
      .filter(
        ({ destination, subject }) =>
          destination.to.includes(person.email) && /^Your Gatehouse (?:password|account)/.test(subject),
      )
      .map(({ subject }) => subject)
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, i) => acts.change(person, password(`horse ${i} told`))),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  await vi.waitFor(() => expect(told()).toEqual(['Your Gatehouse password was changed']), {
    timeout: 20_000,
    interval: 200,
  })
})

testAfterAttack(target)
