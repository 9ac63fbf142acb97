import type { Config } from '../../shared/base/config.ts'
import { replaceHidden } from '../../shared/base/hidden-characters.ts'
import { shortened } from '../address/address.ts'
import type { Identity } from '../identity/identity.ts'
import type { Passkey } from '../passkey/passkey.ts'
import { type Lifetime, lifetimeInWords } from '../token/token.ts'
import { type Item, type Letter, layOut, type Texts } from './layout.ts'
import { type Link, links, type NoticeMessage } from './queue.ts'
import type { LetterWords, LinkKind } from './words.ts'

/** Who mails are from: the product's name, and the address that people can write to. */
export type Sender = Pick<Config, 'productName' | 'supportEmail'>

export interface Recipient {
  email: string
  name: string | null
  isVerified: boolean
}

/** What a mail says of itself. */
type OwnTexts = Omit<Texts, 'greeting' | 'sender'>

/**
 * Writes the mail that carries a one-time link, as plain text and as HTML.
 *
 * @param to the account; the reader of the mail may be somebody else
 * @param link absolute, with the token
 * @param until when the link ends, where its request does not tell: the mail of an invitation may be a later one
 * @param logins what else logs in, which the mail lists
 */
export function writeLink(
  words: LetterWords,
  kind: LinkKind,
  to: Recipient,
  link: string,
  from: Sender,
  until: Date | null = null,
  logins: Logins = { identities: [], passkeys: [] },
): Letter {
  const { button, ...texts } = words.links[kind]
  const { lifetime } = Object.values<Link>(links).find(({ letter }) => letter === kind) as Link
  const items = itemsOf(words, logins)
  const list = items.length > 0 && { list: { heading: words.logins.heading, items } }
  return write(words, { ...texts, ...list }, to, from, {}, { button, link, lives: until ?? lifetime })
}

/** What logs in to an account beside its password. `provider` is the name of an identity's. */
export interface Logins {
  identities: readonly (Pick<Identity, 'email' | 'connectedAt'> & { provider: string })[]
  passkeys: readonly Pick<Passkey, 'label' | 'createdAt'>[]
}

function itemsOf({ logins, tag }: LetterWords, { identities, passkeys }: Logins): Item[] {
  const dayOf = (time: Date) => inZone(time, tag, {})
  return [
    ...identities.map(({ provider, email, connectedAt }) => ({
      text: email === null ? logins.providerAlone : logins.provider,
      values: { provider, address: plainName(email ?? ''), day: dayOf(connectedAt) },
    })),
    ...passkeys.map(({ label, createdAt }) => ({
      text: logins.passkey,
      values: { label: plainName(label), day: dayOf(createdAt) },
    })),
  ]
}

export interface NoticeDetails {
  /** The account's new address, if it has one. */
  newEmail?: string
  /** Undoes what happened; absolute, with the token. */
  undoLink?: string | null
  /** Whether the link in the mail about the second factor undoes it. */
  isSetUpUndoable?: boolean
  /** Whether a reset that keeps no other login takes it back. */
  isResetEnough?: boolean
  /** The name of the provider that it is about. */
  provider?: string
  /** How many recovery codes are left. */
  codesLeft?: number
  /** How many passkeys can log in; absent where the owner never had one. */
  passkeysLeft?: number | undefined
  /** How many logins at other providers are connected; absent where the owner never had one. */
  providersLeft?: number | undefined
}

/** What a notice says in its forms: where a link undoes what happened, this mail's or that about the second factor. */
type NoticeTexts = OwnTexts & {
  undo?: { button: string; warning: string }
  warningWithSetUpLink?: string
  warningWithReset?: string
}

/** Writes the mail that tells owners what happened to their account, and when. */
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
    newEmail: newEmail && shortened(newEmail),
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
 * Such as `1 March 2026 at 12:00 UTC`, or the day alone, because nobody knows where the owner is. The format is made when a mail needs it:
 * made as the module loads, it took a tenth of the cold start of each function that can queue a notice. Some languages have
 * digits and years of their own, which neither codes nor the people of support have.
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
  { productName: product, supportEmail: support }: Sender,
  values: Record<string, string>,
  action?: { button: string; link: string; lives: Lifetime | Date },
): Letter {
  const { frame } = words
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
  return layOut(words, { ...texts, greeting, sender }, all, ask ?? null)
}

/** The name only when the address is verified: anybody can register any address under any name. */
const safeName = ({ name, isVerified }: Recipient): string => (isVerified ? plainName(name ?? '') : '')

/**
 * A name or a label that cannot pass for anything else, because a stranger may have chosen it:
 * without line breaks and invisible characters, which an older name may have, and with a zero-width space where mail
 * clients would otherwise make a link of it.
 */
const plainName = (name: string): string =>
  replaceHidden(name, ' ')
    .replace(/(?<=\.)(?=[\p{L}\p{N}]{2})|(?<=[:@])(?=\S)/gu, '\u200b')
    .trim()
