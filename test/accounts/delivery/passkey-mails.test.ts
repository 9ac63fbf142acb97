import { beforeEach, describe, expect, test } from 'vitest'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { type MailMessage, requestMail } from '../../../accounts/mail/queue.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { createHarness } from '../../support/service/harness.ts'
import { changePassword, removePasskey } from '../../support/service/owner.ts'
import { addPasskey, allowPasskeys } from '../../support/service/passkeys.ts'
import {
  ada,
  find,
  home,
  lastMessage,
  move,
  newClient,
  protect,
  register,
  undoTokenOf,
} from '../../support/service/people.ts'

/** Mails to owners about their passkeys. */

const harness = createHarness()
const { deps } = harness
const { password } = ada

const messageOf = (kind: MailMessage['kind']) => {
  const found = harness.queue.findLast(({ message }) => message.kind === kind)
  if (!found) throw new Error(`no ${kind} was queued`)
  return found.message
}
const deliver = (message: MailMessage, age = 0) => deliverMail(deps, message, new Date(deps.now().getTime() - age))
const mailed = () => harness.mails.at(-1)?.text ?? ''
const undoLink = /https:\/\/example\.com\/undo\?token=/

beforeEach(async () => {
  allowPasskeys(harness)
  const { account } = await register(harness)
  await harness.operator.verify(account, deps.now())
  harness.advance(1000)
})

describe('the notice of a passkey', () => {
  test('has a link that undoes it', async () => {
    await addPasskey(harness)
    const message = messageOf('passkey-added')
    expect(await deliver(message)).toBe('sent')
    expect(harness.mails.at(-1)).toMatchObject({
      to: ada.email,
      subject: 'A passkey was added to your Gatehouse account',
    })
    expect(mailed()).toContain(`https://example.com/undo?token=${undoTokenOf(message)}\n`)
  })

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
    const message = messageOf('passkey-added')
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
    const message = messageOf('passkey-added')
    harness.advance(1000)
    await act()
    expect(await deliver(message)).toBe('sent')
    expect(harness.mails.at(-1)?.to).toBe(ada.email)
    expect(mailed()).toContain(`https://example.com/undo?token=${undoTokenOf(message)}\n`)
  })

  test('is of nothing that did not happen', async () => {
    await addPasskey(harness)
    for (const kind of ['passkey-added', 'passkey-removed'] as const) {
      const other = (age: number) => {
        const message = { ...messageOf('passkey-added'), kind, token: 'x'.repeat(43) }
        return deliver({ ...message, requested_at: deps.now().getTime() - age } as MailMessage, age)
      }
      expect([kind, await other(60_000), await other(60_001)]).toEqual([kind, 'early', 'dropped'])
    }
  })

  test('is not kept from its owner by notices of other changes', async () => {
    for (let i = 0; i < 6; i++) {
      const [from, to] = i % 2 ? ['battery staple', password] : [password, 'battery staple']
      await changePassword(deps, home, await find(harness), {
        current_password: toPassword(from),
        new_password: toPassword(to),
      })
      await deliver(messageOf('password-changed'))
      harness.advance(1000)
    }
    await addPasskey(harness)
    expect(await deliver(messageOf('passkey-added'))).toBe('sent')
  })
})

describe('how many passkeys log in', () => {
  const change = async () => {
    const account = await find(harness)
    await changePassword(deps, home, account, {
      current_password: password,
      new_password: toPassword('battery staple'),
    })
    await deliver(messageOf('password-changed'))
  }

  test('are in the notice of a removed one', async () => {
    const { passkey } = await addPasskey(harness)
    await addPasskey(harness, { label: 'Other' })
    await removePasskey(deps, home, await find(harness), { id: passkey.id, password })
    expect(await deliver(messageOf('passkey-removed'))).toBe('sent')
    expect(mailed()).toContain('Passkeys on the account: 1.')
  })

  test('says the notice of a changed password: they are there still', async () => {
    await addPasskey(harness)
    await change()
    expect(mailed()).toContain('Passkeys on the account: 1.')
  })

  test.each([null, 'example.com'])('counts none of another domain, or where they are off (%s)', async rpId => {
    await addPasskey(harness)
    harness.config.passkeyRpId = rpId
    await change()
    expect(mailed()).toContain('Passkeys on the account: 0.')
  })

  test('are not mentioned to owners who never had one', async () => {
    await change()
    expect(mailed()).not.toMatch(/passkey/i)
  })
})

describe('a reset mail', () => {
  const ask = async (): Promise<string> => {
    await requestMail(deps, newClient(), 'reset', ada.email)
    harness.advance(1000)
    expect(await deliver(lastMessage(harness))).toBe('sent')
    return mailed()
  }

  test('lists the passkeys, by label and day, and its page asks about them', async () => {
    await addPasskey(harness, { label: 'Phone' })
    harness.advance(1000)
    await addPasskey(harness, { label: 'win.example' })
    const text = await ask()
    expect(text).toMatch(/- The passkey “Phone”, added on \d+ \w+ \d{4}\n- The passkey “win\.\u200bexample”, added on /)
    expect(text).toMatch(/token=[\w-]{43}&logins=1\n/)
  })

  test.each<[string, string | null]>([
    ['are off', null],
    ['are of another domain', 'a.example'],
  ])('says nothing of passkeys that %s', async (_, rpId) => {
    await addPasskey(harness)
    harness.config.passkeyRpId = rpId
    expect(await ask()).not.toMatch(/passkey|logins/i)
  })

  test('mentions no passkeys to owners without any', async () => {
    expect(await ask()).not.toMatch(/passkey|logins/i)
  })

  test('lists those that it cannot remove, but its page does not ask about them', async () => {
    await addPasskey(harness)
    harness.config.secondFactor = 'required'
    const text = await ask()
    expect(text).toContain('- The passkey “Phone”, added on ')
    expect(text).not.toContain('logins')
  })

  test('alone lists them: a reader of mail to a new address learns nothing', async () => {
    await addPasskey(harness)
    await requestMail(deps, newClient(), 'verification', ada.email)
    for (const { text } of harness.mails) expect(text).not.toContain('Phone')
    await move(harness, 'eve@example.net')
    for (const { message } of harness.queue) await deliver(message)
    for (const { text } of harness.mails) expect(text).not.toContain('Phone')
  })
})
