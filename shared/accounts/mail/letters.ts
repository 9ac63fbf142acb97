import type { Config } from '../../base/config.ts'
import { shortened } from '../email.ts'
import { misleadingCharacter } from '../schemas.ts'
import { type Lifetime, lifetimeInWords, type TokenKind } from '../tokens/one-time-token.ts'
import { type Action, type Letter, layOut, type Sentence } from './letter-layout.ts'
import { type NoticeKind, noticeWordings, type Wording } from './notice-wordings.ts'

/** Who mails are from: the product's name, and the address that people can write to. */
export type Sender = Pick<Config, 'productName' | 'supportEmail'>

export interface Recipient {
  email: string
  name: string | null
  isVerified: boolean
}

/** The kinds of links that somebody asked for. */
export type LinkKind = TokenKind | 'email-change' | 'second-factor'

const linkWordings: Record<LinkKind, Wording & { button: string; lifetime: Lifetime }> = {
  verification: {
    subject: product => `Verify your email address for ${product}`,
    preview: () => `Confirm that this address is yours, within ${lifetimeInWords('verification')}.`,
    heading: 'Verify your email address',
    event: (format, product, email) =>
      format`Someone opened a new ${product} account with the address ${email}. If it was you, please confirm that this address is yours.`,
    button: 'Verify email address',
    lifetime: 'verification',
    // Following the link verifies an account whose password a stranger may know.
    warning: 'If it was not you, ignore this mail and do not open the link: the address will not be verified.',
  },
  reset: {
    subject: product => `Reset your ${product} password`,
    preview: () => `Someone asked for this link. It works once, within ${lifetimeInWords('reset')}.`,
    heading: 'Reset your password',
    event: (format, product, email) =>
      format`Someone asked to reset the password of the ${product} account with the address ${email}. If it was you, choose a new one now.`,
    button: 'Choose a new password',
    lifetime: 'reset',
    warning: 'If it was not you, ignore this mail: your password stays the same.',
  },
  'second-factor': {
    subject: product => `Set up a second factor for ${product}`,
    preview: () => `Set it up with an authenticator app, within ${lifetimeInWords('second-factor')}.`,
    heading: 'Set up a second factor',
    event: (format, product, email) =>
      format`Someone logged in to the ${product} account with the address ${email}, which needs a second factor. If it was you, set one up with an authenticator app on your phone.`,
    button: 'Set up a second factor',
    lifetime: 'second-factor',
    warning:
      'If it was not you, somebody else knows your password: reset it where you log in, and change it wherever else you ' +
      'use it. They cannot log in without this link.',
  },
  // Whoever typed the address may have mistyped it: its reader learns nothing about the account.
  'email-change': {
    subject: product => `Confirm your new email address for ${product}`,
    preview: () => `Confirm it with your password, within ${lifetimeInWords('verification')}.`,
    heading: 'Confirm your new email address',
    event: (format, product, email) =>
      format`Someone asked to use their ${product} account with the address ${email} from now on. If it was you, please confirm that with the password of the account.`,
    button: 'Confirm the new address',
    lifetime: 'verification',
    warning: 'If it was not you, ignore this mail: without the password of that account nothing changes.',
  },
}

/**
 * Writes the mail that carries a one-time link, as plain text and as HTML.
 *
 * @param to the account; the reader of the mail may be somebody else
 * @param link absolute, with the token
 */
export function writeLink(kind: LinkKind, to: Recipient, link: string, from: Sender): Letter {
  const { button, lifetime, ...wording } = linkWordings[kind]
  return write(wording, to, from, { action: actionOf(button, link, lifetime) })
}

export interface NoticeDetails {
  /** The account's new address, if it has one. */
  newEmail?: string
  /** Undoes what happened; absolute, with the token. */
  undoLink?: string | null
  /** How many recovery codes are left. */
  codesLeft?: number
}

/** Writes the mail that tells owners what happened to their account, and when. */
export function writeNotice(
  kind: NoticeKind,
  to: Recipient,
  happenedAt: Date,
  from: Sender,
  { undoLink = null, ...details }: NoticeDetails = {},
): Letter {
  const { undo, ...wording } = noticeWordings[kind]
  const gaps = { ...details, when: `${utc.format(happenedAt)} UTC` }
  if (!undo || undoLink === null) return write(wording, to, from, gaps)
  const action = actionOf(undo.button, undoLink, 'undo')
  return write({ ...wording, warning: undo.warning }, to, from, { ...gaps, action })
}

const actionOf = (button: string, link: string, lifetime: Lifetime): Action => ({
  button,
  link,
  lifetime: `The link works once, within ${lifetimeInWords(lifetime)}.`,
})

/** Such as `1 March 2026 at 12:00`: in UTC, because nobody knows where the owner is. */
const utc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

interface Gaps extends Omit<NoticeDetails, 'undoLink'> {
  when?: string
  action?: Action | null
}

function write(
  { subject, preview, heading, event, warning }: Wording,
  to: Recipient,
  { productName, supportEmail }: Sender,
  { when = '', newEmail = '', codesLeft, action = null }: Gaps,
): Letter {
  return layOut({
    subject: subject(productName),
    preview: preview(when),
    product: productName,
    heading,
    greeting: greet(to),
    event: format => event(format, productName, to.email, when, newEmail && shortened(newEmail), `${codesLeft}`),
    action,
    warning,
    sender: format =>
      supportEmail === null
        ? format`Sent by ${productName}.`
        : format`Sent by ${productName}. Questions? Write to ${supportEmail}.`,
  })
}

/** Uses the name only when the address is verified: anybody can register any address under any name. */
function greet({ name, isVerified }: Recipient): Sentence<[]> {
  const safeName = isVerified ? plainName(name ?? '') : ''
  return safeName === '' ? format => format`Hello,` : format => format`Hello ${safeName},`
}

const misleading = new RegExp(`(?:\\p{Cc}|${misleadingCharacter.source})+`, 'gu')

/**
 * A name that cannot pass for more than a name, because a stranger may have chosen it before the owner verified the
 * address: without line breaks and invisible characters, which an older name may have, and with a zero-width space where
 * mail clients would otherwise make a link of it.
 */
const plainName = (name: string): string =>
  name
    .replace(misleading, ' ')
    .replace(/(?<=\.)(?=[\p{L}\p{N}]{2})|(?<=[:@])(?=\S)/gu, '\u200b')
    .trim()
