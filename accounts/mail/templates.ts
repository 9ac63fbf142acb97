import type { Config } from '../../shared/base/config.ts'
import { replaceHidden } from '../../shared/base/hidden-characters.ts'
import { sayDevice } from '../../shared/words/device.ts'
import { shortenEmail } from '../address/address.ts'
import type { Identity } from '../identity/identity.ts'
import type { Passkey } from '../passkey/passkey.ts'
import { type Lifetime, lifetimeInWords } from '../token/token.ts'
import { type Item, type Letter, layOut, type Texts } from './layout.ts'
import { type Link, links, type NoticeMessage } from './queue.ts'
import type { LetterWords, LinkKind } from './words.ts'

/** The sender of mails: the product's name and look, an address to write to, and its documents. */
export type Sender = Pick<
  Config,
  'accentColor' | 'logoUrl' | 'privacyUrl' | 'productName' | 'supportEmail' | 'termsUrl'
>

export interface Recipient {
  email: string
  name: string | null
  isVerified: boolean
}

/** The texts of one mail. */
type OwnTexts = Omit<Texts, 'greeting' | 'sender'>

/** Those of a link, and what one says where an invitation is void. */
type LinkTexts = OwnTexts & { button: string; invitation?: string }

/**
 * Writes the mail that carries a one-time link, as plain text and as HTML.
 *
 * @param to the account; somebody else may read the mail
 * @param link absolute, with the token
 * @param until the link's expiry, where its request does not tell: the mail of an invitation may be a later one
 * @param logins other logins, which the mail lists
 * @param hadInvitation whether an account gave way that was invited to the address
 */
export function writeLink(
  words: LetterWords,
  kind: LinkKind,
  to: Recipient,
  link: string,
  from: Sender,
  until: Date | null = null,
  logins: Logins = { identities: [], passkeys: [], appSince: null },
  hadInvitation = false,
): Letter {
  const { button, invitation, ...texts }: LinkTexts = words.links[kind]
  const { lifetime } = Object.values<Link>(links).find(({ letter }) => letter === kind) as Link
  const items = itemsOf(words, logins)
  const list = items.length > 0 && { list: { heading: words.logins.heading, items } }
  const event = hadInvitation && invitation ? `${texts.event} ${invitation}` : texts.event
  return write(words, { ...texts, event, ...list }, to, from, {}, { button, link, lives: until ?? lifetime })
}

/** An account's logins beside its password. `provider` is the name of an identity's. */
export interface Logins {
  identities: readonly (Pick<Identity, 'email' | 'connectedAt'> & { provider: string })[]
  passkeys: readonly Pick<Passkey, 'label' | 'createdAt'>[]
  /** When the authenticator app was set up, while its undo link works; else null. */
  appSince: Date | null
}

function itemsOf({ logins, browserOn, tag }: LetterWords, { identities, passkeys, appSince }: Logins): Item[] {
  const dayOf = (time: Date) => inZone(time, tag, {})
  return [
    ...identities.map(({ provider, email, connectedAt }) => ({
      text: email === null ? logins.providerAlone : logins.provider,
      values: { provider, address: plainName(email ?? ''), day: dayOf(connectedAt) },
    })),
    ...passkeys.map(({ label, createdAt }) => ({
      text: logins.passkey,
      values: { label: plainName(sayDevice(label, browserOn)), day: dayOf(createdAt) },
    })),
    ...(appSince === null ? [] : [{ text: logins.app, values: { day: dayOf(appSince) } }]),
  ]
}

export interface NoticeDetails {
  /** The account's new address, if it has one. */
  newEmail?: string
  /** Undoes the event; absolute, with the token. */
  undoLink?: string | null
  /** Whether the link in the mail about the second factor undoes it. */
  isSetUpUndoable?: boolean
  /** Whether a reset that removes all other logins undoes it. */
  isResetEnough?: boolean
  /** The provider's name, if it is about one. */
  provider?: string
  /** How many recovery codes are left. */
  codesLeft?: number
  /** How many passkeys can log in; absent where the owner never had one. */
  passkeysLeft?: number | undefined
  /** Connected logins at other providers; absent where the owner never had one. */
  providersLeft?: number | undefined
}

