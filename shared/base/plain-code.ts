/**
 * A typed code reduced to letters and ASCII digits: phones and office programs produce wide characters, other scripts'
 * digits, and spaces, dashes and direction marks.
 */
export const toPlainCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(/\p{Nd}/gu, digitValue)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Decimal digits are in order, in runs of ten, of which some touch (UAX #44, Decimal). */
function digitValue(digit: string): string {
  const point = digit.codePointAt(0) ?? 0
  let first = point
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--
  return String((point - first) % 10)
}
