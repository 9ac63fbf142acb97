import { hasHidden } from '../../../shared/base/hidden-characters.ts'
import { withoutBreaks } from '../../../shared/words/fill.ts'

/** Rules for a words file by any author. Types check gaps and links. */

const gap = /\{\w+\}/g
const link = /\[[^[\]]*\]/g

/** The matches of a pattern in a text. */
const all = (pattern: RegExp, text: string): string[] => [...text.matchAll(pattern)].map(([each]) => each).sort()
const alike = (some: readonly string[], others: readonly string[]): boolean => some.join(' ') === others.join(' ')

/** To a parser of addresses, compatible characters equal the usual ones: `．` is a dot. */
const wordsAlone = (text: string): string => withoutBreaks(text).replaceAll(gap, '\ufffc').normalize('NFKC')

/** Anything that a mailbox or a browser can take for an address: `ada@example.com`, `https://…`, `example.com`, but no text file. */
const address =
  /[^\s()„“”"'«»,;!?]*(?:@|:\/\/)[^\s()„“”"'«»,;!?]*|[\p{L}\p{N}\ufffc-]+(?:\.(?!txt\b)[\p{L}\p{N}\ufffc-]+)+/gu

const addressesIn = (text: string): string[] => all(address, wordsAlone(text)).map(each => each.replace(/[.:]+$/, ''))
const numbersIn = (text: string): string[] => all(/\p{N}+/gu, wordsAlone(text))
const gapsIn = (text: string): string[] => [...new Set(all(gap, text))]

/** Headings, buttons and the like: text that ends with a stop is set in lines, and mails leave breaks to the reader's program. */
const isLabel = (name: string, english: string): boolean => name.startsWith('pages.') && !/[.:…]$/.test(english)

/** The pieces of its words, at which a line can break. */
const piecesIn = (text: string): string[] => all(/[\p{L}\p{M}]+/gu, text.replaceAll(gap, ' '))

type Law = (text: string, english: string, name: string) => boolean

/** A rule about a text, and its check. */
const laws: Record<string, Law> = {
  'is empty': (text, english) => text.trim() === '' && english !== '',
  'has other numbers': (text, english) => !alike(numbersIn(text), numbersIn(english)),
  'has another address': (text, english) => {
    const known = addressesIn(english)
    return addressesIn(text).some(each => !known.includes(each))
  },
  'has other gaps': (text, english) => !alike(gapsIn(text), gapsIn(english)),
  'has more or fewer links': (text, english) => all(link, text).length !== all(link, english).length,
  'has a bracket without its partner': text => /[{}[\]]/.test(text.replaceAll(gap, '').replaceAll(link, '')),
  'has a word of over 14 letters that does not break': (text, english, name) =>
    isLabel(name, english) && piecesIn(text).some(({ length }) => length > 14),
  'breaks a word where programs do': (text, english, name) => text.includes('\u00ad') && !isLabel(name, english),
  'has a character that no name may have': text => hasHidden(withoutBreaks(text)) || !text.isWellFormed(),
}

/** Texts by name: `pages.home.title`. */
export type Texts = ReadonlyMap<string, string>

/** The texts of a file of words, or of a part of it. */
export function textsOf(words: object, within = ''): Map<string, string> {
  const entries = Object.entries(words).flatMap(([name, text]): [string, string][] => {
    const path = within === '' ? name : `${within}.${name}`
    if (typeof text === 'string') return [[path, text]]
    return text === null ? [] : [...textsOf(text as object, path)]
  })
  return new Map(entries)
}

/** The faults of a language's texts, compared with the English ones. */
export const faultsOf = (texts: Texts, english: Texts): string[] =>
  [...english].flatMap(([name, original]) => {
    const text = texts.get(name)
    if (text === undefined) return [`${name} is missing`]
    return Object.entries(laws).flatMap(([what, isSo]) => (isSo(text, original, name) ? [`${name} ${what}`] : []))
  })
