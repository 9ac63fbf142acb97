/**
 * Characters that are invisible, or change how the text around them reads, by property (UAX #44): ignorables, formats,
 * controls, and line and paragraph separators. Joiners and variation selectors stay where scripts and emoji need them.
 */

/** Visible, alone or on the character before. */
const seen = String.raw`[^\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}]`

/** Neighbours of joiners: in words of Persian and Indic scripts, and in emoji (UTS #51 §2.2). */
const joined = String.raw`(?=${seen})[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]`

/** Characters of Canonical_Combining_Class 9, a property that regular expressions lack: they remove the vowel of the letter before. */
const viramas =
  String.raw`\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84` +
  String.raw`\u1039\u103a\u1714\u1715\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c\ua8c4` +
  String.raw`\ua953\ua9c0\uaaf6\uabed\u{10a3f}\u{11046}\u{11070}\u{1107f}\u{110b9}\u{11133}\u{11134}\u{111c0}` +
  String.raw`\u{11235}\u{112ea}\u{1134d}\u{113ce}-\u{113d0}\u{11442}\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}` +
  String.raw`\u{11839}\u{1193d}\u{1193e}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}\u{11d44}\u{11d45}\u{11d97}` +
  String.raw`\u{11f41}\u{11f42}\u{1612f}`

/** Selectors of an emoji's presentation (UTS #51 §2.1), or an ideograph's form (UTS #37). */
const selected = String.raw`\p{Emoji}\ufe0f|\p{Ideographic}[\u{e0100}-\u{e01ef}]`

/** A character with its possible followers, without lookbehind, which some supported browsers lack. */
const unit =
  // A virama's joiner at the end of a word, such as that of Malayalam's chillus.
  String.raw`(?:[${viramas}]\u200d(?!${joined}|\p{N})` +
  String.raw`|(?:${selected}|${joined})(?:[\u200c\u200d](?=${joined}))?` +
  `|(?!${joined})${seen})`

interface Patterns {
  visible: RegExp
  runs: RegExp
}
let made: Patterns | undefined

/** Made on first use: their Unicode properties take milliseconds of a cold start. */
function patterns(): Patterns {
  made ??= { visible: new RegExp(`^${unit}*$`, 'u'), runs: new RegExp(`(${unit}+)|(?:(?!${unit})[^])+`, 'gu') }
  return made
}

export const hasHidden = (text: string): boolean => !patterns().visible.test(text)

/** Replaces every run of hidden characters. */
export const replaceHidden = (text: string, replacement: string): string =>
  text.replace(patterns().runs, (_, shown?: string) => shown ?? replacement)

/** Blanks alone: to Unicode, Braille's (U+2800) is a symbol. */
export const isBlank = (text: string): boolean => /^[\p{Zs}\u2800]+$/u.test(text)

/** Escapes terminal controls and line breaks as JSON does, so JSON keeps its meaning. */
export const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    found => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
