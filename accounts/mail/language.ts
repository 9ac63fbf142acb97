import type { Config } from '../../shared/base/config.ts'
import { defaultLanguage, lookUp } from '../../shared/base/language.ts'
import { day } from '../../shared/base/limits/windows.ts'
import type { Account, ProfileChange } from '../account/account.ts'

/** An account's settings for the language of its mails. */
type Speaker = Pick<Account, 'language' | 'languageBefore' | 'languageUntil'>

type Offer = Pick<Config, 'languages'>

/** Milliseconds. Otherwise a thief with a stolen login could first make every warning unreadable. */
export const noticesFollowAfter = 7 * day * 1000

/** The account's chosen language if it is offered, else null. */
export const chosenLanguage = ({ languages }: Offer, { language }: Pick<Account, 'language'>): string | null =>
  language === null ? null : lookUp(languages, language)

/** The stored language of notices to an account, or null. It follows a change of language seven days later. */
export const noticeLanguage = (account: Speaker, now: Date): string | null =>
  formerLanguage(account, now) ?? account.language

/**
 * Stored by a change to an offered language; nothing if it is the present one. Notices that still use a former language
 * do so until the same day as before.
 */
export function languageChange(config: Offer, account: Speaker, language: string, now: Date): ProfileChange {
  const present = chosenLanguage(config, account)
  if (language === present) return {}
  if (formerLanguage(account, now) !== null) return { language }
  const until = new Date(now.getTime() + noticesFollowAfter)
  return { language, noticesIn: { language: present ?? defaultLanguage(config.languages), until } }
}

/** The language that notices used at a moment in place of the account's own, or null. An undo restores it. */
export const formerLanguage = ({ languageBefore, languageUntil }: Speaker, at: Date): string | null =>
  languageUntil !== null && at < languageUntil ? languageBefore : null
