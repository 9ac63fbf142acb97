import { isAccountId } from '../../accounts/account/account.ts'
import type { AccountItem } from '../../accounts/account/attributes.ts'
import { listSessions, type Session, type SessionRules, toSessions } from '../../accounts/session/session.ts'
import { emailOf, type OptionValues } from '../command-line/command.ts'
import { CommandError } from '../command-line/failures.ts'
import { findStack, type Stack, type stackOptions } from '../command-line/stack.ts'
import { AccountTable } from './table.ts'

/** The operand that names an account. */
export const accountOperand = '<email or id>'

/** Whether the operand is an address: no id holds an @. */
export const isAddress = (operand: string): boolean => operand.includes('@')

/** Finds the account that a command names, by its address or its id. @throws {CommandError} when it does not exist */
export async function findAccount(options: OptionValues<typeof stackOptions>, operand: string) {
  const email = isAddress(operand) ? emailOf(operand) : null
  if (email === null && !isAccountId(operand)) throw new CommandError(`'${operand}' is not an email address or id`, 2)
  const stack = findStack(options)
  const table = new AccountTable(stack)
  const account = await (email === null ? table.findById(operand) : table.find(email))
  if (account === null) throw new CommandError(`${stack.title} has no account ${email ?? `with the id ${operand}`}`)
  return { account, table, stack }
}

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
