/**
 * Reads a typed code by what it says, in its letters and ASCII digits alone: phones and office programs write wide characters, the
 * digits of another script, and spaces, dashes and marks of direction around them.
 */
export const toPlainCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(/\p{Nd}/gu, digitValue)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Decimal digits stand in order, in runs of ten, of which some touch (UAX #44, Decimal). */
function digitValue(digit: string): string {
  const point = digit.codePointAt(0) ?? 0
  let first = point
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--
  return String((point - first) % 10)
}
