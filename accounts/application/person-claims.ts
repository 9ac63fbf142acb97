import type { Configured } from '../../shared/base/config.ts'
import type { Account } from '../account/account.ts'
import { chosenLanguage } from '../mail/language.ts'
import { rolesOf } from '../token/claims.ts'

/** The claims about a person (OpenID Connect Core §5.1). */
export interface PersonClaims {
  sub: string
  email?: string
  email_verified?: boolean
  /** The address, for applications that show a user by this claim. It may change hands: no key (OpenID Connect Core §5.1). */
  preferred_username?: string
  name?: string
  locale?: string
  roles?: string[]
}

/** The claims about an account that the scopes allow, as of now (OpenID Connect Core §5.4). */
export function personClaims(
  { config }: Configured<'languages'>,
  account: Pick<Account, 'id' | 'email' | 'isVerified' | 'name' | 'language' | 'roles'>,
  scope: readonly string[],
): PersonClaims {
  const { id: sub, email, isVerified, name } = account
  const locale = chosenLanguage(config, account)
  const [hasEmail, hasProfile] = ['email', 'profile'].map(name => scope.includes(name))
  return {
    sub,
    ...(hasEmail && { email, email_verified: isVerified }),
    // A claim of `profile`, but `profile` alone must not give the address away.
    ...(hasEmail && hasProfile && { preferred_username: email }),
    ...(hasProfile && { ...(name !== null && { name }), ...(locale !== null && { locale }) }),
    ...(scope.includes('roles') && rolesOf(account)),
  }
}
