import { beforeEach, expect, test } from 'vitest'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { requestMail } from '../../../accounts/mail/queue.ts'
import { askedAtReset, listResetLogins } from '../../../accounts/password/logins.ts'
import { createHarness } from '../../support/service/harness.ts'
import { connectAnnounced } from '../../support/service/identities.ts'
import { addPasskey, allowPasskeys } from '../../support/service/passkeys.ts'
import { ada, find, invite, lastMessage, newClient, protect, registerVerified } from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'

const harness = createHarness()
const { deps } = harness
const day = 24 * 60 * 60 * 1000
const minute = 60 * 1000

beforeEach(async () => {
  allowPasskeys(harness)
  await registerVerified(harness)
})

/** The text of a reset mail, and the token of its link. */
async function ask(): Promise<{ text: string; token: string }> {
  await requestMail(deps, newClient(), 'reset', ada.email)
  harness.advance(1000)
  expect(await deliverMail(deps, lastMessage(harness), deps.now())).toBe('sent')
  const { text = '' } = harness.mails.at(-1) ?? {}
  return { text, token: /token=([\w-]{43})/.exec(text)?.[1] ?? '' }
}

const connect = () => connectAnnounced(harness, 'ada')
const provider = { kind: 'provider', label: 'provider.example, ada@provider.example', day: '2026-03-01' }
const passkey = { kind: 'passkey', label: 'Phone', day: '2026-03-01' }
const app = { kind: 'app', label: 'Authenticator app', day: '2026-03-01' }

test.each<[string, () => Promise<unknown>, object[], string]>([
  ['nothing else logs in', async () => {}, [], ''],
  ['a provider does', connect, [provider], '&logins=1'],
  ['a passkey does', () => addPasskey(harness), [passkey], '&logins=1'],
  ['an app was set up just now', () => protect(harness), [app], '&logins=1&app=1'],
  [
    'the link in the mail about the app has expired',
    async () => {
      await protect(harness)
      harness.advance(7 * day)
    },
    [],
    '',
  ],
  [
    'all of that is there',
    async () => {
      await addPasskey(harness)
      await connect()
      await protect(harness)
    },
    [provider, passkey, app],
    '&logins=1&app=1',
  ],
  [
    'passkeys stay in any case',
    async () => {
      await addPasskey(harness)
      await connect()
      harness.config.secondFactor = 'required'
    },
    [provider],
    '&logins=1',
  ],
])('where %s, the list has it as the mail does, and its link says so', async (_, prepare, logins, marks) => {
  await prepare()
  const { text, token } = await ask()
  expect(await listResetLogins(deps, token)).toEqual(logins)
  expect(text).toContain(`token=${token}${marks}\n`)
  for (const { label } of logins as { label: string }[]) {
    const [name = ''] = label.replace('Authenticator app', 'An authenticator app').split(', ')
    expect(text).toContain(name)
  }
})

test('a provider that names no address is listed by its name alone', async () => {
  await connect()
  const account = await find(harness)
  const identities = account.identities.map(identity => ({ ...identity, email: null }))
  expect(askedAtReset(deps, { ...account, identities })).toEqual([{ ...provider, label: 'provider.example' }])
})

test('a token lists until it expires, and looking spends nothing', async () => {
  await addPasskey(harness)
  const { token } = await ask()
  const before = await harness.accountItems()
  for (const _ of [1, 2]) expect(await listResetLogins(deps, token)).toEqual([passkey])
  expect(await harness.accountItems()).toEqual(before)
  harness.advance(60 * minute)
  expect(await refusalOf(listResetLogins(deps, token))).toMatchObject({ code: 'invalid-reset-token' })
})

test('the token of an invitation lists nothing, nor does an unknown one', async () => {
  const token = await invite(harness, { email: 'eve@example.com' })
  for (const wrong of [token, 'x'.repeat(43), '']) {
    expect(await refusalOf(listResetLogins(deps, wrong))).toMatchObject({ code: 'invalid-reset-token' })
  }
})
