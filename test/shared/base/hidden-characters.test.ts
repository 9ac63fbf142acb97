import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasHidden, isBlank, replaceHidden } from '../../../shared/base/hidden-characters.ts'
import { seed } from '../../support/property.ts'

/** Every code point of Unicode except the surrogates. */
const characters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter(code => code < 0xd800 || code > 0xdfff)
  .map(code => String.fromCodePoint(code))

const isIgnored = (character: string) => /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}]$/u.test(character)
/** Assigned characters, and reserved ones that are ignorable. */
const assigned = characters.filter(character => !/^[\p{Cn}\p{Co}]$/u.test(character) || isIgnored(character))

const isSeen = (character: string) => !isIgnored(character)
const isJoinable = (character: string) =>
  isSeen(character) && /^[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u.test(character)

const isReordered = (marks: string) => marks.normalize('NFD') !== marks
/** Canonical_Combining_Class 9: normalisation puts it before a mark of class 10 (U+05B0) and behind one of 8 (U+3099). */
const isVirama = (character: string) =>
  !isReordered(character) && isReordered(`\u05b0${character}`) && isReordered(`${character}\u3099`)

/** The rule by place: the characters that a text may have there. */
const places: [place: string, around: (character: string) => string, isAllowed: (character: string) => boolean][] = [
  ['between two letters', c => `a${c}a`, c => isSeen(c) || c === '\u200c' || c === '\u200d'],
  ['alone', c => c, isSeen],
  ['before a joiner', c => `${c}\u200da`, isJoinable],
  ['before a non-joiner', c => `${c}\u200ca`, isJoinable],
  ['behind a joiner', c => `a\u200d${c}`, isJoinable],
  ['behind a non-joiner', c => `a\u200c${c}`, isJoinable],
  ['before a joiner that ends the text', c => `${c}\u200d`, isVirama],
  ['before a joiner that ends the word', c => `${c}\u200d a`, isVirama],
  ['before a non-joiner that ends the word', c => `${c}\u200c a`, () => false],
  ['before the selector of emoji', c => `${c}\ufe0f`, c => /^\p{Emoji}$/u.test(c)],
  ['before the first selector of ideographs', c => `${c}\u{e0100}`, c => /^\p{Ideographic}$/u.test(c)],
  ['before the last selector of ideographs', c => `${c}\u{e01ef}`, c => /^\p{Ideographic}$/u.test(c)],
]

test.each(places)(
  'of all code points, those that may stand %s are those of the properties',
  (place, around, isAllowed) => {
    const wrong = (place === 'alone' ? characters : assigned).filter(
      character => hasHidden(around(character)) === isAllowed(character),
    )
    expect(wrong.map(character => character.codePointAt(0)?.toString(16))).toEqual([])
  },
)

test.each([
  ['Sinhala, with a joiner behind a virama', 'ශ්‍රී'],
  ['Sinhala, in the middle of a word', 'ප්‍රේමචන්ද්‍ර'],
  ['Hindi, with a half letter', 'क्‍षमा'],
  ['Hindi, with a virama that is kept apart', 'श्री रामन्‌ना'],
  ['Malayalam, with a chillu at the end of a word', 'അനില്‍'],
  ['Malayalam, with chillus before a blank and a stop', 'അനില്‍ കുമാര്‍.'],
  ['Bengali, with a joiner before a virama', 'র‍্যাচেল'],
  ['Persian, with a non-joiner', 'نوش‌آفرین'],
  ['Japanese, with the form of an ideograph', '葛\u{e0100}城 渡邉\u{e0102}'],
  ['a family', '👩‍👩‍👧'],
  ['skins', '👩🏽‍🤝‍👨🏿'],
  ['a selector before a joiner', '❤️‍🔥 🏳️‍🌈'],
  ['a selector behind a joiner', '⛹🏻‍♂️ 🙂‍↔️'],
  ['keycaps', '1️⃣ #️⃣'],
  ['a flag of letters', '🇱🇰'],
  ['nothing', ''],
])('a text may be of %s: %s', (_, text) => {
  expect([hasHidden(text), isBlank(text), replaceHidden(text, '?')]).toEqual([false, false, text])
})

test.each([
  ['a flag of tags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴?'],
  ['a joiner at the end', 'Ada\u200d', 'Ada?'],
  ['a joiner at the beginning', '\u200dAda', '?Ada'],
  ['two joiners', 'Ada\u200d\u200dLovelace', 'Ada?Lovelace'],
  ['a joiner between a letter and a digit', 'Ada\u200d1', 'Ada?1'],
  ['a joiner between a virama and a digit', 'അനില്\u200d1', 'അനില്?1'],
  ['a joiner behind a mark of another class', 'e\u0301\u200d', 'e\u0301?'],
  ['a joiner before a hidden mark', 'Ada\u200d\u034f', 'Ada?'],
  ['a half emoji', '👩\u200d', '👩?'],
  ['a selector behind a letter', 'Ada\ufe0f', 'Ada?'],
  ['two selectors', '❤\ufe0f\ufe0f', '❤\ufe0f?'],
  ['the selector of text', '❤\ufe0e', '❤?'],
  ['another selector behind an ideograph', '葛\ufe00', '葛?'],
  ['the form of an ideograph behind a letter', 'a\u{e0100}', 'a?'],
  ['letters of no width', '\u115f\u1160\u3164\uffa0', '?'],
  ['a direction', 'Ada\u202e\u2066ecalevoL', 'Ada?ecalevoL'],
])('a text may not have %s', (_, text, replaced) => {
  expect([hasHidden(text), replaceHidden(text, '?')]).toEqual([true, replaced])
})

test('nothing is hidden in a text where what is hidden has been replaced', () => {
  const telling = [
    'a',
    'é',
    'e\u0301',
    '്',
    '1',
    ' ',
    '👩',
    '🏽',
    '葛',
    '\u200c',
    '\u200d',
    '\ufe0f',
    '\u034f',
    '\u{e0100}',
  ]
  const text = fc
    .array(fc.constantFrom(...telling, '\u202e', '\u{e0067}', '\n', '\u3164', '\u180b'))
    .map(all => all.join(''))
  const law = (each: string) =>
    !hasHidden(replaceHidden(each, ' ')) && (hasHidden(each) || replaceHidden(each, ' ') === each)
  fc.assert(fc.property(text, law), { seed, numRuns: 5000 })
})

describe('a text of blanks alone', () => {
  test.each([' ', '\u00a0\u2003\u3000', '\u2800'])('is one: %j', text => expect(isBlank(text)).toBe(true))
  test.each(['', ' a ', '\u2800\u2801', '\u0301'])('is another: %j', text => expect(isBlank(text)).toBe(false))
})

test('a long text that is refused at its end is read in one go', () => {
  // With two ways to read a character, these would have 2^200.
  for (const part of ['1\ufe0f', '❤\ufe0f\u200d', 'ക്\u200d', 'a\u200d', '葛\u{e0100}'])
    expect(hasHidden(`${part.repeat(200)}\u202e`)).toBe(true)
})
