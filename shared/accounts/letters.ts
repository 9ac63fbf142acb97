import type { Config } from '../config.ts'
import { type Action, type Letter, layOut, type Words } from './letter-layout.ts'
import type { TokenKind } from './one-time-token.ts'
import { lifetimeInWords } from './token-lifetimes.ts'

/** Whom mails come from: the product by its name, and whom people can write to. */
export type Sender = Pick<Config, 'productName' | 'supportEmail'>

interface Recipient {
  email: string
  name: string | null
  isVerified: boolean
}

/** What a mail says, given the product's name and the account's address. */
interface Wording {
  /** Besides the product's name, no place for words that anybody can choose. */
  subject: (product: string) => string
  heading: string
  event: Words<[product: string, email: string]>
  otherwise: string
}

/** The mails with a link. */
const linkWordings: Record<TokenKind, Wording & { button: string }> = {
  verification: {
    subject: product => `Verify your email address for ${product}`,
    heading: 'Verify your email address',
    event: (say, product, email) =>
      say`Somebody, most likely you, opened a new ${product} account with the address ${email}. Please verify that the address is yours.`,
    button: 'Verify email address',
    // Whoever follows the link vouches for an account that a stranger may hold the password of.
    otherwise: 'If it was not you, do not use the link and ignore this mail: the address will not be verified.',
  },
  reset: {
    subject: product => `Reset your ${product} password`,
    heading: 'Reset your password',
    event: (say, product, email) =>
      say`Somebody, most likely you, asked to reset the password of the ${product} account with the address ${email}. You can choose a new one now.`,
    button: 'Choose a new password',
    otherwise: 'If it was not you, ignore this mail: your password stays as it is.',
  },
}

export type NoticeKind = 'password-changed' | 'account-deleted'

/** The mails without a link. They hold none, so that nobody learns to follow one in such a mail. */
const noticeWordings: Record<NoticeKind, Wording> = {
  'password-changed': {
    subject: product => `Your ${product} password was changed`,
    heading: 'Your password was changed',
    event: (say, product, email) =>
      say`The password of the ${product} account with the address ${email} was changed. Whoever was logged in elsewhere has to log in again.`,
    otherwise:
      'If it was not you, somebody else knows your password or reads your mail. Change the password of your mailbox, ' +
      'then ask for a password reset where you log in: that logs out whoever changed this one.',
  },
  'account-deleted': {
    subject: product => `Your ${product} account was deleted`,
    heading: 'Your account was deleted',
    event: (say, product, email) =>
      say`The ${product} account with the address ${email} was deleted. The address can be registered again.`,
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
export function writeLink(kind: TokenKind, to: Recipient, link: string, from: Sender): Letter {
  const { button, ...wording } = linkWordings[kind]
  return write(wording, to, from, { button, link, lifetime: `The link works once, within ${lifetimeInWords(kind)}.` })
}

/** Writes the mail that tells an owner what happened to their account. */
export const writeNotice = (kind: NoticeKind, to: Recipient, from: Sender): Letter =>
  write(noticeWordings[kind], to, from, null)

function write(
  { subject, heading, event, otherwise }: Wording,
  to: Recipient,
  { productName, supportEmail }: Sender,
  action: Action | null,
): Letter {
  return layOut({
    subject: subject(productName),
    product: productName,
    heading,
    greeting: greet(to),
    message: say => event(say, productName, to.email),
    action,
    otherwise,
    sender: say =>
      supportEmail === null
        ? say`Sent by ${productName}.`
        : say`Sent by ${productName}. Questions? Write to ${supportEmail}.`,
  })
}

/** By name where the address is verified: anybody can register any address under any name. */
function greet({ name, isVerified }: Recipient): Words<[]> {
  const words = isVerified ? asPlainWords(name ?? '') : ''
  return words === '' ? say => say`Hello,` : say => say`Hello ${words},`
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
