import { lifetimes, type TokenKind } from './one-time-token.ts'

/** A mail, before it has a sender and a recipient. */
export interface Letter {
  subject: string
  text: string
  html: string
}

/** What the mails with a link say. Subjects are no place for words that anybody can choose: they hold none. */
const linkWordings: Record<TokenKind, Record<'subject' | 'event' | 'request' | 'button' | 'otherwise', string>> = {
  verification: {
    subject: 'Verify your email address',
    event: 'opened an account with',
    request: 'Please verify that the address is yours.',
    button: 'Verify email address',
    // Whoever follows the link vouches for an account that a stranger may hold the password of.
    otherwise: 'If it was not you, do not use the link and ignore this mail: the address will not be verified.',
  },
  reset: {
    subject: 'Reset your password',
    event: 'asked to reset the password of',
    request: 'You can choose a new one now.',
    button: 'Choose a new password',
    otherwise: 'If it was not you, ignore this mail: your password stays as it is.',
  },
}

export type NoticeKind = 'password-changed' | 'account-deleted'

/** What the mails without a link say. They hold none, so that nobody learns to follow one in such a mail. */
const noticeWordings: Record<NoticeKind, { subject: string; event: (email: string) => string; otherwise: string }> = {
  'password-changed': {
    subject: 'Your password was changed',
    event: email =>
      `The password of the account ${email} was changed. Whoever was logged in elsewhere has to log in again.`,
    otherwise:
      'If it was not you, somebody else knows your password or reads your mail. Change the password of your mailbox, ' +
      'then ask for a password reset where you log in: that logs out whoever changed this one.',
  },
  'account-deleted': {
    subject: 'Your account was deleted',
    event: email => `The account ${email} was deleted. The address can be registered again.`,
    otherwise:
      'If it was not you, somebody else knew its password. Choose another one wherever you used the same; the account ' +
      'itself cannot be brought back by this mail.',
  },
}

/**
 * Writes the mail that carries a one-time link, as plain text and as HTML.
 *
 * @param to the account, which need not belong to whoever reads the mail
 * @param link absolute, with the token
 */
export function writeLink(kind: TokenKind, to: Recipient, link: string): Letter {
  const { subject, event, request, button, otherwise } = linkWordings[kind]
  return write({
    subject,
    greeting: greet(to),
    message: `Somebody, most likely you, has ${event} ${to.email}. ${request}`,
    action: { button, link, lifetime: lifetimeOf(kind) },
    otherwise,
    sender: senderOf(link),
  })
}

/**
 * Writes the mail that tells an owner what happened to their account.
 *
 * @param site where people log in
 */
export function writeNotice(kind: NoticeKind, to: Recipient, site: string): Letter {
  const { subject, event, otherwise } = noticeWordings[kind]
  return write({ subject, greeting: greet(to), message: event(to.email), otherwise, sender: senderOf(site) })
}

interface Recipient {
  email: string
  name: string | null
  isVerified: boolean
}

interface Words {
  subject: string
  greeting: string
  message: string
  action?: { button: string; link: string; lifetime: string }
  otherwise: string
  sender: string
}

const senderOf = (url: string): string => `Sent by Gatehouse for ${new URL(url).host}.`

const write = (words: Words): Letter => ({ subject: words.subject, text: asText(words), html: asHtml(words) })

const asText = ({ greeting, message, action, otherwise, sender }: Words): string =>
  `${[greeting, message, ...(action ? [action.link, action.lifetime] : []), otherwise, sender].join('\n\n')}\n`

/**
 * Tables and inline styles, because Outlook lays out with Word and some clients drop the style sheet. Those that keep it
 * get dark colours; the others invert the light ones themselves. Nothing is loaded from anywhere.
 */
function asHtml({ subject, greeting, message, action, otherwise, sender }: Words): string {
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark }
@media (prefers-color-scheme: dark) {
  .page { background: #12161c !important }
  .card { background: #1b212a !important; border-color: #323b47 !important }
  .text { color: #e8ebf0 !important }
  .note { color: #a9b3c0 !important }
  .link { color: #8ab4f8 !important }
  .rule { border-color: #323b47 !important }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f5f8">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f3f5f8">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;background:#ffffff;border:1px solid #dde2ea;border-radius:12px">
<tr><td style="padding:28px 24px;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5">
<p class="text" style="margin:0 0 16px;color:#1c2430;overflow-wrap:anywhere"><bdi>${escapeHtml(greeting)}</bdi></p>
<p class="text" style="margin:0 0 24px;color:#1c2430;overflow-wrap:anywhere">${escapeHtml(message)}</p>
${action ? actionHtml(action) : ''}<p class="text rule" style="margin:0;padding:20px 0 0;border-top:1px solid #dde2ea;color:#1c2430">${escapeHtml(otherwise)}</p>
</td></tr>
</table>
<p class="note" style="margin:16px 12px 0;color:#566170;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:13px;line-height:1.5;overflow-wrap:anywhere">${escapeHtml(sender)}</p>
</td></tr>
</table>
</body>
</html>
`
}

function actionHtml({ button, link, lifetime }: NonNullable<Words['action']>): string {
  const escapedLink = escapeHtml(link)
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px">
<tr><td align="center" bgcolor="#1f5fbf" style="border-radius:8px;mso-padding-alt:13px 24px">
<a href="${escapedLink}" style="display:inline-block;padding:13px 24px;border-radius:8px;background:#1f5fbf;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(button)}</a>
</td></tr>
</table>
<p class="note" style="margin:0 0 4px;color:#566170;font-size:14px">${escapeHtml(lifetime)} If the button does not work, copy it into your browser:</p>
<p style="margin:0 0 24px;font-size:14px;word-break:break-all"><a class="link" href="${escapedLink}" style="color:#1f5fbf">${escapedLink}</a></p>
`
}

const hour = 60 * 60 * 1000

function lifetimeOf(kind: TokenKind): string {
  const hours = lifetimes[kind] / hour
  return `The link works once, within ${hours} ${hours === 1 ? 'hour' : 'hours'}.`
}

/** By name where the address is verified: anybody can register any address under any name. */
function greet({ name, isVerified }: Recipient): string {
  const words = isVerified ? asPlainWords(name ?? '') : ''
  return words === '' ? 'Hello,' : `Hello ${words},`
}

/**
 * A name that only reads as one, since a stranger may have chosen it before the owner verified the address: no line
 * breaks, nothing that turns the direction of the text around it (UAX #9 §2: embeddings, overrides, isolates), and a
 * zero-width space where mail clients would otherwise make a link of it.
 */
const asPlainWords = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/(?<=\.)(?=[\p{L}\p{N}]{2})|(?<=[:@])(?=\S)/gu, '\u200b')
    .trim()

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] ?? '')
