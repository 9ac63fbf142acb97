import { writeFileSync } from 'node:fs'
import { command, run } from '../../../operations/command-line/command.ts'
import { CommandError } from '../../../operations/command-line/failures.ts'
import { print } from '../../../operations/command-line/terminal.ts'
import { pathOf } from '../../../operations/command-line/text-files.ts'
import { languages } from '../../../shared/words/languages.ts'
import { listOf, markTranslated, sheetOf, translationOf } from './translation.ts'

const tags = Object.keys(languages)
const translations = tags.filter(tag => tag !== 'en')

function known(tag: string, among = tags): string {
  if (!among.includes(tag)) throw new CommandError(`'${tag}' is none of ${among.join(', ') || 'no languages'}`, 2)
  return tag
}

const words = command({
  summary: 'Lists which texts of a language are borrowed from English, or older than their English text.',
  options: {
    sheet: {
      type: 'string',
      value: 'TAG',
      meaning: 'write words-TAG.md, for somebody who reads all texts of the language',
    },
    translated: {
      type: 'string',
      value: 'TAG',
      meaning: 'state that all texts of the language are as their English texts now',
    },
  },
  details: `A file in shared/words/ borrows a text that nobody has translated yet: en.pages.home.title. When an English text changes, its
translations are older, until somebody has been through them and runs --translated. shared/words/TAG.hashes.json keeps
the hashes of the English texts.`,
  async run({ sheet, translated }) {
    if (sheet !== undefined) {
      const file = `words-${known(sheet)}.md`
      writeFileSync(pathOf(file), sheetOf(translationOf(sheet)))
      print(`${file} is written`)
    }
    if (translated !== undefined) print(`${markTranslated(known(translated, translations))} texts are older no more`)
    if (sheet === undefined && translated === undefined)
      for (const tag of tags) print(listOf(translationOf(tag)).split('\n'))
    return 0
  },
})

await run('words', words.summary, { '': words })
