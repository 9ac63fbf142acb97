import type { Configured } from '../../shared/base/config.ts'
import type { Account } from '../account/account.ts'
import { chosenLanguage } from '../mail/language.ts'
import { rolesOf } from '../token/claims.ts'

/** The claims about a person (OpenID Connect Core §5.1). */
export interface PersonClaims {
  sub: string
  email?: string
  email_verified?: boolean
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
  return {
    sub,
    ...(scope.includes('email') && { email, email_verified: isVerified }),
    ...(scope.includes('profile') && { ...(name !== null && { name }), ...(locale !== null && { locale }) }),
    ...(scope.includes('roles') && rolesOf(account)),
  }
}
