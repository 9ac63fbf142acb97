import { costOf } from '../../shared/accounts/passwords/password-hash.ts'
import type { AccountItem } from '../../shared/store/account-item.ts'
import { command } from '../command-line/command.ts'
import { stackOptions } from '../command-line/stack.ts'
import { findAccount } from './find-account.ts'

export const showCommand = command({
  summary: 'Shows an account, without its hashes.',
  operand: '<email>',
  options: stackOptions,
  async run(options, email) {
    const { account } = await findAccount(options, email)
    console.log(describeAccount(account, new Date()))
    return 0
  },
})

/** Lists an account's attributes. Of a hash it shows the cost, of a link its expiry. */
export function describeAccount(account: AccountItem, now: Date): string {
  const link = (expires: string | undefined) =>
    expires === undefined ? 'none' : `${expires > now.toISOString() ? 'works until' : 'expired'} ${expires}`
  const cost = costOf(account.password_hash)
  const rows = {
    id: account.id,
    email: account.email,
    name: account.name ?? '(none)',
    admin: account.is_admin ? 'yes' : 'no',
    verified: account.is_verified ? 'yes' : 'no',
    locked: account.locked_at === undefined ? 'no' : `since ${account.locked_at}`,
    password:
      cost === null
        ? 'none: only a reset by mail sets one'
        : `${account.password_hash.startsWith('$b') ? 'bcrypt-sha256' : 'bcrypt'}, cost ${cost}`,
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
