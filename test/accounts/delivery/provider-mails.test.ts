import { beforeEach, describe, expect, test } from 'vitest'
import { noPassword } from '../../../accounts/account/account.ts'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { type MailMessage, requestMail } from '../../../accounts/mail/queue.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { providers } from '../../support/providers.ts'
import { createHarness } from '../../support/service/harness.ts'
import { connectAnnounced } from '../../support/service/identities.ts'
import { changePassword, disconnectProvider } from '../../support/service/owner.ts'
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

/** Mails to owners about their logins at other providers. */

const harness = createHarness()
const { deps } = harness
const { password } = ada

const messageOf = (kind: MailMessage['kind']) => {
  const found = harness.queue.findLast(({ message }) => message.kind === kind)
  if (!found) throw new Error(`no ${kind} was queued`)
  return found.message
}
const deliver = (message: MailMessage) => deliverMail(deps, message, deps.now())
const mailed = () => harness.mails.at(-1)?.text ?? ''
const disconnect = async (id: string) => disconnectProvider(deps, home, await find(harness), { id, password }, {})

beforeEach(async () => {
  const { account } = await register(harness)
  await harness.operator.verify(account, deps.now())
  harness.advance(1000)
})

describe('the notice of a connected provider', () => {
  test('names it, and has a link that undoes it', async () => {
    await connectAnnounced(harness, 'ada')
    const message = messageOf('provider-connected')
    expect(await deliver(message)).toBe('sent')
    expect(harness.mails.at(-1)).toMatchObject({
      to: ada.email,
      subject: 'Another way to log in to your Gatehouse account was connected',
    })
    expect(mailed()).toContain('A login with Example was connected')
    expect(mailed()).toContain(`https://example.com/undo?token=${undoTokenOf(message)}\n`)
  })

  test.each<[string, () => Promise<unknown>, 'optional' | 'required']>([
    ['that a second factor guards', () => protect(harness), 'optional'],
    ['where everybody must have one', async () => {}, 'required'],
  ])('on an account %s has none', async (_, prepare, rule) => {
    await prepare()
    await connectAnnounced(harness, 'ada')
    harness.config.secondFactor = rule
    expect(await deliver(messageOf('provider-connected'))).toBe('sent')
    expect(mailed()).not.toContain('/undo?token=')
  })

  test('comes after it is disconnected, and names it too', async () => {
    const { key } = await connectAnnounced(harness, 'ada')
    await connectAnnounced(harness, 'other')
    await disconnect(key)
    expect(await deliver(messageOf('provider-disconnected'))).toBe('sent')
    expect(mailed()).toContain('The login with provider.example was disconnected')
    expect(mailed()).toContain('Connected providers: 1.')
  })
})

describe('how many logins at providers are connected', () => {
  const change = async () => {
    await changePassword(deps, home, await find(harness), {
      current_password: password,
      new_password: toPassword('battery staple'),
    })
    await deliver(messageOf('password-changed'))
  }

  test('says the notice of a changed password: they are there still', async () => {
    await connectAnnounced(harness, 'ada')
    await change()
    expect(mailed()).toContain('Connected providers: 1.')
  })

  test('says it of none, to who had one', async () => {
    const { key } = await connectAnnounced(harness, 'ada')
    await disconnect(key)
    await change()
    expect(mailed()).toContain('Connected providers: 0.')
  })

  test('says nothing to who never had one', async () => {
    await change()
    expect(mailed()).not.toMatch(/provider/i)
  })
})

describe('a reset mail', () => {
  const ask = async (): Promise<string> => {
    await requestMail(deps, newClient(), 'reset', ada.email)
    harness.advance(1000)
    expect(await deliver(lastMessage(harness))).toBe('sent')
    return mailed()
  }

  test('lists the logins, by provider, address and day, and its page asks about them', async () => {
    harness.providers = providers.map(each => ({ ...each, issuer: 'https://provider.example', name: 'Example' }))
    allowPasskeys(harness)
    await connectAnnounced(harness, 'ada')
    await addPasskey(harness, { label: 'Phone' })
    const text = await ask()
    expect(text).toMatch(
      /- Example, as ada@\u200bprovider\.\u200bexample, connected on \d+ \w+ \d{4}\n- The passkey “Phone”, added on /,
    )
    expect(text).toMatch(/token=[\w-]{43}&logins=1\n/)
  })

  test('names those of a provider that is not listed any more by its host', async () => {
    await connectAnnounced(harness, 'ada')
    expect(await ask()).toContain('- provider.example, as ada@')
  })

  test('asks about them where its passkeys stay in any case', async () => {
    allowPasskeys(harness)
    await addPasskey(harness)
    await connectAnnounced(harness, 'ada')
    harness.config.secondFactor = 'required'
    expect(await ask()).toMatch(/&logins=1\n/)
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

  test('alone lists them', async () => {
    await connectAnnounced(harness, 'ada')
    await move(harness, 'eve@example.net')
    for (const { message } of harness.queue) await deliver(message)
    for (const { text } of harness.mails) expect(text).not.toContain('ada@\u200b')
  })
})
