import type { Letter } from '../../../accounts/mail/layout.ts'
import type { NoticeMessage } from '../../../accounts/mail/queue.ts'
import { type Logins, type Recipient, type Sender, writeLink, writeNotice } from '../../../accounts/mail/templates.ts'
import type { LetterWords, LinkKind } from '../../../accounts/mail/words.ts'
import { english } from '../../support/letter-words.ts'

export const link = 'https://auth.example.com/verify-email?token=Zk3vYk1b0mS8m1qQm7C4XwKf2u0s9d8J6h5G4f3D2s1'
const noon = new Date('2026-03-01T12:00:59.999Z')
export const undoLink = link.replace('verify-email', 'undo')
const moved = { newEmail: 'countess@example.org' }

type NoticeKind = NoticeMessage['kind']
type Write = (to: Recipient, from: Sender, words?: LetterWords) => Letter

const noLogins: Logins = { identities: [], passkeys: [], appSince: null }

const linkOf =
  (kind: LinkKind): Write =>
  (to, from, words = english) =>
    writeLink(words, kind, to, link, from, kind === 'invitation' ? noon : null)

const noticeOf =
  (kind: NoticeKind, details: Parameters<typeof writeNotice>[5] = {}): Write =>
  (to, from, words = english) =>
    writeNotice(words, kind, to, noon, from, details)

/** A reset mail that lists passkeys with these labels, which may be hostile. */
export const resetWith =
  (...labels: string[]): Write =>
  (to, from, words = english) =>
    writeLink(words, 'reset', to, link, from, null, {
      ...noLogins,
      passkeys: labels.map(label => ({ label, createdAt: noon })),
    })

/** Every mail with a requested link, in each form. */
export const everyLink = {
  ...(Object.fromEntries(Object.keys(english.links).map(kind => [kind, linkOf(kind as LinkKind)])) as Record<
    LinkKind,
    Write
  >),
  'reset with passkeys': resetWith('1', '2'),
  'reset with providers': ((to, from, words = english) => {
    const identities = ['ada@example.com', null].map(email => ({ provider: 'Example', email, connectedAt: noon }))
    return writeLink(words, 'reset', to, link, from, null, { ...noLogins, identities })
  }) satisfies Write,
  'reset with an app': ((to, from, words = english) =>
    writeLink(words, 'reset', to, link, from, null, { ...noLogins, appSince: noon })) satisfies Write,
  'undone over an invitation': ((to, from, words = english) =>
    writeLink(words, 'undone', to, link, from, null, noLogins, true)) satisfies Write,
}

/** Every notice, in each form. */
export const everyNotice = {
  'password-changed': noticeOf('password-changed'),
  'password-changed with passkeys': noticeOf('password-changed', { passkeysLeft: 2 }),
  'password-changed with passkeys and providers': noticeOf('password-changed', { passkeysLeft: 2, providersLeft: 1 }),
  'invitation-accepted': noticeOf('invitation-accepted'),
  'account-deleted': noticeOf('account-deleted'),
  'email-changed': noticeOf('email-changed', moved),
  'email-changed with an undo link': noticeOf('email-changed', { ...moved, undoLink }),
  'email-changed after a second factor': noticeOf('email-changed', { ...moved, isSetUpUndoable: true }),
  'moved-by-operator': noticeOf('moved-by-operator'),
  'change-undone': noticeOf('change-undone', moved),
  'factor-set-up': noticeOf('factor-set-up'),
  'factor-set-up with an undo link': noticeOf('factor-set-up', { undoLink }),
  'factor-replaced': noticeOf('factor-replaced'),
  'factor-removed': noticeOf('factor-removed'),
  'passkey-added': noticeOf('passkey-added'),
  'passkey-added where a reset helps': noticeOf('passkey-added', { isResetEnough: true }),
  'passkey-added with an undo link': noticeOf('passkey-added', { undoLink }),
  'passkey-removed': noticeOf('passkey-removed', { passkeysLeft: 0 }),
  'provider-connected': noticeOf('provider-connected', { provider: 'Example' }),
  'provider-connected with an undo link': noticeOf('provider-connected', { provider: 'Example', undoLink }),
  'provider-disconnected': noticeOf('provider-disconnected', { provider: 'Example', providersLeft: 0 }),
  'recovery-code-used': noticeOf('recovery-code-used', { codesLeft: 9 }),
  'password-known': noticeOf('password-known'),
  'session-reused': noticeOf('session-reused'),
} satisfies Partial<Record<string, Write>> & Record<NoticeKind, Write>

export const everyMail = { ...everyLink, ...everyNotice }

export const ada = { email: 'ada@example.com', name: 'Ada Lovelace', isVerified: true }
export const acme: Sender = {
  accentColor: null,
  logoUrl: null,
  privacyUrl: null,
  productName: 'Acme',
  supportEmail: 'help@acme.example',
  termsUrl: null,
}
