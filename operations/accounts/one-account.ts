import { createInterface } from 'node:readline/promises'
import { canonicalEmail } from '../../shared/accounts/email.ts'
import { costOf } from '../../shared/accounts/password-hash.ts'
import type { AccountItem } from '../../shared/store/account-item.ts'
import { command, type Given } from '../command-line/command.ts'
import { CommandError } from '../command-line/command-error.ts'
import { findStack, stackOptions } from '../command-line/stack.ts'
import { AccountTable } from './table.ts'

export const showCommand = command({
  summary: 'Shows an account, without its hashes.',
  operand: '<email>',
  options: stackOptions,
  async run(given, email) {
    const { account } = await findAccount(given, email)
    console.log(portrait(account, new Date()))
    return 0
  },
})

export const verifyCommand = command({
  summary: "Marks an account's address as verified.",
  operand: '<email>',
  options: stackOptions,
  details: 'For someone who cannot get the mail, and has shown otherwise that the address is theirs.',
  async run(given, email) {
    const { account, table } = await findAccount(given, email)
    if (account.is_verified) {
      console.log(`${account.email} is verified already`)
      return 0
    }
    if (!(await table.verify(account, new Date()))) throw new CommandError(`${account.email} was deleted meanwhile`)
    console.log(`${account.email} is verified. The link that was mailed is void. Nobody is mailed about it.`)
    return 0
  },
})

export const deleteCommand = command({
  summary: 'Deletes an account.',
  operand: '<email>',
  options: { ...stackOptions, yes: { type: 'boolean', meaning: 'do not ask' } },
  async run(given, email) {
    const { account, table, title } = await findAccount(given, email)
    if (!given.yes) await confirm(`${portrait(account, new Date())}\n\nDelete this account of ${title} for good?`)
    // A deletion whose answer was lost is sent again by the SDK, and then finds nothing.
    if (!(await table.remove(account)) && (await table.find(account.email)) !== null) {
      throw new CommandError(`another account has taken the address ${account.email} meanwhile; it is left alone`)
    }
    console.log(`${account.email} is deleted. ${remains}`)
    return 0
  },
})

const remains = `Its owner is not mailed about it. What remains:
  - Mails to it that are still queued are dropped by the worker.
  - Its access tokens are refused by /auth/me at once. Services that verify tokens by the key set alone take them
    until they expire.
  - Counters under its address go by themselves within a day or so, log lines with its id when their retention ends.
  - Point-in-time recovery can bring it back for 35 days. Whoever must forget it sooner has no way but time.
The address can be registered anew; that will be another account with another id.`

async function findAccount(
  given: Given<typeof stackOptions>,
  address: string,
): Promise<{ account: AccountItem; table: AccountTable; title: string }> {
  const email = canonicalEmail(address)
  if (email === null) throw new CommandError(`'${address}' is no e-mail address`, 2)
  const stack = findStack(given)
  const table = new AccountTable(stack)
  const account = await table.find(email)
  if (account === null) throw new CommandError(`${stack.title} has no account ${email}`)
  return { account, table, title: stack.title }
}

/** All that may be seen of an account: of hashes their cost, of links when they end. */
function portrait(account: AccountItem, now: Date): string {
  const link = (expires: string | undefined) =>
    expires === undefined ? 'none' : `${expires > now.toISOString() ? 'works until' : 'expired'} ${expires}`
  const cost = costOf(account.password_hash)
  const rows = {
    id: account.id,
    email: account.email,
    name: account.name ?? '(none)',
    admin: account.is_admin ? 'yes' : 'no',
    verified: account.is_verified ? 'yes' : 'no',
    password:
      cost === null
        ? 'none: only a reset sets one'
        : `${account.password_hash.startsWith('$b') ? 'bcrypt-sha256' : 'bcrypt'}, cost ${cost}`,
    locked: account.locked_at === undefined ? 'no' : `since ${account.locked_at}`,
    'token version': account.token_version,
    created: account.created_at,
    updated: account.updated_at,
    'verification link': link(account.email_verification_expires),
    'reset link': link(account.password_reset_expires),
  }
  return Object.entries(rows)
    .map(([name, value]) => `${name.padEnd(19)}${value}`)
    .join('\n')
}

/** @throws {CommandError} when the answer is not yes, or nobody is there to give one */
async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new CommandError('there is no terminal to ask on; say --yes if you are sure', 2)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} (yes/no) `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('nothing was deleted')
}
