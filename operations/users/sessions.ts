import { listSessions, type Session, type SessionRules } from '../../shared/accounts/sessions/session.ts'
import type { AccountItem } from '../../shared/store/account-item.ts'
import { toSessions } from '../../shared/store/session-item.ts'
import type { Stack } from '../command-line/stack.ts'

/** The sessions of an account that have not ended, by the settings of its stack. */
export function sessionsOf(account: AccountItem, { outputs }: Pick<Stack, 'outputs'>, now: Date): Session[] {
  const rules: SessionRules = {
    secondFactor: outputs.SecondFactor,
    sessionDays: Number(outputs.SessionDays),
    sessionIdleDays: Number(outputs.SessionIdleDays),
    tokensNotBefore: outputs.TokensNotBefore ? new Date(outputs.TokensNotBefore) : null,
  }
  const holder = { tokenVersion: account.token_version, sessions: toSessions(account.sessions) }
  return listSessions(holder, undefined, rules, now)
}
