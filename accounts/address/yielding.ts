import type { ReasonOf } from '../../shared/base/system.ts'
import { type Account, noPassword } from '../account/account.ts'
import type { AccountChange } from '../account/attributes.ts'

/** An account that gives way to one that comes back to its address, and why. */
export interface Yielding {
  account: Account
  reason: ReasonOf<'account-gave-way'>
}

/**
 * Whether an account gives way: nobody has proven its address, or only a provider's word has, after the account that comes back had
 * left. One that an operator moved there waits for its owner.
 *
 * @param since when that account left, or was changed
 */
export function yieldingOf(account: Account, since: Date): Yielding | null {
  const { invitedUntil, isVerified, resetVerifies, isAdmin, passwordHash, formerPasswordHash, createdAt } = account
  if (invitedUntil !== null) return { account, reason: 'invited' }
  if (!isVerified) return resetVerifies ? null : { account, reason: 'unverified' }
  const hadNoPassword = passwordHash === noPassword && formerPasswordHash === null
  return hadNoPassword && !isAdmin && createdAt > since ? { account, reason: 'provider' } : null
}

const stillSo = {
  invited: ['attribute_exists(invited_until)'],
  unverified: ['is_verified = :false', 'attribute_not_exists(reset_verifies)'],
  provider: ['password_hash = :none', 'attribute_not_exists(former_password_hash)', 'is_admin = :false'],
} as const

/** The condition that it still does, beside its token version. */
export const yieldsStill = ({ reason }: Yielding): Pick<AccountChange, 'conditions' | 'values'> => ({
  conditions: stillSo[reason],
  values: {
    ...(reason !== 'invited' && { ':false': false }),
    ...(reason === 'provider' && { ':none': noPassword }),
  },
})
