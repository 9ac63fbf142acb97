import { beforeEach, describe, expect, test } from 'vitest'
import { openAccount } from '../../../accounts/account/opening.ts'
import { changeProfile } from '../../../accounts/account/profile.ts'
import { requestEmailChange } from '../../../accounts/address/request.ts'
import { undoChange } from '../../../accounts/address/undo.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { bytesOfBase32 } from '../../../accounts/factor/codes.ts'
import { enrol } from '../../../accounts/factor/enrolment.ts'
import { confirmFactor } from '../../../accounts/factor/set-up.ts'
import { logIn } from '../../../accounts/login/login.ts'
import { links, type MailMessage, requestMail } from '../../../accounts/mail/queue.ts'
import { acceptInvitation } from '../../../accounts/password/invitation.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import { refresh } from '../../../accounts/session/refresh.ts'
import { grace } from '../../../accounts/session/rotation.ts'
import { byPassword } from '../../../accounts/token/claims.ts'
import type { TokenKind } from '../../../accounts/token/token.ts'
import { needsOf, rows } from '../../../api/needs.ts'
import { moveAccount } from '../../../operations/users/move-account.ts'
import { endpointNames } from '../../support/api/rows.ts'
import { goodRequest, send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { connectAnnounced } from '../../support/service/identities.ts'
import {
  changePassword,
  deleteAccount,
  disconnectProvider,
  removeFactor,
  removePasskey,
  setUpFactor,
} from '../../support/service/owner.ts'
import { addPasskey, allowPasskeys } from '../../support/service/passkeys.ts'
import {
  ada,
  appOf,
  find,
  home,
  invite,
  messageOf,
  move,
  newClient,
  openSession,
} from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness
const { password } = ada
const day = 24 * 60 * 60_000
const elsewhere = 'eve@example.net'

type Kind = MailMessage['kind']

/** Sets a second factor up. @returns a recovery code */
async function setUp(code?: string): Promise<string | undefined> {
  const { secret } = await setUpFactor(deps, home, await find(harness), { password, code })
  const app = appOf(harness, bytesOfBase32(secret))
  return (await confirmFactor(deps, home, await find(harness), app.code())).recoveryCodes[0]
}

/** Rotates a session twice, and replays its first token. */
async function reuse(): Promise<void> {
  const { tokens } = await openSession(harness)
  const first = tokens.refresh?.token ?? ''
  for (let token = first, i = 0; i < 2; i++) {
    harness.advance(grace)
    token = (await refresh(deps, token)).refresh?.token ?? ''
  }
  await refresh(deps, first).catch(() => {})
}

/** The kinds of links that anybody can request: the message alone causes the mail. */
type Asked = { [K in keyof typeof links]: (typeof links)[K]['isAwaited'] extends true ? never : K }[keyof typeof links]

/** What queues each other mail, once somebody is registered. */
const causes: Partial<Record<Kind, () => Promise<unknown>>> & Record<Exclude<Kind, Asked>, () => Promise<unknown>> = {
  registration: async () => {},
  invitation: async () => {},
  'invitation-accepted': () =>
    acceptInvitation(deps, home, { token: messageOf(harness, 'invitation').token, new_password: password, name: null }),
  undone: async () => undoChange(deps, await move(harness, elsewhere)),
  'change-undone': async () => undoChange(deps, await move(harness, elsewhere)),
  moved: async () => moveAccount(deps, await find(harness), elsewhere),
  'moved-by-operator': async () => moveAccount(deps, await find(harness), elsewhere),
  'second-factor': async () => {
    const account = await find(harness)
    await enrol(deps, account, byPassword(deps, account), newClient(), undefined)
  },
  'email-change': async () => requestEmailChange(deps, newClient(), await find(harness), elsewhere),
  'email-changed': () => move(harness, elsewhere),
  'password-changed': async () =>
    changePassword(deps, home, await find(harness), {
      current_password: password,
      new_password: toPassword('battery staple'),
    }),
  'account-deleted': async () => deleteAccount(deps, home, await find(harness), { password }),
  'factor-set-up': () => setUp(),
  'factor-replaced': async () => setUp(await setUp()),
  'factor-removed': async () => {
    const code = await setUp()
    await removeFactor(deps, home, await find(harness), { password, code })
  },
  'recovery-code-used': async () => logIn(deps, home, { ...ada, code: await setUp() }),
  'password-known': async () => {
    await setUp()
    for (let i = 0; i < 5; i++) await logIn(deps, home, { ...ada, code: '12' }).catch(() => {})
  },
  'session-reused': reuse,
  'passkey-added': () => addPasskey(harness),
  'passkey-removed': async () => {
    const { passkey } = await addPasskey(harness)
    await removePasskey(deps, home, await find(harness), { id: passkey.id, password })
  },
  'provider-connected': () => connectAnnounced(harness, 'ada'),
  'provider-disconnected': async () => {
    const { key: id } = await connectAnnounced(harness, 'ada')
    await disconnectProvider(deps, home, await find(harness), { id, password }, {})
  },
}
const kinds = [...new Set([...Object.keys(links), ...Object.keys(causes)])] as Kind[]
const cause = (kind: Kind): Promise<unknown> =>
  causes[kind]?.() ?? requestMail(deps, newClient(), kind as TokenKind, ada.email)

/** Notices of past events. The other mails carry requested links. */
const notices = kinds.filter(kind => !(kind in links))

/** The notices that are written when the account may be deleted. */
const carried: readonly Kind[] = ['account-deleted', 'email-changed', 'change-undone', 'moved-by-operator']

/** Delivers the mail of this kind. @returns the language of all its parts, and of its link */
async function delivered(kind: Kind) {
  harness.mails.length = 0
  expect(await deliverMail(deps, messageOf(harness, kind), deps.now())).toBe('sent')
  const [{ subject = '', text = '', html = '' } = {}] = harness.mails
  const [link] = text.match(/https?:\/\/\S+/) ?? []
  // `en-XA` has no plain letters, `ar-XB` Arabic ones.
  const seen = [subject, text.split('\n')[0], /<h1[^>]*>(.*?)</.exec(html)?.[1]].map(part => {
    if (/\p{Script=Arabic}/u.test(`${part}`)) return 'ar-XB'
    return part?.startsWith('⟦') ? 'en-XA' : 'en'
  })
  const languages = new Set([...seen, ...[...html.matchAll(/ lang="([^"]*)"/g)].map(([, tag]) => tag)])
  return { languages: [...languages], ...(link && { lang: new URL(link).searchParams.get('lang') }) }
}

const speak = async (language: string) => changeProfile(deps, await find(harness), { language })

/** Registers Ada in a language, with a confirmed address unless the mail is about that; or invites her. */
async function begin(kind: Kind, language: string | null): Promise<void> {
  if (kind.startsWith('invitation')) {
    await invite(harness, { language })
    harness.advance(1000)
    return
  }
  await openAccount(deps, newClient(), { ...ada, name: 'Ada', language })
  if (kind !== 'registration' && kind !== 'verification') await harness.operator.verify(await find(harness), deps.now())
  harness.advance(1000)
}

beforeEach(() => {
  harness.config.languages = ['en', 'en-XA', 'ar-XB']
  allowPasskeys(harness)
})

describe.each(kinds)('a %s mail', kind => {
  test('is in the language of the account, and so is the page of its link', async () => {
    await begin(kind, 'ar-XB')
    await cause(kind)
    const { languages, lang = 'ar-XB' } = await delivered(kind)
    expect([languages, lang]).toEqual([['ar-XB'], 'ar-XB'])
  })

  test('is in the default language without a choice, and its link names none', async () => {
    harness.config.languages = ['en-XA', 'en']
    await begin(kind, null)
    await cause(kind)
    const { languages, lang = null } = await delivered(kind)
    expect([languages, lang]).toEqual([['en-XA'], null])
    expect(messageOf(harness, kind)).not.toHaveProperty('language')
  })

  test('is in the default once the language is not offered any more', async () => {
    await begin(kind, 'ar-XB')
    await cause(kind)
    harness.config.languages = ['en-XA', 'en']
    const { languages, lang = null } = await delivered(kind)
    expect([languages, lang]).toEqual([['en-XA'], null])
  })
})

describe('somebody with a stolen login who changes the language', () => {
  test.each(notices)('gets no %s mail past the owner for a week', async kind => {
    await begin(kind, 'en-XA')
    await speak('ar-XB')
    harness.advance(5 * day)
    await speak('en')
    await cause(kind)
    const { languages, lang = 'en-XA' } = await delivered(kind)
    expect([languages, lang]).toEqual([['en-XA'], 'en-XA'])
  })

  test.each(notices)('gets no %s mail past an owner who never chose one', async kind => {
    await begin(kind, null)
    await speak('ar-XB')
    await cause(kind)
    expect((await delivered(kind)).languages).toEqual(['en'])
  })

  test.each(Object.keys(links) as Kind[])('has the %s mail in the new one at once', async kind => {
    await begin(kind, 'en-XA')
    await speak('ar-XB')
    await cause(kind)
    const { languages, lang } = await delivered(kind)
    // An undo also undoes the change of language.
    const language = kind === 'undone' ? 'en-XA' : 'ar-XB'
    expect([languages, lang]).toEqual([[language], language])
  })

  test('is seen through by an undo, though notices had followed and the language changed again', async () => {
    await begin('email-changed', 'en-XA')
    await speak('ar-XB')
    harness.advance(5 * day)
    const undoing = await move(harness, elsewhere)
    harness.advance(3 * day)
    await changeProfile(deps, await find(harness, elsewhere), { language: 'en' })
    await undoChange(deps, undoing)
    expect((await find(harness)).language).toBe('en-XA')
  })
})

test.each(notices)('a %s mail goes by the account as written, but where that may be gone', async kind => {
  await begin(kind, 'en-XA')
  await cause(kind)
  if (carried.includes(kind)) return expect(messageOf(harness, kind)).toMatchObject({ language: 'en-XA' })
  const [account, now] = [await find(harness), deps.now()]
  await deps.accounts.changeProfile(account, { language: 'ar-XB', noticesIn: { language: 'en', until: now } }, now)
  expect((await delivered(kind)).languages).toEqual(['ar-XB'])
})

/** The endpoints that queue mails, except the one that stores the language of a registration. */
const queueing = endpointNames.filter(name => needsOf(rows[name]).may.MailQueue && name !== 'register')

describe('the languages of the request', () => {
  const headers = { 'accept-language': 'ar-XB, *;q=0.1', cookie: 'lang=ar-XB' }
  const query = 'lang=ar-XB&ui_locales=ar-XB'

  test.each(queueing)('changes no mail that %s causes', async name => {
    const request = await goodRequest(harness, name)
    const account = (await deps.accounts.findByEmail(ada.email)) ?? (await find(harness, 'bob@example.com'))
    await deps.accounts.changeProfile(account, { language: 'en-XA' }, deps.now())
    harness.mails.length = 0
    const before = harness.queue.length
    const body = typeof request.body === 'object' ? { ...request.body, language: 'ar-XB' } : request.body
    await send(harness, name, { ...request, headers: { ...request.headers, ...headers }, query, body })
    const caused = harness.queue.slice(before).map(({ message }) => message)
    for (const message of caused) await deliverMail(deps, message, deps.now())
    expect(JSON.stringify(caused)).not.toContain('ar-XB')
    for (const { html } of harness.mails) expect(html).toContain('<html lang="en-XA"')
  })

  test.each([
    ['a hostile tag', '../../../../etc/passwd'],
    ['a list', 'ar-XB,en'],
    ['nothing', ''],
  ])('is none where a message has %s', async (_, language) => {
    await begin('account-deleted', 'en-XA')
    await causes['account-deleted']()
    Object.assign(messageOf(harness, 'account-deleted'), { language })
    expect((await delivered('account-deleted')).languages).toEqual(['en'])
  })
})
