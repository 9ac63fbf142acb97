// Percent-encoding in forms: `+` is a space, escapes are UTF-8 (URL Standard, application/x-www-form-urlencoded).

/** A decoded text, and whether it was malformed. */
type Decoded = { text: string; isMalformed: boolean }

export const escapes = /(?:%[0-9a-f]{2})+/gi

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

/** Encodes a text for all decoders. @param text well-formed */
export const encode = (text: string): string => encodeURIComponent(text)

/** Other files than those that decode leave it out. */
const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true })

export const bytesOf = (run: string): Uint8Array =>
  Uint8Array.from({ length: run.length / 3 }, (_, at) => Number.parseInt(run.slice(3 * at + 1, 3 * at + 3), 16))
