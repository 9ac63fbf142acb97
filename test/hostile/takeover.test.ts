import { describe, expect, test } from 'vitest'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import { type Person, startTarget } from '../support/attack/target.ts'

/** A thief tries to take an account over by moving it to another address, with each thing that can be stolen. */

const target = startTarget({}, { concurrency: 8 })

/** The code of a refusal, or the status of a success. */
const outcome = ({ status, body }: Awaited<ReturnType<typeof target.post>>) => (status < 400 ? status : body.code)

/** A verified person with one mail. */
async function victim(): Promise<Person> {
  const person = await target.register()
  const [token] = await target.mailed(person.email)
  await target.post('/auth/verify-email', { token })
  return person
}

/** A mailbox without an account. */
const mailbox = () => target.person().email

/** Requests a link to a new address with an access token. @returns its token, from the first mail there */
async function ask(person: Person, to: string): Promise<string> {
  const headers = { authorization: `Bearer ${await target.logIn(person)}` }
  expect(outcome(await target.post('/auth/change-email', { new_email: to }, headers))).toBe(200)
  const [token = ''] = await target.mailed(to)
  return token
}

const confirm = async (token: string, password: string) =>
  outcome(await target.post('/auth/confirm-email-change', { token, password }))
const undo = async (token: string | undefined) => outcome(await target.post('/auth/undo', { token }))
const logIn = async (email: string, { password }: Person) =>
  outcome(await target.post('/auth/login', { email, password }))

/** Moves an account with its password. @returns the token of the undo link in the notice to its present mailbox */
async function move(person: Person, to: string): Promise<string> {
  const before = target.system.inbox.list().filter(({ destination }) => destination.to.includes(person.email)).length
  expect(await confirm(await ask(person, to), person.password)).toBe(200)
  return (await target.mailed(person.email, before + 1)).at(-1) ?? ''
}

// Most of their time is the wait for mails.
describe.concurrent('what a thief may have', () => {
  test('a stolen access token alone, or a stolen new mailbox alone, moves nothing', async () => {
    const person = await victim()
    const token = await ask(person, mailbox())
    const before = await target.stored(person)
    expect(await confirm(token, 'guess')).toBe('wrong-password')
    expect(outcome(await target.post('/auth/confirm-email-change', { token }))).toBe('invalid-body')
    // Nor does it replace any other token.
    expect(outcome(await target.post('/auth/verify-email', { token }))).toBe('invalid-verification-token')
    expect(outcome(await target.post('/auth/reset-password', { token, new_password: 'battery staple' }))).toBe(
      'invalid-reset-token',
    )
    expect(await undo(token)).toBe('invalid-undo-token')
    expect(await target.stored(person)).toEqual(before)
    // A wrong password has not spent it.
    expect(await confirm(token, person.password)).toBe(200)
    expect(await confirm(token, person.password)).toBe('invalid-email-change-token')
  })

  test('with the password too it moves, and its owner takes it back, however often the thief moved it, by the old mailbox and a reset', async () => {
    const person = await victim()
    const thief = { ...person, email: mailbox() }
    const owners = await move(person, thief.email)
    const thiefs = await move(thief, mailbox())
    const { text } = await target.post('/auth/undo', { token: owners })
    expect(JSON.parse(text)).toEqual({
      message: 'The change has been undone. A link to choose a new password has been sent.',
      success: true,
    })
    expect(await undo(thiefs)).toBe('invalid-undo-token')
    expect(await undo(owners)).toBe('invalid-undo-token')
    expect(await logIn(person.email, person)).toBe('bad-credentials')
    expect(await target.operator.find(thief.email)).toBeNull()

    // Registration, notice, and now the way back.
    const [, , token] = await target.mailed(person.email, 3)
    const renewed = target.person().password
    expect(outcome(await target.post('/auth/reset-password', { token, new_password: renewed }))).toBe(200)
    expect(await logIn(person.email, { ...person, password: renewed })).toBe(200)
  })

  test('an administrator’s account neither moves nor is moved back', async () => {
    const person = await victim()
    const token = await ask(person, mailbox())
    await target.operator.setAdmin(await target.stored(person), true, new Date())
    const headers = { authorization: `Bearer ${await target.logIn(person)}` }
    expect(outcome(await target.post('/auth/change-email', { new_email: mailbox() }, headers))).toBe('administrator')
    expect(await confirm(token, 'guess')).toBe('wrong-password')
    expect(await confirm(token, person.password)).toBe('administrator')

    await target.operator.setAdmin(await target.stored(person), false, new Date())
    const moved = { ...person, email: mailbox() }
    const undoing = await move(person, moved.email)
    await target.operator.setAdmin(await target.stored(moved), true, new Date())
    expect(await undo(undoing)).toBe('administrator')
    await target.operator.setAdmin(await target.stored(moved), false, new Date())
    expect(await undo(undoing)).toBe(200)
    await target.operator.remove(await target.stored(person))
  })

  test('a locked account does not move; brought back it stays locked, and gets no link', async () => {
    const person = await victim()
    const token = await ask(person, mailbox())
    await target.operator.lock(await target.stored(person), new Date())
    expect(await confirm(token, 'guess')).toBe('wrong-password')
    expect(await confirm(token, person.password)).toBe('account-locked')

    await target.operator.unlock(await target.stored(person), new Date())
    const moved = { ...person, email: mailbox() }
    const undoing = await move(person, moved.email)
    await target.operator.lock(await target.stored(moved), new Date())
    expect(await undo(undoing)).toBe(200)
    const { locked_at, password_hash } = await target.stored(person)
    expect([locked_at, password_hash]).toEqual([expect.any(String), '*'])
    await target.operator.unlock(await target.stored(person), new Date())
    // The next mail is the one that its owner requests.
    await target.post('/auth/forgot-password', { email: person.email })
    expect(await target.mailed(person.email, 3)).toHaveLength(3)
  })

  test('of ten confirmations at once one moves the account, and the old mailbox is told once', async () => {
    const person = await victim()
    const to = mailbox()
    const token = await ask(person, to)
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(token, person.password)))
    expect(answers.filter(answer => answer === 200)).toHaveLength(1)
    expect(
      answers.filter(answer => ![200, 'invalid-email-change-token', 'email-taken', 'unavailable'].includes(answer)),
    ).toEqual([])
    expect((await target.users.all()).filter(({ email }) => [person.email, to].includes(String(email)))).toHaveLength(1)
    expect(await undo((await target.mailed(person.email, 2)).at(-1))).toBe(200)
    expect(await logIn(to, person)).toBe('bad-credentials')
  })
})

testAfterAttack(target)
