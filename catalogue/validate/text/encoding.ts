// Percent-encoding in forms: `+` is a space, escapes are UTF-8 (URL Standard, application/x-www-form-urlencoded).

/** A decoded text, and whether it was malformed. */
type Decoded = { text: string; isMalformed: boolean }

const escapes = /(?:%[0-9a-f]{2})+/gi

/** The escapes of one character (RFC 3629 §4): what `decodeURIComponent` accepts. */
const character =
  /%[0-7][\da-f]|%(?:c[2-9a-f]|d[\da-f]|e0%[ab][\da-f]|(?:e[1-9abcef]|f0%[9ab][\da-f]|f[1-3]%[89ab][\da-f]|f4%8[\da-f])%[89ab][\da-f]|ed%[89][\da-f])%[89ab][\da-f]/gi

/** Decodes leniently: a `%` without two digits stands for itself, bytes that are not UTF-8 for U+FFFD. */
export function decode(raw: string): Decoded {
  const spaced = raw.includes('+') ? raw.replaceAll('+', ' ') : raw
  if (!spaced.includes('%')) return { text: spaced.toWellFormed(), isMalformed: !spaced.isWellFormed() }
  // Checked first: an error costs more than everything else here, and a text may have thousands of such pairs.
  if (spaced.replace(character, '').includes('%')) return decodeLeniently(spaced)
  const text = decodeURIComponent(spaced)
  return { text: text.toWellFormed(), isMalformed: !text.isWellFormed() }
}

const decodeLeniently = (text: string): Decoded => ({
  text: text.replace(escapes, run => utf8.decode(bytesOf(run))).toWellFormed(),
  isMalformed: true,
})

/** A malformed text as likely meant: bytes that are not UTF-8 are most often Windows-1252. */
export function decodeAsMeant(raw: string): string {
  return raw
    .replaceAll('+', ' ')
    .replace(escapes, run => {
      let text = ''
      for (let at = 0; at < run.length; ) {
        const [character, length] = firstOf(run.slice(at, at + longestCharacter))
        text += character
        at += length
      }
      return text
    })
    .toWellFormed()
}

/** The length of the escapes of the longest UTF-8 character: four bytes. */
const longestCharacter = 4 * '%00'.length

/** The first character of a run of escapes, and the length of its escapes. */
function firstOf(run: string): [character: string, length: number] {
  for (let length = 3; length <= run.length; length += 3) {
    try {
      return [decodeURIComponent(run.slice(0, length)), length]
    } catch {
      // An incomplete character, or not UTF-8.
    }
  }
  return [new TextDecoder('windows-1252').decode(bytesOf(run.slice(0, 3))), 3]
}

/** Encodes a text for all decoders. @param text well-formed */
export const encode = (text: string): string => encodeURIComponent(text)

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

const bytesOf = (run: string): Uint8Array =>
  Uint8Array.from({ length: run.length / 3 }, (_, at) => Number.parseInt(run.slice(3 * at + 1, 3 * at + 3), 16))
