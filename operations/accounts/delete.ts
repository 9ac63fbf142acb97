import { createInterface } from 'node:readline/promises'
import type { AccountItem } from '../../shared/store/account-item.ts'
import { command } from '../command-line/command.ts'
import { CommandError } from '../command-line/command-error.ts'
import { type Stack, stackOptions } from '../command-line/stack.ts'
import { findAccount } from './one-account.ts'
import { portrait } from './show.ts'

export const deleteCommand = command({
  summary: 'Deletes an account.',
  operand: '<email>',
  options: { ...stackOptions, yes: { type: 'boolean', meaning: 'do not ask' } },
  async run(given, email) {
    const { account, table, stack } = await findAccount(given, email)
    warn(account, stack)
    if (!given.yes) await confirm(`${portrait(account, new Date())}\n\nDelete this account of ${stack.title} for good?`)
    // A deletion whose answer was lost is sent again by the SDK, and then finds nothing.
    if (!(await table.remove(account)) && (await table.find(account.email)) !== null) {
      throw new CommandError(`another account has taken the address ${account.email} meanwhile; it is left alone`)
    }
    console.log(`${account.email} is deleted. ${remains}`)
    return 0
  },
})

function warn({ email }: AccountItem, { outputs }: Stack): void {
  if (email !== outputs.AdminEmail) return
  console.error(
    `Warning: ADMIN_EMAIL is ${email}. Whoever registers it next is an administrator. Change that setting first.`,
  )
}

const remains = `Its owner is not mailed about it. What remains:
  - Mails to it that are still queued are dropped by the worker.
  - Its access tokens are refused by /auth/me at once. Services that verify tokens by the key set alone take them
    until they expire.
  - Counters under its address go by themselves within a day or so, log lines with its id when their retention ends.
  - Point-in-time recovery can bring it back for 35 days. Whoever must forget it sooner has no way but time.
The address can be registered anew; that will be another account with another id.`

/** @throws {CommandError} when the answer is not yes, or nobody is there to give one */
async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new CommandError('there is no terminal to ask on; say --yes if you are sure', 2)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} (yes/no) `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('nothing was deleted')
}
