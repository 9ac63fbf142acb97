import { describe, expect, test } from 'vitest'
import type { Account } from '../../../accounts/account/account.ts'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { changeProfile } from '../../../accounts/account/profile.ts'
import { undoChange, undoToken } from '../../../accounts/address/undo.ts'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { type MailMessage, requestMail } from '../../../accounts/mail/queue.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { resetPassword } from '../../../accounts/password/reset.ts'
import { logOutEverywhere } from '../../../accounts/session/ending.ts'
import { send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { connect, connectAnnounced, subjectsOf } from '../../support/service/identities.ts'
import { addPasskey, allowPasskeys } from '../../support/service/passkeys.ts'
import {
  ada,
  find,
  home,
  invite,
  lastMessage,
  lastUndoToken,
  move,
  newClient,
  openSession,
  protect,
  register,
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

async function open(): Promise<void> {
  const { token } = await register(harness)
  await verifyEmail(deps, newClient(), token)
  harness.advance(1000)
}
const deliver = (message: MailMessage = lastMessage(harness)) => deliverMail(deps, message, deps.now())
const codeOf = async (attempt: Promise<unknown>) => (await refusalOf(attempt)).code
const messages = (kind: MailMessage['kind']) => harness.queue.map(({ message }) => message).filter(m => m.kind === kind)
const tokenOf = (kind: MailMessage['kind']) => messages(kind).at(-1)?.token ?? ''
/** The token of the undo link in the newest notice of a kind. */
const linkOf = (kind: MailMessage['kind']) => undoTokenOf(messages(kind).at(-1))

const beforeTransaction = (act: () => Promise<unknown>) => harness.before('TransactWriteItems Accounts', act)

describe('an undo', () => {
  test('revokes its own link and those of later changes, and no others', async () => {
    await open()
    const first = await move(harness, 'b@example.org')
    harness.advance(1)
    const second = await move(harness, 'c@example.org', 'b@example.org')
    harness.advance(1)
    const third = await move(harness, 'd@example.org', 'c@example.org')
    await undoChange(deps, second)
    expect((await find(harness, 'b@example.org')).passwordHash).toBe('*')
    for (const token of [second, third]) expect(await codeOf(undoChange(deps, token))).toBe('invalid-undo-token')

    // The owner chooses a password and moves again, which can be undone.
    const again = async (new_password: string) => {
      harness.advance(1)
      await deliver(messages('undone').at(-1))
      await resetPassword(deps, home, { token: tokenOf('undone'), new_password: toPassword(new_password) })
      harness.advance(1)
      return move(harness, 'e@example.org', 'b@example.org', toPassword(new_password))
    }
    await undoChange(deps, await again('battery staple'))
    const last = await again(password)
    await undoChange(deps, first)
    expect(await codeOf(undoChange(deps, last))).toBe('invalid-undo-token')
    expect((await find(harness)).passwordHash).toBe('*')
  })

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
    expect(await codeOf(undoChange(deps, link))).toBe('invalid-undo-token')
    await resetPassword(deps, home, { token: tokenOf('undone'), new_password: toPassword('battery staple') })
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
    const { to, subject, text } = harness.mails.at(-1) ?? { to: '', subject: '', text: '' }
    expect([to, subject]).toEqual([moved, 'The address of your Gatehouse account was changed back'])
    expect(text).toContain('was changed back to a…@example.com on')
    expect(text).not.toMatch(/ada@example\.com|https?:/)
  })

  test('that leaves the second factor takes identities and passkeys all the same', async () => {
    await open()
    allowPasskeys(harness)
    await connectAnnounced(harness, 'thief')
    const link = lastUndoToken(harness)
    await addPasskey(harness)
    await protect(harness)
    harness.config.secondFactor = 'required'
    await undoChange(deps, link)
    expect(await find(harness)).toMatchObject({
      factor: expect.anything(),
      identities: [],
      passkeys: [],
      passwordHash: '*',
    })
    expect(await subjectsOf(harness)).toEqual({ [ada.email]: [] })
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

  test.each<[string, (email: string) => Promise<unknown>]>([
    ['logs out everywhere', async email => logOutEverywhere(deps, home, await find(harness, email))],
    ['logs in', email => openSession(harness, email)],
    ['has a new name', async email => changeProfile(deps, await find(harness, email), { name: 'Thief' })],
    ['adds a passkey', email => addPasskey(harness, { email })],
    ['connects a provider', email => connect(harness, deps.newId(), email)],
    ['sets up an app', email => protect(harness, email)],
    ['has a reset link mailed', email => requestToken(harness, 'reset', email)],
    ['is locked', async email => harness.operator.lock(await find(harness, email), deps.now())],
  ])('wins in its first round while the account %s', async (_, act) => {
    await open()
    allowPasskeys(harness)
    const undoing = await move(harness, moved)
    harness.advance(1)
    let rounds = 0
    harness.beforeCall = async command => {
      if (command !== 'TransactWriteItems') return
      harness.beforeCall = () => {}
      rounds += 1
      await act(moved)
    }
    await undoChange(deps, undoing)
    expect(rounds).toBe(1)
    expect(messages('undone').length).toBeLessThanOrEqual(1)
    const { sessions, passkeys, identities, factor, passwordHash, isVerified } = await find(harness)
    expect({ sessions, passkeys, identities, factor, passwordHash, isVerified }).toEqual({
      ...{ sessions: [], passkeys: [], identities: [], factor: null, passwordHash: '*', isVerified: true },
    })
    await subjectsOf(harness)
  })

  test.each([2, 3])('is tried three times: the account moves on before %i of them', async moves => {
    await open()
    const undoing = await move(harness, moved)
    let at = moved
    let left = moves
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
    const attempt = undoChange(deps, undoing)
    if (moves === 2) await attempt
    else {
      expect(await codeOf(attempt)).toBe('unavailable')
      // The thief has moved it between each two rounds; the next click wins.
      await undoChange(deps, undoing)
    }
    expect(left).toBe(0)
    expect(await subjectsOf(harness)).toEqual({ [ada.email]: [] })
  })

  test('sets aside the password that is there at its write', async () => {
    await open()
    const undoing = await move(harness, moved)
    const renewed = 'another hash of the same password'
    beforeTransaction(async () => deps.passwords.replaceHash(await find(harness, moved), renewed, deps.now()))
    await undoChange(deps, undoing)
    expect(await find(harness)).toMatchObject({ passwordHash: '*', formerPasswordHash: renewed })
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

  test.each<[string, () => Promise<unknown>, (account: Account) => Promise<unknown>]>([
    [
      'an account that is verified at that moment',
      async () => register(harness),
      account => harness.operator.verify(account, deps.now()),
    ],
    [
      'an invitation that is accepted at that moment',
      async () => invite(harness),
      account =>
        deps.passwords.accept(
          account,
          account.tokens.reset.hash ?? '',
          { passwordHash: 'hash', mark: 'mark', clients: [], name: null },
          deps.now(),
        ),
    ],
    [
      'a provider’s account that gets a password at that moment',
      openByProvider,
      account => harness.setAttributes(account.id, { password_hash: 'hash' }),
    ],
    [
      'a provider’s account that becomes an administrator’s at that moment',
      openByProvider,
      account => harness.operator.setAdmin(account, true, deps.now()),
    ],
  ])('%s, which stays: the write judges anew', async (_, occupy, act) => {
    const undoing = await leave()
    await occupy()
    const occupant = await find(harness)
    beforeTransaction(() => act(occupant))
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
