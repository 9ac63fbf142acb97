import { en } from './en.ts'
import { type Part, partsOf } from './fill.ts'
import { languages } from './languages.ts'
import type { Words } from './words.ts'

/**
 * Pseudo-languages made from English, for tests and for looking at pages: a plain letter reveals text that is not from
 * `shared/words/`. Digits stay. Tags as in the Unicode CLDR (Pseudolocalization).
 */

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const accented = 'åƀçđéƒĝħîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇĐÉƑĜĦÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ'
/** Right-to-left letters: marks of direction would hide faults of the surrounding text. */
const arabic = 'ابچدهفگحيجکلمنوپقرستعڤطخیز'.repeat(2)

/** A translation is some 40 % longer than short English texts (W3C, "Text size in translation"). */
const growth = 0.4
const filler = ' one two three four five six seven eight nine ten'.repeat(20)

function pseudoText(text: string, alphabet: string): string {
  const written = (words: string): string =>
    words.replaceAll(/[a-z]/gi, letter => alphabet[plain.indexOf(letter)] ?? '')
  const convert = (part: Part): string => {
    if (typeof part === 'string') return written(part)
    return 'gap' in part ? `{${part.gap}}` : `[${part.link.map(convert).join('')}]`
  }
  const more = written(filler.slice(0, Math.ceil(text.length * growth) + 1).trimEnd())
  return `⟦${partsOf(text).map(convert).join('')}${more}⟧`
}

function pseudoTexts<Texts extends object>(texts: Texts, alphabet: string): Texts {
  const made = Object.entries(texts).map(([name, text]) => [
    name,
    typeof text === 'string' ? pseudoText(text, alphabet) : pseudoTexts(text, alphabet),
  ])
  return Object.fromEntries(made)
}

const made = (dir: Words['dir'], alphabet: string): Words => {
  const { read: _, dir: __, ...texts } = en
  return { ...pseudoTexts<Omit<Words, 'read' | 'dir'>>(texts, alphabet), dir, read: null } as Words
}

export const pseudo: Record<'en-XA' | 'ar-XB', Words> = { 'en-XA': made('ltr', accented), 'ar-XB': made('rtl', arabic) }

/** The built languages: those that settings can offer, and those of `npm start` alone. */
export const allLanguages: Readonly<Record<string, Words>> = { ...languages, ...pseudo }
