import { maxAttempts, noPassword } from '../../accounts/account/account.ts'
import { type AccountItem, invitedAttribute, toItem, tokenItem } from '../../accounts/account/attributes.ts'
import { queueDelay } from '../../accounts/mail/outcomes.ts'
import type { MailQueue } from '../../accounts/mail/queue.ts'
import { drawToken, oneTimeToken, tokenAttributes } from '../../accounts/token/token.ts'
import type { System } from '../../shared/base/system.ts'
import { CommandError } from '../command-line/failures.ts'
import type { AccountTable } from './table.ts'

/** Whom an operator invites. What is null stays as an earlier invitation has it. */
export interface Invitee {
  /** Canonical. */
  email: string
  name: string | null
  /** Sorted. */
  roles: readonly string[] | null
  language: string | null
}

export type InviteDeps = Pick<System, 'now' | 'newId' | 'randomBytes'> & {
  table: Pick<AccountTable, 'find' | 'add' | 'changeInvitation'>
  queueMail: MailQueue
}

/** What becomes of an invitation: `stands` is an earlier one that has not expired, where only others are mailed. */
type Invited = { outcome: 'invited' | 'stands'; until: Date; isLocked: boolean } | { outcome: 'has an account' }

interface Options {
  /** Leaves an invitation that has not expired: nobody is mailed twice. */
  skipsStanding?: boolean
  /** Nothing is queued or written. */
  isDry?: boolean
}

/**
 * Opens an account that waits for its owner, or invites the owner once more: then the link of before is dead. The mail is
 * queued first, as a registration's is: no account waits whose mail was lost. The worker sends it when it sees the write.
 *
 * @throws {CommandError} when the account is not there as it was read
 * @throws {DomainError} `unavailable`
 */
export async function inviteAccount(
  deps: InviteDeps,
  { email, name, roles, language }: Invitee,
  { skipsStanding = false, isDry = false }: Options = {},
): Promise<Invited> {
  const { table } = deps
  const { hash, requestedAt: requested } = tokenAttributes.reset
  const given = {
    ...(name !== null && { name }),
    ...(roles?.length && { roles }),
    ...(language !== null && { language }),
  }
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const present = await table.find(email)
    const now = deps.now()
    const standing = present?.[invitedAttribute]
    if (present && standing === undefined) return { outcome: 'has an account' }
    const isLocked = present?.locked_at !== undefined
    if (skipsStanding && standing !== undefined && standing > now.toISOString()) {
      return { outcome: 'stands', until: new Date(standing), isLocked }
    }
    // Later than that of every link that was mailed before, also where another clock ran ahead.
    const requestedAt = Math.max(now.getTime(), Date.parse(present?.[requested] ?? '') + 1 || 0)
    const token = drawToken(deps)
    const link = oneTimeToken('invitation', token, new Date(requestedAt))
    const invited = { outcome: 'invited', until: link.expiresAt, isLocked } as const
    if (isDry) return invited

    const id = present?.id ?? deps.newId()
    await deps.queueMail({ kind: 'invitation', account_id: id, token, requested_at: requestedAt }, queueDelay)
    const change = { ...given, ...tokenItem('reset', link), [invitedAttribute]: link.expiresAt.toISOString() }
    const isWritten = present
      ? await table.changeInvitation(present, change, now)
      : await table.add({ ...newAccount(id, email, now), ...change })
    const found = isWritten ? null : await table.find(email)
    // The SDK repeats a write whose answer was lost: the second one finds what the first has written.
    const isOurs = present ? found?.[hash] === link.hash : found?.id === id
    if (isWritten || isOurs) return invited
    if (present) refuseLost(present, found)
  }
  throw new CommandError(`${email} keeps changing; run the command again`)
}

/** Says what became of an account that was invited; nothing where it still is. @throws {CommandError} */
function refuseLost({ email, id }: AccountItem, found: AccountItem | null): void {
  if (found?.id !== id) throw new CommandError(`${email} was deleted in the meantime; run the command again`)
  if (found[invitedAttribute] === undefined) throw new CommandError(`${email} has accepted in the meantime`)
}

/** An account that waits for its owner. No invitation makes an administrator, whatever `ADMIN_EMAIL` is. */
const newAccount = (id: string, email: string, now: Date): AccountItem => {
  const nothing = { name: null, language: null, passwordHash: noPassword, isAdmin: false, isVerified: false }
  return toItem({ id, email, ...nothing, tokenVersion: 0, createdAt: now }, now)
}
