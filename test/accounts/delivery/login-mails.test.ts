import { beforeEach, describe, expect, test } from 'vitest'
import { noPassword } from '../../../accounts/account/account.ts'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { type MailMessage, requestMail } from '../../../accounts/mail/queue.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { createHarness } from '../../support/service/harness.ts'
import { connectAnnounced } from '../../support/service/identities.ts'
import { changePassword, disconnectProvider, removePasskey } from '../../support/service/owner.ts'
import { addPasskey, allowPasskeys } from '../../support/service/passkeys.ts'
import {
  ada,
  find,
  home,
  lastMessage,
  messageOf,
  move,
  newClient,
  protect,
  registerVerified,
  undoTokenOf,
} from '../../support/service/people.ts'

/** Mails to owners about passkeys and other providers, by which somebody logs in. */

const harness = createHarness()
const { deps } = harness
const { password } = ada

const deliver = (message: MailMessage, age = 0) => deliverMail(deps, message, new Date(deps.now().getTime() - age))
const mailed = () => harness.mails.at(-1)?.text ?? ''
const undoLink = /https:\/\/example\.com\/undo\?token=/
const disconnect = async (id: string) => disconnectProvider(deps, home, await find(harness), { id, password }, {})

beforeEach(async () => {
  allowPasskeys(harness)
  await registerVerified(harness)
})

describe('the notice of a passkey', () => {
  test.each<[string, 'optional' | 'required', 'optional' | 'required', isGuarded: boolean]>([
    ['that a second factor guards', 'optional', 'optional', true],
    ['that a second factor guards, where everybody must have one', 'required', 'required', true],
    ['where everybody must have one', 'required', 'required', false],
    ['where everybody must have one by now', 'optional', 'required', false],
  ])('on an account %s has none: a mailbox must not undo that', async (_, then, now, isGuarded) => {
    const app = isGuarded ? await protect(harness) : null
    harness.config.secondFactor = then
    await addPasskey(harness, app ? { code: app.code() } : {})
    harness.config.secondFactor = now
    const message = messageOf(harness, 'passkey-added')
    expect(await deliver(message)).toBe('sent')
    const help = isGuarded
      ? 'Choose “Forgot your password?” where you log in'
      : 'Only the people who run this service can help you'
    expect(mailed()).toContain(help)
    expect(mailed()).not.toMatch(undoLink)
    const change = (await find(harness)).changes.find(({ kind }) => kind === 'passkey')
    expect(change?.hasLink).toBe(then === 'optional' && !isGuarded)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['added another one', () => addPasskey(harness, { label: 'Other' })],
    [
      'removed it again',
      async () => {
        const [{ id = '' } = {}] = (await find(harness)).passkeys
        await removePasskey(deps, home, await find(harness), { id, password })
      },
    ],
    ['set an app up', () => protect(harness)],
    ['moved the account', () => move(harness, 'eve@example.net')],
  ])('reaches the owner, with its link, though a thief has %s at once', async (_, act) => {
    await addPasskey(harness)
    const message = messageOf(harness, 'passkey-added')
    harness.advance(1000)
    await act()
    expect(await deliver(message)).toBe('sent')
    expect(harness.mails.at(-1)?.to).toBe(ada.email)
    expect(mailed()).toContain(`https://example.com/undo?token=${undoTokenOf(message)}\n`)
  })

  test('is mailed five times an hour', async () => {
    const outcomes = []
    for (let i = 0; i < 6; i++) {
      await addPasskey(harness)
      outcomes.push(await deliver(messageOf(harness, 'passkey-added')))
    }
    expect(outcomes).toEqual([...Array(5).fill('sent'), 'dropped'])
    expect(harness.events.at(-1)?.event).toBe('mail-capped')
  })

  test('is of no account that is gone', async () => {
    await addPasskey(harness)
    const message = messageOf(harness, 'passkey-added')
    await deps.accounts.delete(await find(harness), deps.now())
    expect([await deliver(message), harness.events.at(-1)?.reason]).toEqual(['dropped', 'no-account'])
  })

  test('is of nothing that did not happen', async () => {
    await addPasskey(harness)
    for (const kind of ['passkey-added', 'passkey-removed'] as const) {
      const other = (age: number) => {
        const message = { ...messageOf(harness, 'passkey-added'), kind, token: 'x'.repeat(43) }
        return deliver({ ...message, requested_at: deps.now().getTime() - age } as MailMessage, age)
      }
      expect([kind, await other(60_000), await other(60_001)]).toEqual([kind, 'early', 'dropped'])
    }
  })
})

