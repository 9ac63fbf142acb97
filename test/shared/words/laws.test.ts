import { describe, expect, test } from 'vitest'
import { en } from '../../../shared/words/en.ts'
import { withoutBreaks } from '../../../shared/words/fill.ts'
import { allLanguages, pseudo } from '../../../shared/words/pseudo.ts'
import { faultsOf, textsOf } from './laws.ts'

test.each(Object.entries(allLanguages))('%s says what English says, and nothing else', (_, words) => {
  // The reader's name is not part of the words.
  expect(faultsOf(textsOf({ ...words, read: null }), textsOf({ ...en, read: null }))).toEqual([])
})

test('French has a narrow space that does not break before signs of two parts', () => {
  const english = textsOf({ ...en, read: null })
  const spaced = [...textsOf({ ...allLanguages.fr, read: null })].filter(
    ([path, text]) => text !== english.get(path) && /[^\u202f\d](?<!https?)[:;?!](?!\/\/)/.test(text),
  )
  expect(spaced).toEqual([])
})

/** Words that people stumbled over, by language. Others have taken their place. */
const formerWords: Record<string, RegExp> = {
  en: /\b(a|the|our|no|each|that|newest) mails?\b|\bmails\b|\bmailed\b|\bmail (you|it|a)\b|code of the app|second factor|cannot be a|typing mistakes|does not suffice|logs in to this account|log you in no more|Stay logged in in|I have kept|Leave it out|\btries\b|\bon its way\b/i,
  de: /\bneu (an|re)|zweite[rn]? Faktor|\b(Eine|die|der) Mail\b|aufbewahrt|QR-Bild|\bdas kann kein|melden auch an|weglassen|es weg\b/i,
  fr: /second facteur|\bun message\b|Image QR|ne peut pas être un|vous êtes (dé)?connecté|serez déconnecté|rester connecté|me connais/i,
  es: /segundo factor|verifique|introdu[zc]|finali[zc]|imagen QR|no puede ser un|va en camino|se ha \p{L}+do|\bha (iniciado|cerrado)/iu,
}

test.each(Object.entries(formerWords))('%s has none of the words that others have replaced', (tag, former) => {
  const texts = textsOf({ ...allLanguages[tag], read: null })
  expect([...texts].filter(([, text]) => former.test(withoutBreaks(text)))).toEqual([])
})

test.each([
  ['the same in other words', 'At least 8 characters, {name}.', '{name}, mindestens 8 Zeichen.', []],
  ['an address that English has', 'Such as ada@example.com.', 'Etwa „ada@example.com“.', []],
  ['a file of text', '{product} codes.txt', '{product} Wieder\u00adherstellungs\u00adcodes.txt', []],
  ['a long word in a sentence', 'Keep the codes.', 'Wiederherstellungscodes aufheben.', []],
  ['a joiner, as Persian needs it', 'Codes', 'کد\u200cها', []],
  ['a link at another place', 'Log in [here].', '[Hier] anmelden.', []],
  ['no words', 'Log in', ' ', ['is empty']],
  ['another number', 'At least 8 characters', 'Mindestens 6 Zeichen', ['has other numbers']],
  ['a number less', 'At least 8 characters', 'Mindestens acht Zeichen', ['has other numbers']],
  ['a number more', 'Call us', 'Rufen Sie 0900 an', ['has other numbers']],
  ['digits of another script', 'At least 8 characters', 'حداقل ۸ نویسه', ['has other numbers']],
  ['an address of the web', 'Log in', 'Anmelden: https://evil', ['has another address']],
  ['an address whose host is a value', 'Log in to {product}', 'https://{product}', ['has another address']],
  ['a mailbox', 'Log in', 'eve@evil', ['has another address']],
  ['another mailbox', 'Such as ada@example.com.', 'Etwa eve@example.com.', ['has another address']],
  ['a domain', 'Log in', 'Auf evil.example anmelden', ['has another address']],
  ['a domain of other letters', 'Log in', 'Auf bäd.рф anmelden', ['has another address']],
  ['a domain with another dot', 'Log in', 'Auf evil．example anmelden', ['has another address']],
  ['a domain that breaks', 'Log in', 'Auf evil.\u00adexample anmelden', ['has another address']],
  ['another gap', 'Hello {name}', 'Hallo {email}', ['has other gaps']],
  ['a gap less', 'Hello {name}', 'Hallo', ['has other gaps']],
  ['a gap more', 'Hello {name}', 'Hallo {name} {email}', ['has other gaps']],
  ['a link less', 'Log in [here].', 'Hier anmelden.', ['has more or fewer links']],
  ['a link more', 'Log in [here].', '[Hier] [anmelden].', ['has more or fewer links']],
  ['half a gap', 'Log in', 'Anmelden {', ['has a bracket without its partner']],
  ['half a link', 'Log in', 'Anmelden]', ['has a bracket without its partner']],
  ['a link in a link', 'Log in [here].', 'Anmelden [[hier]].', ['has a bracket without its partner']],
  [
    'a long word in a heading',
    'Codes',
    'Wiederherstellungscodes',
    ['has a word of over 14 letters that does not break'],
  ],
  [
    'a long piece of one',
    'Codes',
    'Wieder\u00adherstellungscodes',
    ['has a word of over 14 letters that does not break'],
  ],
  ['a break in a sentence', 'Keep it.', 'Auf\u00adheben.', ['breaks a word where programs do']],
  ['text that is turned around', 'Log in', '\u202eAnmelden', ['has a character that no name may have']],
  ['an invisible character', 'Log in', 'An\u200bmelden', ['has a character that no name may have']],
  ['a new line', 'Log in', 'An\nmelden', ['has a character that no name may have']],
  ['half a character', 'Log in', 'Anmelden \ud800', ['has a character that no name may have']],
])('the laws on %s', (_, english, text, said) => {
  const faults = said.map(each => `pages.a ${each}`)
  expect(faultsOf(new Map([['pages.a', text]]), new Map([['pages.a', english]]))).toEqual(faults)
})

test('the laws let no word of a mail break, not even in its heading', () => {
  const faults = ['mails.a breaks a word where programs do']
  expect(faultsOf(new Map([['mails.a', 'Wieder\u00adherstellungscodes']]), new Map([['mails.a', 'Codes']]))).toEqual(
    faults,
  )
})

test('the laws name a text that is missing', () => {
  expect(faultsOf(new Map(), new Map([['a', 'Log in']]))).toEqual(['a is missing'])
})

describe.each(Object.entries(pseudo))('%s', (_, words) => {
  const wordsOf = ({ mails, pages }: { mails: object; pages: object }) => textsOf({ mails, pages })
  const english = wordsOf(en)

  test('shows no plain letter, and is longer by two fifths', () => {
    for (const [name, text] of wordsOf(words)) {
      const shown = text.replaceAll(/\{\w+\}/g, '')
      expect(shown).not.toMatch(/[a-z]/i)
      expect(shown).toMatch(/^⟦.*⟧$/)
      expect(text.length).toBeGreaterThan((english.get(name)?.length ?? 0) * 1.4)
    }
  })
})

test('ar-XB runs right to left, en-XA left to right', () => {
  for (const text of textsOf(pseudo['ar-XB'].pages).values())
    expect(text.replaceAll(/\{\w+\}/g, '')).toMatch(/^⟦[^\p{L}]*\p{Script=Arabic}/u)
  expect(Object.values(pseudo).map(({ dir }) => dir)).toEqual(['ltr', 'rtl'])
})
