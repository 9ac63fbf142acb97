import { describe, expect, test } from 'vitest'
import type { Account } from '../../../accounts/account/account.ts'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { changeProfile } from '../../../accounts/account/profile.ts'
import { undoChange, undoToken } from '../../../accounts/address/undo.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { type MailMessage, requestMail } from '../../../accounts/mail/queue.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { subjectsOf } from '../../support/service/identities.ts'
import { addPasskey, allowPasskeys } from '../../support/service/passkeys.ts'
import {
  ada,
  find,
  home,
  invite,
  lastMessage,
  move,
  register,
  registerVerified,
  requestToken,
  undoTokenOf,
} from '../../support/service/people.ts'
import { withProvider } from '../../support/service/provider-logins.ts'
import { refusalOf } from '../../support/service/refusal.ts'

const harness = createHarness()
const provider = withProvider(harness)
const { deps } = harness
const { password } = ada
const moved = 'ada@example.org'

const open = () => registerVerified(harness)
const deliver = (message: MailMessage = lastMessage(harness)) => deliverMail(deps, message, deps.now())
const codeOf = async (attempt: Promise<unknown>) => (await refusalOf(attempt)).code
const messages = (kind: MailMessage['kind']) => harness.queue.map(({ message }) => message).filter(m => m.kind === kind)
const tokenOf = (kind: MailMessage['kind']) => messages(kind).at(-1)?.token ?? ''
/** The token of the undo link in the newest notice of a kind. */
const linkOf = (kind: MailMessage['kind']) => undoTokenOf(messages(kind).at(-1))

const beforeTransaction = (act: () => Promise<unknown>) => harness.before('TransactWriteItems Accounts', act)

describe('an undo', () => {
  test.each([
    ['on', true],
    ['off', false],
  ])('and its reset succeed at once among twenty loops of logins, with limits %s', async (_, isLimited) => {
    if (!isLimited) harness.config.rateLimits = null
    await open()
    const eve = { sub: 'eve', email: 'eve@example.com' }
    expect((await provider.connect(eve)).status).toBe(200)
    harness.advance(1000)
    const undoing = await move(harness, moved)
    let isOver = false
    let rounds = 0
    const loops = Array.from({ length: 20 }, async () => {
      while (!isOver) {
        const { body } = await provider.logIn(eve)
        const headers = { authorization: `Bearer ${body.access_token}` }
        await send(harness, 'logout-everywhere', { headers })
        rounds += 1
      }
    })
    // Until each has begun.
    while (rounds < 20) await new Promise(resolve => setImmediate(resolve))
    expect((await send(harness, 'undo', { body: { token: undoing } })).status).toBe(200)
    await deliver(messages('undone').at(-1))
    const chosen = { token: tokenOf('undone'), new_password: 'battery staple' }
    expect((await send(harness, 'reset-password', { body: chosen })).status).toBe(200)
    isOver = true
    await Promise.all(loops)
    expect((await send(harness, 'login', { body: { email: ada.email, password: 'battery staple' } })).status).toBe(200)
    expect((await find(harness)).identities).toEqual([])
  })

  test('has its reset link mailed past every cap, and kills those asked for before', async () => {
    await open()
    const undoing = await move(harness, moved)
    await requestMail(deps, home, 'reset', ada.email)
    const before = lastMessage(harness)
    harness.advance(1)
    for (let i = 0; i < 6; i++) await requestMail(deps, home, 'reset', ada.email)
    await register(harness)
    for (const message of messages('reset')) await deliver(message)
    harness.advance(1)
    await undoChange(deps, undoing)
    expect(await deliver(before)).toBe('dropped')
    expect(await deliver(messages('undone')[0])).toBe('sent')
    expect(harness.mails.at(-1)).toMatchObject({ to: ada.email, text: expect.stringContaining(tokenOf('undone')) })
    await resetPassword(deps, home, { token: tokenOf('undone'), new_password: toPassword('battery staple') })
  })

  test('moves no administrator’s account', async () => {
    await open()
    const undoing = await move(harness, moved)
    await harness.operator.setAdmin(await find(harness, moved), true, deps.now())
    expect(await codeOf(undoChange(deps, undoing))).toBe('administrator')
    expect((await find(harness, moved)).isAdmin).toBe(true)
  })

  test('leaves a lock, and mails no link then', async () => {
    await open()
    const undoing = await move(harness, moved)
    await harness.operator.lock(await find(harness, moved), deps.now())
    await undoChange(deps, undoing)
    expect((await find(harness)).lockedAt).not.toBeNull()
    expect(messages('undone')).toEqual([])
  })

  test('of a change that moved nothing revokes all access in place, by one write', async () => {
    await open()
    allowPasskeys(harness)
    await addPasskey(harness)
    const account = await find(harness)
    const link = linkOf('passkey-added')
    harness.calls.length = 0
    // It names only what it takes, so a new name neither conflicts nor is lost.
    harness.before('UpdateItem Accounts', async () => changeProfile(deps, await find(harness), { name: 'Countess' }))
    await undoChange(deps, link)
    expect(harness.calls.at(-1)).toBe('UpdateItem Accounts')
    const undone = { name: 'Countess', passwordHash: '*', formerPasswordHash: account.passwordHash, passkeys: [] }
    expect(await find(harness)).toMatchObject({ ...undone, tokenVersion: account.tokenVersion + 1 })
    expect(messages('change-undone')).toEqual([])
  })

  test('tells the verified address that loses the account, without the whole other one', async () => {
    await open()
    const undoing = await move(harness, moved)
    harness.beforeCall = command => {
      if (command === 'TransactWriteItems') throw new Error('the transaction fails')
    }
    expect(await codeOf(undoChange(deps, undoing))).toBe('unavailable')
    harness.beforeCall = () => {}
    expect(await deliver(messages('change-undone').at(-1))).toBe('early')
    beforeTransaction(async () => {
      expect(await deliver(messages('change-undone').at(-1))).toBe('early')
    })
    await undoChange(deps, undoing)
    expect(await deliver(messages('change-undone').at(-1))).toBe('sent')
    expect(harness.mails.at(-1)).toMatchObject({
      to: moved,
      text: expect.not.stringMatching(/ada@example\.com|https?:/),
    })
  })

  test('is one transaction of account, both entries and marks, after its mails are queued', async () => {
    await open()
    const undoing = await move(harness, moved)
    harness.calls.length = 0
    await undoChange(deps, undoing)
    const reads = ['GetItem Accounts', 'GetItem Accounts', 'SendMessage', 'SendMessage', 'GetItem RateLimits']
    const writes = ['UpdateItem Accounts', 'PutItem Accounts', 'DeleteItem Accounts', 'UpdateItem RateLimits']
    expect(harness.calls).toEqual([...reads, ...writes, 'UpdateItem RateLimits'])
    expect(await subjectsOf(harness)).toEqual({ [ada.email]: [] })
  })

  test('follows an account that moves on before two of its attempts', async () => {
    await open()
    const undoing = await move(harness, moved)
    let at = moved
    let left = 2
    harness.beforeCall = async command => {
      if (command !== 'TransactWriteItems' || left === 0) return
      left -= 1
      const { beforeCall } = harness
      harness.beforeCall = () => {}
      harness.advance(1)
      const to = `ada${left}@example.org`
      await move(harness, to, at)
      at = to
      harness.beforeCall = beforeCall
    }
    await undoChange(deps, undoing)
    expect(left).toBe(0)
    expect(await subjectsOf(harness)).toEqual({ [ada.email]: [] })
  })
})

