import { lookUp } from '../../shared/base/language.ts'
import { CommandError } from '../command-line/failures.ts'
import type { Stack } from '../command-line/stack.ts'
import { actionCommand, noNotice } from './action-command.ts'
import { accountOperand } from './find-account.ts'

export const languageCommand = actionCommand({
  summary: "Sets the language of an account's mails, or none.",
  operand: `${accountOperand} <tag>|none`,
  details: `A tag leads to a language of LANGUAGES: de-AT to de. With none, mails are in the default language. It holds at once for notices
too, which follow a change by the owner seven days later: be sure who asks, because a thief may want warnings that the owner cannot read.`,
  action: choice => ({
    already: (account, stack) => {
      const language = languageOf(choice, stack)
      if (account.language !== language || account.language_until !== undefined) return null
      return language === undefined ? 'has no language' : `has the language ${language} already`
    },
    write: (table, account, now, stack) => table.setLanguage(account, languageOf(choice, stack), now),
    done: (_, stack) => {
      const language = languageOf(choice, stack)
      return `${language === undefined ? 'has no language any more' : `has the language ${language} now`}: mails and notices to it use ${
        language === undefined ? 'the default' : 'that'
      } at once. ${noNotice}`
    },
  }),
})

/** The offered language that an operand leads to, or none. @throws {CommandError} */
export function languageOf(choice: string, { outputs, title }: Stack): string | undefined {
  if (choice === 'none') return undefined
  const { Languages: languages = '' } = outputs
  if (languages === '') throw new CommandError(`${title} offers no languages, because LANGUAGES is not set`)
  const found = lookUp(languages.split(','), choice)
  if (found === null) throw new CommandError(`pass none, or a language of ${languages}, not '${choice}'`, 2)
  return found
}
