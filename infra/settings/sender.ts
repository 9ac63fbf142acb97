import { canonicalEmail } from '../../shared/accounts/email.ts'

/** `ada@example.com`, or in angle brackets behind a display name, which may be quoted. */
const mailbox = /^(?:(?:"([^\p{Cc}"\\]*)"\s*|([^\p{Cc}<>"\\@,]*))<([^<>\s]+)>|([^<>\s]+))$/u

/** `localhost` serves the local inbox. */
const localAddress = /^[\w.+-]+@localhost$/

function parse(text: string): { name: string; address: string } | null {
  const [, quoted, plain = '', inBrackets, bare] = mailbox.exec(text.trim()) ?? []
  const written = inBrackets ?? bare ?? ''
  const address = canonicalEmail(written) ?? (localAddress.test(written) ? written : null)
  return address === null ? null : { name: (quoted ?? plain).trim(), address }
}

/** The bare address of a sender in its canonical form, which is what IAM compares; null when it is none. */
export const senderAddress = (text: string): string | null => parse(text)?.address ?? null

/** A sender as a `From` field takes it (RFC 5322 §3.4), its address in canonical form; null when it is none. */
export function senderField(text: string): string | null {
  const sender = parse(text)
  if (sender === null) return null
  return sender.name === '' ? sender.address : `${displayName(sender.name)} <${sender.address}>`
}

/** A sender that `senderField` has made, by this name unless it has one of its own. */
export const namedSender = (field: string, name: string): string =>
  field === '' || field.endsWith('>') ? field : `${displayName(name)} <${field}>`

/**
 * RFC 5322 §3.2.3 atoms stay as they are, other ASCII is quoted, and the rest encoded by RFC 2047: what would have to be
 * escaped too, or would be taken for something encoded.
 */
function displayName(name: string): string {
  if (/^(?!.*=\?)[\w !#$%&'*+\-/=?^`{|}~]*$/.test(name)) return name
  return /^(?!.*=\?)[\x20-\x7e]*$/.test(name) && !/["\\]/.test(name) ? `"${name}"` : encodedWords(name).join(' ')
}

/** Bytes of text in an encoded word: with its frame, their base64 stays below the 75 characters of RFC 2047 §2. */
const maxWord = 45

function encodedWords(text: string): string[] {
  const words = ['']
  for (const character of text) {
    const longer = `${words.at(-1)}${character}`
    if (Buffer.byteLength(longer) <= maxWord) words[words.length - 1] = longer
    else words.push(character)
  }
  return words.map(word => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`)
}
