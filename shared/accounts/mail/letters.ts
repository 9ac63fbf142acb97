import type { Config } from '../../base/config.ts'
import { shortened } from '../email.ts'
import { misleadingCharacter } from '../schemas.ts'
import { type Lifetime, lifetimeInWords, type TokenKind } from '../tokens/one-time-token.ts'
import { type Action, type Letter, layOut, type Sentence } from './letter-layout.ts'
import type { NoticeMessage } from './queue.ts'

/** Who mails are from: the product's name, and the address that people can write to. */
export type Sender = Pick<Config, 'productName' | 'supportEmail'>

export interface Recipient {
  email: string
  name: string | null
  isVerified: boolean
}

/** The text of a mail, for a product and an account's address. */
interface Wording {
  /** Holds nothing of the account, so that no stranger can choose a word of it. */
  subject: (product: string) => string
  /** What lists of mails show after the subject. Holds nothing of the account either. */
  preview: (when: string) => string
  heading: string
  /** What happened. */
  event: Sentence<[product: string, email: string, when: string, newEmail: string]>
  /** What to do if it was not the reader. */
  warning: string
}

/** The links that somebody asked for. */
export type LinkKind = TokenKind | 'email-change'

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

export type NoticeKind = NoticeMessage['kind'] | 'email-changed'

interface NoticeWording extends Wording {
  /** The button that undoes what happened, and what to do with it in place of `warning`. */
  undo?: { button: string; warning: string }
}

/** The mails about what has happened. They link to nothing but its undoing: people shall not get used to links in them. */
const noticeWordings: Record<NoticeKind, NoticeWording> = {
  'password-changed': {
    subject: product => `Your ${product} password was changed`,
    preview: when => `It was changed on ${when}. If it was not you, read what to do.`,
    heading: 'Your password was changed',
    event: (format, product, email, when) =>
      format`The password of the ${product} account with the address ${email} was changed on ${when}. Everyone who was logged in elsewhere has to log in again.`,
    warning:
      'If it was not you, somebody else knows your password or can read your mail. Change the password of your mailbox ' +
      'first. Then reset this password where you log in: that logs out the person who changed it.',
  },
  'account-deleted': {
    subject: product => `Your ${product} account was deleted`,
    preview: when => `It was deleted on ${when}. If it was not you, read what to do.`,
    heading: 'Your account was deleted',
    event: (format, product, email, when) =>
      format`The ${product} account with the address ${email} was deleted on ${when}. The address can be registered again.`,
    warning:
      'If it was not you, somebody else knew its password. Change that password wherever else you use it. The account ' +
      'cannot be restored from this mail.',
  },
  'email-changed': {
    subject: product => `The address of your ${product} account was changed`,
    preview: when => `It was changed on ${when}. If it was not you, read what to do.`,
    heading: 'Your email address was changed',
    event: (format, product, email, when, newEmail) =>
      format`The ${product} account with the address ${email} has the address ${newEmail} instead: it was changed on ${when}. Its mails go there, and everyone who was logged in has to log in again.`,
    // Without a link the change took a second factor: a mailbox alone must not undo that.
    warning:
      'If it was not you, somebody else has your password and your second factor. Only the people who run this service ' +
      'can help you: write to them at once.',
    undo: {
      button: 'Undo the change',
      warning:
        'If it was not you, somebody else knows your password: undo the change with the link. The account then has this ' +
        'address again, its password stops working, everyone is logged out, and you get a link to choose a new password.',
    },
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

interface NoticeDetails {
  /** The account's new address, if it has one. */
  newEmail?: string
  /** Undoes what happened; absolute, with the token. */
  undoLink?: string | null
}

/** Writes the mail that tells owners what happened to their account, and when. */
export function writeNotice(
  kind: NoticeKind,
  to: Recipient,
  happenedAt: Date,
  from: Sender,
  { newEmail, undoLink = null }: NoticeDetails = {},
): Letter {
  const { undo, ...wording } = noticeWordings[kind]
  const when = `${utc.format(happenedAt)} UTC`
  if (!undo || undoLink === null) return write(wording, to, from, { when, newEmail })
  const action = actionOf(undo.button, undoLink, 'undo')
  return write({ ...wording, warning: undo.warning }, to, from, { when, newEmail, action })
}

const actionOf = (button: string, link: string, lifetime: Lifetime): Action => ({
  button,
  link,
  lifetime: `The link works once, within ${lifetimeInWords(lifetime)}.`,
})

/** Such as `1 March 2026 at 12:00`: in UTC, because nobody knows where the owner is. */
const utc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

function write(
  { subject, preview, heading, event, warning }: Wording,
  to: Recipient,
  { productName, supportEmail }: Sender,
  { when = '', newEmail, action = null }: { when?: string; newEmail?: string | undefined; action?: Action | null },
): Letter {
  return layOut({
    subject: subject(productName),
    preview: preview(when),
    product: productName,
    heading,
    greeting: greet(to),
    event: format => event(format, productName, to.email, when, newEmail ? shortened(newEmail) : ''),
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
