/**
 * Invisible characters, which make two names look the same or change how the text around them reads: soft hyphen,
 * zero-width space and byte order mark, line and paragraph separator, everything that directs text (UAX #9 §2), the
 * blanks of Hangul and Braille, and tags (the Unicode Standard, §23.9). U+200C and U+200D stay: Persian, Indic scripts
 * and emoji need them.
 */
export const misleadingCharacter =
  /[\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\u2800\u3164\ufeff\uffa0]|[\u{e0000}-\u{e007f}]/u
