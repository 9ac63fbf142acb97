import type { Accounts } from '../accounts/account.ts'
import type { EmailChanges } from '../accounts/email-change.ts'
import type { FactorKey } from '../accounts/factors/factor.ts'
import type { Mailer } from '../accounts/mail/outcomes.ts'
import type { MailQueue, PostponeMail } from '../accounts/mail/queue.ts'
import type { CommonPasswords } from '../accounts/passwords/common-passwords.ts'
import type { SetupLinks } from '../accounts/setup-link.ts'
import type { Signer } from '../accounts/tokens/access-token.ts'
import type { PublicKeys } from '../accounts/tokens/authentication.ts'
import type { Config, ConfigMember } from '../base/config.ts'
import type { Counters } from '../base/limits/counters.ts'
import type { System } from '../base/system.ts'
import type { ResourceOf, SettingOf } from './needs.ts'
import type { FunctionName } from './routes.ts'

/**
 * The outside world, as the domain sees it. `live.ts` builds it on AWS; tests build one that they control.
 *
 * Domain functions take the members they use as their first parameter. A failure of the outside world is thrown as
 * `DomainError('unavailable')`.
 */
export interface Deps extends System {
  config: Config
  accounts: Accounts
  counters: Counters & SetupLinks
  emailChanges: EmailChanges
  queueMail: MailQueue
  postponeMail: PostponeMail
  sendMail: Mailer
  signer: Signer
  publicKeys: PublicKeys
  factorKey: FactorKey
  isCommonPassword: CommonPasswords
}

/** The member of `Deps` that uses a resource of the route table. `accounts` uses the indexes too. */
interface MemberOf {
  Users: 'accounts'
  RateLimits: 'counters'
  EmailChanges: 'emailChanges'
  MailQueue: 'queueMail'
  QueuedMail: 'postponeMail'
  MailIdentity: 'sendMail'
  SigningKey: 'signer'
  SigningKeys: 'publicKeys'
  FactorKey: 'factorKey'
}

/** The member of `Deps` that comes with a setting. */
interface MemberWith {
  PASSWORD_BLOCKLIST: 'isCommonPassword'
}

/** The members of `Deps` that a function's row grants, so that no function can use more. */
export type Granted<N extends FunctionName> = Pick<
  Deps,
  keyof System | MemberOf[ResourceOf<N> & keyof MemberOf] | MemberWith[SettingOf<N> & keyof MemberWith]
> & {
  config: Pick<Config, ConfigMember<SettingOf<N>>>
}