describe('a token of an undo link', () => {
  test.each<[string, (token: string) => string]>([
    ['with a character more', token => `${token}A`],
    ['with a line break', token => `${token}\n`],
    ['with padding', token => `${token}=`],
    ['in another spelling of the same bytes', token => token.replace(/.$/, last => respelt(last))],
    ['of the random part alone', token => Buffer.from(token, 'base64url').toString('base64url', 0, 32)],
    ['of an id with a character that no id has', token => idOf(token, 'account id')],
    ['of an id that is no UTF-8', token => Buffer.concat([partOf(token), Buffer.from([0xff])]).toString('base64url')],
    ['of an id with 129 characters', token => idOf(token, 'a'.repeat(129))],
    ['of nobody’s key', token => idOf(token, `@${ada.email}`)],
    ['of no bytes', () => ''],
  ])('%s is no link, and nothing is read', async (_, spell) => {
    await open()
    const token = spell(await move(harness, moved))
    harness.calls.length = 0
    expect(await codeOf(undoChange(deps, token))).toBe('invalid-undo-token')
    expect(harness.calls).toEqual([])
  })

  test('is no link of another account, nor is another token one of this', async () => {
    await open()
    const token = await move(harness, moved)
    const { account } = await register(harness, { email: 'bob@example.com', password })
    const { id } = await find(harness, moved)
    const own = partOf(token).toString('base64url')
    for (const other of [undoToken(own, account.id), undoToken('A'.repeat(43), id)])
      expect(await codeOf(undoChange(deps, other))).toBe('invalid-undo-token')
    await undoChange(deps, undoToken(own, id))
  })

  const partOf = (token: string): Buffer => Buffer.from(token, 'base64url').subarray(0, 32)
  const idOf = (token: string, id: string): string => undoToken(partOf(token).toString('base64url'), id)
  /** The next character of the alphabet: it differs in the last bit, which a token of 68 bytes does not use. */
  const respelt = (last: string): string => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    return alphabet[alphabet.indexOf(last) + 1] ?? ''
  }
})

