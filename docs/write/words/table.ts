import { languages } from '../../../shared/words/languages.ts'
import { code, table } from '../markdown.ts'
import { translationOf } from './translation.ts'

/** The languages of pages and mails, as their files have them. */
export const languageTable = (): string =>
  table(
    ['Tag', 'Language', 'Direction', 'Form of address', 'Read by a native speaker', 'Texts still in English'],
    Object.keys(languages).map(tag => {
      const { language, dir, address, read, texts } = translationOf(tag)
      const borrowed = texts.filter(({ state }) => state === 'borrowed').length
      return [
        code(tag),
        language,
        dir,
        address,
        read ? `${read.by}, ${read.on}` : 'Not yet: a machine-assisted draft',
        tag === 'en' ? '' : String(borrowed),
      ]
    }),
    1,
  )