/** A notice's texts by where the undo link is: in this mail, or in that about the second factor. */
type NoticeTexts = OwnTexts & {
  undo?: { button: string; warning: string }
  warningWithSetUpLink?: string
  warningWithReset?: string
}

/** Writes the mail that tells owners of an event of their account, and its time. */
export function writeNotice(
  words: LetterWords,
  kind: NoticeMessage['kind'],
  to: Recipient,
  happenedAt: Date,
  from: Sender,
  {
    undoLink = null,
    isSetUpUndoable = false,
    isResetEnough = false,
    newEmail = '',
    provider = '',
    codesLeft,
    passkeysLeft,
    providersLeft,
  }: NoticeDetails = {},
): Letter {
  const { undo, warningWithSetUpLink, warningWithReset, ...said }: NoticeTexts = words.notices[kind]
  const counts = [
    ...(providersLeft === undefined ? [] : [words.logins.providersLeft]),
    ...(passkeysLeft === undefined ? [] : [words.logins.passkeysLeft]),
  ]
  const texts = { ...said, event: [said.event, ...counts].join(' ') }
  const values = {
    when: inUtc(happenedAt, words.tag),
    newEmail: newEmail && shortenEmail(newEmail),
    provider,
    codesLeft: `${codesLeft}`,
    passkeysLeft: `${passkeysLeft}`,
    providersLeft: `${providersLeft}`,
  }
  if (undo && undoLink !== null) {
    const action = { button: undo.button, link: undoLink, lives: 'undo' as const }
    return write(words, { ...texts, warning: undo.warning }, to, from, values, action)
  }
  const warning = (isSetUpUndoable && warningWithSetUpLink) || (isResetEnough && warningWithReset) || texts.warning
  return write(words, { ...texts, warning }, to, from, values)
}

/**
 * Such as `1 March 2026 at 12:00 UTC`, or the day alone: the owner's time zone is unknown. The format is made lazily:
 * at module load it cost a tenth of each cold start that can queue a notice. Digits and years are the same in all
 * languages, as in codes and at the support desk.
 */
const inUtc = (time: Date, tag: string): string => `${inZone(time, tag, { timeStyle: 'short' })} UTC`

function inZone(time: Date, tag: string, style: Intl.DateTimeFormatOptions): string {
  const locale = tag === 'en' ? 'en-GB' : `${tag}-u-ca-gregory-nu-latn`
  return time.toLocaleString(locale, { dateStyle: 'long', timeZone: 'UTC', ...style })
}

function write(
  words: LetterWords,
  texts: OwnTexts,
  to: Recipient,
  from: Sender,
  values: Record<string, string>,
  action?: { button: string; link: string; lives: Lifetime | Date },
): Letter {
  const { frame } = words
  const { productName: product, supportEmail: support } = from
  const name = safeName(to)
  const greeting = name === '' ? frame.hello : frame.helloName
  const sender = support === null ? frame.sender : frame.senderWithSupport
  const { lives } = action ?? {}
  const isDated = lives instanceof Date
  const limits = {
    lifetime: lives && !isDated ? lifetimeInWords(lives, words.tag) : '',
    until: isDated ? inUtc(lives, words.tag) : '',
  }
  const all = { ...values, ...limits, product, support: support ?? '', email: to.email, name }
  const ask = action && { ...action, limit: isDated ? frame.until : frame.lifetime }
  return layOut(words, { ...texts, greeting, sender }, all, ask ?? null, from)
}

/** The name only when the address is verified: anybody can register any address under any name. */
const safeName = ({ name, isVerified }: Recipient): string => (isVerified ? plainName(name ?? '') : '')

/**
 * A name or a label that cannot pass for anything else, because a stranger may have chosen it: without line breaks and
 * invisible characters, which older names may have, and with a zero-width space where mail clients would otherwise make
 * a link.
 */
const plainName = (name: string): string =>
  replaceHidden(name, ' ')
    .replace(/(?<=\.)(?=[\p{L}\p{N}]{2})|(?<=[:@])(?=\S)/gu, '\u200b')
    .trim()
