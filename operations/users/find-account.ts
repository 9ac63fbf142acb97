import { emailOf, type OptionValues } from '../command-line/command.ts'
import { CommandError } from '../command-line/failures.ts'
import { findStack, type stackOptions } from '../command-line/stack.ts'
import { AccountTable } from './table.ts'

/** Finds the account that a command names. @throws {CommandError} when it does not exist */
export async function findAccount(options: OptionValues<typeof stackOptions>, address: string) {
  const email = emailOf(address)
  const stack = findStack(options)
  const table = new AccountTable(stack)
  const account = await table.find(email)
  if (account === null) throw new CommandError(`${stack.title} has no account ${email}`)
  return { account, table, stack }
}
