import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LetterWords, letterWordsFile } from '../../accounts/mail/words.ts'
import { bundleOf } from '../../infra/build/function-bundles.ts'
import { allLanguages } from '../../shared/words/pseudo.ts'

/** The built words of mails in each language. */
const everyLanguage: readonly LetterWords[] = Object.keys(allLanguages).map(tag =>
  JSON.parse(readFileSync(join(bundleOf('on-mail-queued'), letterWordsFile(tag)), 'utf8')),
)

export function letterWords(tag: string): LetterWords {
  const words = everyLanguage.find(words => words.tag === tag)
  if (!words) throw new Error(`No mails are built in ${tag}`)
  return words
}

export const english: LetterWords = letterWords('en')
