import type { Config } from '../../shared/base/config.ts'
import { defaultLanguage, lookUp } from '../../shared/base/language.ts'
import { day } from '../../shared/base/limits/windows.ts'
import type { Account, ProfileChange } from '../account/account.ts'

/** What an account says of the language of its mails. */
type Speaker = Pick<Account, 'language' | 'languageBefore' | 'languageUntil'>

type Offer = Pick<Config, 'languages'>

/** Milliseconds. Who has a stolen login could otherwise make every warning unreadable first. */
export const noticesFollowAfter = 7 * day * 1000

/** The offered language that an account chose, or null. A tag that is not offered (any more) counts as none. */
export const chosenLanguage = ({ languages }: Offer, { language }: Pick<Account, 'language'>): string | null =>
  language === null ? null : lookUp(languages, language)

/** The language of a notice to an account, as it was stored, or null. It follows a change of language seven days later. */
export const noticeLanguage = (account: Speaker, now: Date): string | null =>
  formerLanguage(account, now) ?? account.language

/**
 * What a change to an offered language stores; nothing for the present one. While notices still use a former language, they go
 * on doing so as long as they would have.
 */
export function languageChange(config: Offer, account: Speaker, language: string, now: Date): ProfileChange {
  const present = chosenLanguage(config, account)
  if (language === present) return {}
  if (formerLanguage(account, now) !== null) return { language }
  const until = new Date(now.getTime() + noticesFollowAfter)
  return { language, noticesIn: { language: present ?? defaultLanguage(config.languages), until } }
}

/** The language that notices used at a moment in place of the account's own, or null; an undo puts it back. */
export const formerLanguage = ({ languageBefore, languageUntil }: Speaker, at: Date): string | null =>
  languageUntil !== null && at < languageUntil ? languageBefore : null
