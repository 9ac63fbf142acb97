import type { Configured } from '../../shared/base/config.ts'
import { defaultLanguage } from '../../shared/base/language.ts'
import { withoutBreaks } from '../../shared/words/fill.ts'
import type { Words } from '../../shared/words/words.ts'
import { chosenLanguage } from './language.ts'

/** The words of mails in one language, and the names of what their foot links to, as pages have them. */
export type LetterWords = Words['mails'] &
  Pick<Words, 'dir'> &
  Pick<Words['pages']['forms'], 'browserOn'> & { tag: string; foot: Record<'terms' | 'privacy', string> }

/** The kinds of links that people ask for. */
export type LinkKind = keyof LetterWords['links']

/** Gives the words of a language that was built. */
export type LetterWordsIn = (tag: string) => LetterWords

/** The words file of a language, beside the worker's bundle, which itself holds no words. */
export const letterWordsFile = (tag: string): string => `letters.${tag}.json`

export const letterWordsOf = (tag: string, { dir, mails, pages: { forms, frame } }: Words): LetterWords => ({
  tag,
  dir,
  browserOn: forms.browserOn,
  ...mails,
  foot: { terms: withoutBreaks(frame.terms), privacy: withoutBreaks(frame.privacy) },
})

/**
 * The words of a mail, and the query of its links, which sets the language of their pages.
 *
 * @param language as stored, or null
 */
export function letterLanguage(
  { config, letterWords }: Configured<'languages'> & { letterWords: LetterWordsIn },
  language: string | null,
): { words: LetterWords; linkEnd: string } {
  const chosen = chosenLanguage(config, { language })
  const words = letterWords(chosen ?? defaultLanguage(config.languages))
  return { words, linkEnd: chosen === null ? '' : `&lang=${chosen}` }
}