describe('at the address to which an undo brings an account back there may be', () => {
  /** Moves Ada's account away. @returns the link's token */
  const leave = async () => {
    await open()
    const undoing = await move(harness, moved)
    harness.advance(1000)
    return undoing
  }
  const openByProvider = async () => {
    expect((await provider.logIn()).status).toBe(200)
    return find(harness)
  }

  test.each<[string, string | null, () => Promise<Account | null>]>([
    ['nothing', null, async () => null],
    ['an unverified account', 'unverified', async () => (await register(harness)).account],
    [
      'an invitation',
      'invited',
      async () => {
        await invite(harness)
        return find(harness)
      },
    ],
    [
      'an invitation that has ended',
      'invited',
      async () => {
        await invite(harness)
        const invited = await find(harness)
        await harness.operator.revoke((await harness.operator.findById(invited.id)) as AccountItem, deps.now())
        return find(harness)
      },
    ],
    ['an account that a provider opened after the change', 'provider', openByProvider],
  ])('%s, which gives way', async (_, reason, occupy) => {
    const undoing = await leave()
    const { id } = await find(harness, moved)
    const occupant = await occupy()
    harness.queue.length = 0
    await undoChange(deps, undoing)
    expect((await find(harness)).id).toBe(id)
    expect(await subjectsOf(harness)).toEqual({ [ada.email]: [] })
    const gaveWay = harness.events.filter(({ event }) => event === 'account-gave-way')
    expect(gaveWay).toEqual(reason === null ? [] : [{ event: 'account-gave-way', account_id: occupant?.id, reason }])
    if (occupant === null) return
    expect(await deps.accounts.find(occupant.id)).toBeNull()
    expect(await harness.findDeletion('id', occupant.id)).toEqual({
      at: deps.now(),
      tokenVersion: occupant.tokenVersion,
    })
    const [message] = messages('undone') as [MailMessage & { had_invitation?: true }]
    expect(message.had_invitation).toBe(reason === 'invited' ? true : undefined)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['a verified account', async () => harness.operator.verify((await register(harness)).account, deps.now())],
    [
      'an account that an operator moved there, and whose owner has not come yet',
      async () => {
        const { account } = await register(harness, { email: 'bob@example.com', password })
        await harness.operator.move(account, ada.email, { mailFrom: null, queueMail: deps.queueMail })
      },
    ],
    [
      'an account that a provider opened and that has a password by now',
      async () => {
        await openByProvider()
        harness.advance(1000)
        const token = await requestToken(harness, 'reset')
        await resetPassword(deps, home, { token, new_password: password, keep_other_logins: true })
      },
    ],
    [
      'one that had a password, which was revoked',
      async () => {
        await openByProvider()
        harness.advance(1000)
        const token = await requestToken(harness, 'reset')
        await resetPassword(deps, home, { token, new_password: password, keep_other_logins: true })
        await harness.operator.revoke(await find(harness), deps.now())
      },
    ],
    [
      'one that is an administrator’s by now',
      async () => harness.operator.setAdmin(await openByProvider(), true, deps.now()),
    ],
    [
      'an account that a provider opened before the change, which came there since',
      async () => {
        await provider.logIn({ sub: 'bob', email: 'bob@example.com' })
        const bob = await find(harness, 'bob@example.com')
        // As old as the world.
        await harness.setAttributes(bob.id, { created_at: new Date(0).toISOString() })
        await harness.operator.move(bob, ada.email, { mailFrom: null, queueMail: deps.queueMail })
        await harness.operator.verify(await find(harness), deps.now())
      },
    ],
  ])('%s, which stays: the link works once that is gone', async (_, occupy) => {
    const undoing = await leave()
    await occupy()
    harness.queue.length = 0
    expect(await codeOf(undoChange(deps, undoing))).toBe('invalid-undo-token')
    expect(harness.queue).toEqual([])
    await harness.operator.setAdmin(await find(harness), false, deps.now())
    await deps.accounts.delete(await find(harness), deps.now())
    await undoChange(deps, undoing)
    expect(await subjectsOf(harness)).toEqual({ [ada.email]: [] })
  })

  test('an account that is verified at that moment, which stays: the write judges anew', async () => {
    const undoing = await leave()
    const { account: occupant } = await register(harness)
    beforeTransaction(() => harness.operator.verify(occupant, deps.now()))
    expect(await codeOf(undoChange(deps, undoing))).toBe('invalid-undo-token')
    expect((await find(harness)).id).toBe(occupant.id)
    expect((await find(harness, moved)).passwordHash).not.toBe('*')
  })

  test('an entry that leads nowhere, which counts as none', async () => {
    const undoing = await leave()
    await harness.putItem('Accounts', { key: `email#${ada.email}`, id: 'gone' })
    await undoChange(deps, undoing)
    expect(await subjectsOf(harness)).toEqual({ [ada.email]: [] })
  })
})
