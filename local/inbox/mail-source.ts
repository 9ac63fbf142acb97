import { encodedWords } from '../../infra/settings/sender.ts'
import type { Mail } from './inbox.ts'

/** Cannot occur in a body, where `=` begins a code or ends a line (RFC 2045 §6.7). */
const boundary = '=_gatehouse'

/**
 * A mail as its recipient gets it: header fields and body (RFC 5322, RFC 2045). SES composes such a message of its
 * parts, and adds fields of its own, such as signatures.
 */
export function sourceOf({ messageId, from, destination, replyTo, subject, body, at }: Mail): string {
  const fields: [name: string, value: string][] = [
    ['From', from],
    ['To', listAddresses(destination.to)],
    ['Cc', listAddresses(destination.cc)],
    ['Reply-To', listAddresses(replyTo)],
    ['Subject', /^(?!.*=\?)[\x20-\x7e]*$/.test(subject) ? subject : encodedWords(subject).join('\r\n ')],
    ['Date', new Date(at * 1000).toUTCString().replace('GMT', '+0000')],
    ['Message-ID', `<${messageId}@email.amazonses.com>`],
    ['MIME-Version', '1.0'],
  ]
  const header = fields.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}\r\n`])).join('')
  const parts = [
    ...(body.text === undefined ? [] : [part('text/plain', body.text)]),
    ...(body.html === undefined ? [] : [part('text/html', body.html)]),
  ]
  if (parts.length < 2) return `${header}${parts.join('')}`
  const [text, html] = parts
  return `${header}Content-Type: multipart/alternative; boundary="${boundary}"\r
\r
--${boundary}\r
${text}\r
--${boundary}\r
${html}\r
--${boundary}--\r
`
}

/** Addresses, one a line: a line has at most 998 characters (RFC 5322 §2.1.1). */
const listAddresses = (addresses: readonly string[]): string => addresses.join(',\r\n ')

const part = (type: string, text: string): string => `Content-Type: ${type}; charset=UTF-8\r
Content-Transfer-Encoding: quoted-printable\r
\r
${quotedPrintable(text)}`

/** Characters of a line, before the `=` that breaks it (RFC 2045 §6.7). */
const maxLine = 75

function quotedPrintable(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(line => {
      const characters = [...Buffer.from(line)].map((byte, i, { length }) => {
        // White space is allowed anywhere except at the end of a line.
        const isPlain = byte === 0x09 || byte === 0x20 ? i < length - 1 : byte > 0x20 && byte < 0x7f && byte !== 0x3d
        return isPlain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
      })
      const lines = ['']
      for (const character of characters) {
        const longer = `${lines.at(-1)}${character}`
        if (longer.length <= maxLine) lines[lines.length - 1] = longer
        else lines.push(character)
      }
      return lines.join('=\r\n')
    })
    .join('\r\n')
}