describe('how many passkeys and providers log in', () => {
  const change = async () => {
    const passwords = { current_password: password, new_password: toPassword('battery staple') }
    await changePassword(deps, home, await find(harness), passwords)
    await deliver(messageOf(harness, 'password-changed'))
  }

  test('says the notice of a removed passkey', async () => {
    const { passkey } = await addPasskey(harness)
    await addPasskey(harness, { label: 'Other' })
    await removePasskey(deps, home, await find(harness), { id: passkey.id, password })
    expect(await deliver(messageOf(harness, 'passkey-removed'))).toBe('sent')
    expect(mailed()).toContain('Passkeys on the account: 1.')
  })

  test('says the notice of a disconnected provider, which it names', async () => {
    const { key } = await connectAnnounced(harness, 'ada')
    await connectAnnounced(harness, 'other')
    await disconnect(key)
    expect(await deliver(messageOf(harness, 'provider-disconnected'))).toBe('sent')
    expect(mailed()).toContain('The login with provider.example was disconnected')
    expect(mailed()).toContain('Connected providers: 1.')
  })

  test('says the notice of a changed password: they are there still', async () => {
    await addPasskey(harness)
    await connectAnnounced(harness, 'ada')
    await change()
    expect(mailed()).toContain('Passkeys on the account: 1.')
    expect(mailed()).toContain('Connected providers: 1.')
  })

  test.each([null, 'example.com'])('counts no passkey of another domain, or where they are off (%s)', async rpId => {
    await addPasskey(harness)
    harness.config.passkeyRpId = rpId
    await change()
    expect(mailed()).toContain('Passkeys on the account: 0.')
  })

  test('says it of no provider, to who had one', async () => {
    const { key } = await connectAnnounced(harness, 'ada')
    await disconnect(key)
    await change()
    expect(mailed()).toContain('Connected providers: 0.')
  })

  test('is not said to owners who never had any', async () => {
    await change()
    expect(mailed()).not.toMatch(/passkey|provider/i)
  })
})

describe('a reset mail', () => {
  const ask = async (): Promise<string> => {
    await requestMail(deps, newClient(), 'reset', ada.email)
    harness.advance(1000)
    expect(await deliver(lastMessage(harness))).toBe('sent')
    return mailed()
  }

  test.each<[string, string | null]>([
    ['are off', null],
    ['are of another domain', 'a.example'],
  ])('says nothing of passkeys that %s', async (_, rpId) => {
    await addPasskey(harness)
    harness.config.passkeyRpId = rpId
    expect(await ask()).not.toMatch(/passkey|logins/i)
  })

  test('lists those that it cannot remove, but its page does not ask about them', async () => {
    await addPasskey(harness)
    harness.config.secondFactor = 'required'
    const text = await ask()
    expect(text).toContain('- The passkey “Phone”, added on ')
    expect(text).not.toContain('logins')
  })

  test('names those of a provider that is not listed any more by its host', async () => {
    await connectAnnounced(harness, 'ada')
    expect(await ask()).toContain('- provider.example, as ada@')
  })

  test.each<[string, string | undefined, RegExp]>([
    ['says to its page that it never had a password', undefined, /token=[\w-]{43}&logins=1&first=1\n/],
    ['says nothing of it where an undo made the password void', 'hash', /token=[\w-]{43}&logins=1\n/],
  ])('%s', async (_, former, link) => {
    await connectAnnounced(harness, 'ada')
    const item = (await harness.accountItems()).find(({ email }) => email === ada.email) as AccountItem
    await harness.put({ ...item, password_hash: noPassword, ...(former && { former_password_hash: former }) })
    expect(await ask()).toMatch(link)
  })

  test('alone lists them: a reader of mail to a new address learns nothing', async () => {
    await addPasskey(harness)
    await connectAnnounced(harness, 'ada')
    await requestMail(deps, newClient(), 'verification', ada.email)
    await move(harness, 'eve@example.net')
    for (const { message } of harness.queue) await deliver(message)
    for (const { text } of harness.mails) expect(text).not.toMatch(/Phone|ada@\u200b/)
  })
})
