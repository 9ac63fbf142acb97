import { canonicalEmail } from '../../accounts/address/address.ts'

/** `ada@example.com`, or `Ada <ada@example.com>`, where the display name may be quoted. */
const mailbox = /^(?:(?:"([^\p{Cc}"\\]*)"\s*|([^\p{Cc}<>"\\@,]*))<([^<>\s]+)>|([^<>\s]+))$/u

/** The sender in the local inbox. */
const localAddress = /^[\w.+-]+@localhost$/

function parse(text: string): { name: string; address: string } | null {
  const [, quoted, plain = '', inBrackets, bare] = mailbox.exec(text.trim()) ?? []
  const written = inBrackets ?? bare ?? ''
  const address = canonicalEmail(written) ?? (localAddress.test(written) ? written : null)
  return address === null ? null : { name: (quoted ?? plain).trim(), address }
}

/** The address of a sender in canonical form, as IAM compares it; null if `text` is not a sender. */
export const senderAddress = (text: string): string | null => parse(text)?.address ?? null

/** A sender for a `From` field (RFC 5322 §3.4), with its address in canonical form; null if `text` is not a sender. */
export function senderField(text: string): string | null {
  const sender = parse(text)
  if (sender === null) return null
  return sender.name === '' ? sender.address : `${displayName(sender.name)} <${sender.address}>`
}

/** The result of `senderField`, with this display name if it has none. */
export const namedSender = (field: string, name: string): string =>
  field === '' || field.endsWith('>') ? field : `${displayName(name)} <${field}>`

/**
 * Atoms stay unchanged (RFC 5322 §3.2.3), and other ASCII is quoted. The rest is encoded (RFC 2047), and so is ASCII
 * that needs escaping or looks like an encoded word.
 */
function displayName(name: string): string {
  if (/^(?!.*=\?)[\w !#$%&'*+\-/=?^`{|}~]*$/.test(name)) return name
  return /^(?!.*=\?)[\x20-\x7e]*$/.test(name) && !/["\\]/.test(name) ? `"${name}"` : encodedWords(name).join(' ')
}

/** Bytes of text per encoded word: with `=?UTF-8?B?` and `?=`, their base64 fits in 75 characters (RFC 2047 §2). */
const maxWord = 45

/** Non-ASCII text as encoded words (RFC 2047), separated by white space. */
export function encodedWords(text: string): string[] {
  const words = ['']
  for (const character of text) {
    const longer = `${words.at(-1)}${character}`
    if (Buffer.byteLength(longer) <= maxWord) words[words.length - 1] = longer
    else words.push(character)
  }
  return words.map(word => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`)
}
