import { type Account, type AccountReads, type AddressReads, maxAttempts } from '../../accounts/account/account.ts'
import { queueReset } from '../../accounts/address/undo.ts'
import type { AddressWrites } from '../../accounts/address/writes.ts'
import { type Yielding, yieldingOf } from '../../accounts/address/yielding.ts'
import { changeOf } from '../../accounts/change/changes.ts'
import { announce } from '../../accounts/mail/announcements.ts'
import type { MailQueue } from '../../accounts/mail/queue.ts'
import type { Configured } from '../../shared/base/config.ts'
import type { System } from '../../shared/base/system.ts'
import { CommandError } from '../command-line/failures.ts'

export type MoveDeps = Pick<System, 'now' | 'randomBytes'> &
  Configured<'mailFrom'> & {
    accounts: AccountReads & AddressReads
    addresses: Pick<AddressWrites, 'moveByOperator'>
    queueMail: MailQueue
  }

/**
 * Moves an account to another address for an owner who has lost the mailbox to a thief. Everything that gives access to it
 * ends, and no undo link of before works. The mails are queued first, as for an undo: the worker sends them when the account
 * has moved.
 *
 * @returns the account as it was, and the unverified account that gave way
 * @throws {CommandError} when it cannot move there
 * @throws {DomainError} `unavailable`
 */
export async function moveAccount(
  deps: MoveDeps,
  { id, email }: Pick<Account, 'id' | 'email'>,
  to: string,
): Promise<{ moved: Account; replaced: Account | null }> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const account = await deps.accounts.find(id)
    if (account?.email !== email) {
      throw new CommandError(`${email} was deleted or changed its address in the meantime; nothing was moved`)
    }
    // Whoever registers ADMIN_EMAIL next is an administrator, and a thief must not carry the rights away.
    if (account.isAdmin) throw new CommandError(`${email} is an administrator: run admin ${email} off first`)
    // Its link and its end belong to the address that was invited.
    if (account.invitedUntil !== null) {
      throw new CommandError(`${email} is invited: delete it, and invite ${to}`)
    }
    const holder = await deps.accounts.findByEmail(to)
    const yielding = holder && yieldingAt(account, holder, to)
    const now = deps.now()
    const hash = await announce(deps, 'moved-by-operator', account)
    const reset = await queueReset(deps, 'moved', account)
    const change = changeOf(account, { kind: 'moved-by-operator', hash, hasLink: false }, now)
    const takeback = { email: to, entry: holder?.id ?? null, yielding, reset, change }
    if (await deps.addresses.moveByOperator(account, takeback, now)) return { moved: account, replaced: holder }
  }
  throw new CommandError(`${email} keeps changing; lock it, and run the command again`)
}

/** The unverified account that gives way to one that is moved to its address. @throws {CommandError} where another has the address */
function yieldingAt({ id, email }: Account, holder: Account, to: string): Yielding {
  if (holder.id === id) throw new CommandError(`${email} has that address already`)
  if (holder.isVerified) {
    throw new CommandError(
      `${to} has a verified account (${holder.id}); nothing was moved. Is it the same owner's? Then delete it first`,
    )
  }
  if (holder.invitedUntil !== null) {
    throw new CommandError(`${to} has an invitation (${holder.id}); nothing was moved. Delete it first`)
  }
  const yielding = yieldingOf(holder, holder.createdAt)
  if (yielding === null) {
    throw new CommandError(`${to} has an account that was moved there (${holder.id}); nothing was moved`)
  }
  return yielding
}
