import { domainToASCII, domainToUnicode } from 'node:url'

/**
 * A host name in lower case: at least two labels, each of 1 to 63 letters, digits and inner hyphens (RFC 1035 §2.3.1,
 * RFC 1123 §2.1).
 */
export const hostName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** RFC 5321 §4.1.2 `Dot-string`: atoms of RFC 5322's atext, separated by single dots. */
const dotAtom = /^[a-z0-9!#$%&'*+\-/=?^_`{|}~]+(?:\.[a-z0-9!#$%&'*+\-/=?^_`{|}~]+)*$/i

/**
 * The start of an encoded word (RFC 2047 §2). No mailer should decode one in an address (§5), but some do, and then
 * send to another mailbox than the stored one.
 */
const encodedWord = '=?'

/** RFC 5321 §4.5.3.1.1. */
const maxLocalPart = 64

/** RFC 5321 §4.5.3.1.3 without the two angle brackets. */
export const maxAddress = 254

/**
 * The one form in which an address is stored, compared, returned and mailed to: trimmed, with its domain in punycode,
 * in lower case. The local part must be ASCII before case is folded, so that no look-alike (U+212A for K) can become
 * another account's address. SES, which lacks SMTPUTF8, could not mail to it either.
 *
 * @returns null when `text` is not a valid address
 */
export function canonicalEmail(text: string): string | null {
  const address = text.trim()
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  if (at < 1 || local.length > maxLocalPart || !dotAtom.test(local) || local.includes(encodedWord)) return null

  const domain = asciiDomain(address.slice(at + 1))
  if (domain === null || isNumeric(domain)) return null

  const canonical = `${local}@${domain}`.toLowerCase()
  return canonical.length <= maxAddress ? canonical : null
}

/** An address that only its owner recognises: `a…@example.org`. */
export const shortenEmail = (email: string): string => `${email[0]}…${email.slice(email.lastIndexOf('@'))}`

/** Folds by UTS #46, but without what a URL parser adds: percent-decoding, ports, paths. */
function asciiDomain(domain: string): string | null {
  if (domain.length > maxAddress || /[\s%:/?#@[\]\\<>^|]/.test(domain)) return null
  const ascii = domainToASCII(domain)
  return hostName.test(ascii) && !brokenPunycode.test(domainToUnicode(ascii)) ? ascii : null
}

/** A label that still starts so in Unicode is no valid punycode, but `domainToASCII` lets it pass. */
const brokenPunycode = /(?:^|\.)xn--/

/** A last label of digits makes a host an IPv4 address to a URL parser (WHATWG URL, "ends in a number"). */
const isNumeric = (domain: string): boolean => /^\d+$/.test(domain.slice(domain.lastIndexOf('.') + 1))

/** The address that a verification token proves and moves its account to, where it is not the account's own. */
export const pendingEmailAttribute = 'email_verification_to'

declare const movable: unique symbol
declare const openable: unique symbol

/** An address that an account may move to. Only `mayMove` makes one. */
export type MovableEmail = string & { readonly [movable]: true }

/** An address at which a person may open an account. Only `mayOpen` makes this type; the write of a new account takes no other. */
export type OpenableEmail = MovableEmail & { readonly [openable]: true }
