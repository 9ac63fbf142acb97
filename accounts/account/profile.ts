import type { Configured } from '../../shared/base/config.ts'
import { DomainError, invalidMember } from '../../shared/base/errors.ts'
import { lookUp } from '../../shared/base/language.ts'
import type { System } from '../../shared/base/system.ts'
import { chosenLanguage, languageChange } from '../mail/language.ts'
import { rolesOf } from '../token/claims.ts'
import type { Account, ProfileChange } from './account.ts'
import type { UpdateUserRequest, UserResponse } from './shapes.ts'
import type { AccountWrites } from './writes.ts'

type ProfileDeps = Pick<System, 'now'> & Configured<'languages'> & { accounts: Pick<AccountWrites, 'changeProfile'> }

/**
 * Changes an account's name, and the language of its mails; `null` leaves each as it is.
 *
 * @throws {DomainError} `invalid-body` for a language that is not offered, `unavailable`, and `invalid-access-token` when the
 *   account is gone or its token version changed meanwhile
 */
export async function changeProfile(
  deps: ProfileDeps,
  account: Account,
  { name = null, language = null }: Partial<UpdateUserRequest>,
): Promise<Account> {
  const now = deps.now()
  const change: ProfileChange = {
    ...(name !== null && { name }),
    ...(language !== null && languageChange(deps.config, account, offeredLanguage(deps.config, language), now)),
  }
  if (Object.keys(change).length === 0) return account
  const changed = await deps.accounts.changeProfile(account, change, now)
  if (changed === null) throw new DomainError('invalid-access-token')
  return changed
}

/** @throws {DomainError} `invalid-body` */
function offeredLanguage({ languages }: ProfileDeps['config'], range: string): string {
  const found = lookUp(languages, range)
  if (found !== null) return found
  throw invalidMember('language', `must be one of ${languages.join(', ')}`)
}

type Profile = Pick<Account, 'id' | 'email' | 'name' | 'language' | 'isAdmin' | 'isVerified' | 'createdAt'> &
  Partial<Pick<Account, 'roles'>>

/** An account as it is answered, member by member in the contract's order. */
export const accountView = ({ config }: Configured<'languages'>, account: Profile): UserResponse => ({
  id: account.id,
  email: account.email,
  name: account.name,
  is_admin: account.isAdmin,
  is_verified: account.isVerified,
  created_at: account.createdAt.toISOString(),
  ...(config.languages.length > 0 && { language: chosenLanguage(config, account) }),
  ...rolesOf(account),
})
