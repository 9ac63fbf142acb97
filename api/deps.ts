import type { AccountCalls, Writes } from '../accounts/account/writes.ts'
import type { AddressCalls } from '../accounts/address/writes.ts'
import type { Client } from '../accounts/application/client.ts'
import type { Grants } from '../accounts/application/grant.ts'
import type { GrantCalls } from '../accounts/application/writes.ts'
import type { FactorKey } from '../accounts/factor/factor.ts'
import type { SetupLinks } from '../accounts/factor/setup-link.ts'
import type { FactorCalls, SetupLinkCalls } from '../accounts/factor/writes.ts'
import type { ProviderSecrets } from '../accounts/identity/client-secret.ts'
import type { Provider } from '../accounts/identity/provider.ts'
import type { IdentityCalls } from '../accounts/identity/writes.ts'
import type { Mailer } from '../accounts/mail/outcomes.ts'
import type { MailQueue, PostponeMail } from '../accounts/mail/queue.ts'
import type { LetterWordsIn } from '../accounts/mail/words.ts'
import type { Challenges } from '../accounts/passkey/challenge.ts'
import type { ChallengeCalls, PasskeyCalls } from '../accounts/passkey/writes.ts'
import type { CommonPasswords } from '../accounts/password/common-passwords.ts'
import type { PasswordCalls } from '../accounts/password/writes.ts'
import type { SessionCalls } from '../accounts/session/writes.ts'
import type { Signer } from '../accounts/token/access-token.ts'
import type { PublicKeys } from '../accounts/token/authentication.ts'
import type { TokenCalls, TokenHolders } from '../accounts/token/writes.ts'
import type { Config, ConfigMember } from '../shared/base/config.ts'
import type { Family } from '../shared/base/families.ts'
import type { Counters } from '../shared/base/limits/counters.ts'
import type { Network, TextNetwork } from '../shared/base/network.ts'
import type { System } from '../shared/base/system.ts'
import type { GrantOf, SettingOf } from './needs.ts'
import type { MemberFor } from './parts.ts'
import type { EndpointName, FunctionName } from './routes.ts'

/**
 * The outside world, as the domain sees it. `live.ts` builds it on AWS; tests build one that they control.
 *
 * Domain functions take the members they use as their first parameter. A failure of the outside world is thrown as
 * `DomainError('unavailable')`.
 */
export interface Deps extends System<EndpointName>, Writes {
  config: Config
  counters: Counters & SetupLinks
  grants: Grants
  challenges: Challenges
  /** The applications that people log in to. */
  clients: readonly Client[]
  /** The other providers by which people log in, offered or not. */
  providers: readonly Provider[]
  providerNetwork: Network
  providerSecrets: ProviderSecrets
  queueMail: MailQueue
  postponeMail: PostponeMail
  sendMail: Mailer
  letterWords: LetterWordsIn
  signer: Signer
  publicKeys: PublicKeys
  factorKey: FactorKey
  isCommonPassword: CommonPasswords
  blocklistNetwork: TextNetwork
}

/** What the calls of a member do on AWS: a function has only the calls that its row grants. */
interface Calls {
  accounts: AccountCalls
  tokens: TokenCalls
  sessions: SessionCalls
  factors: FactorCalls
  passkeys: PasskeyCalls
  identities: IdentityCalls
  passwords: PasswordCalls
  addresses: AddressCalls
  grants: GrantCalls
  challenges: ChallengeCalls
  factorKey: { encrypt: 'FactorKey:Encrypt'; decrypt: 'FactorKey:Decrypt' }
  counters: SetupLinkCalls
}

type GrantedCalls<Member, Needed, Grant> = {
  [Call in keyof Member & keyof Needed as Needed[Call] extends Grant ? Call : never]: Member[Call]
}

/** What the other calls of `counters` do to an item of the key's family. */
interface CounterCalls extends Record<Exclude<keyof Counters, 'takeGuess' | 'members' | 'clear'>, 'UpdateItem'> {
  takeGuess: 'UpdateItem' | 'GetItem'
  members: 'GetItem'
  clear: 'DeleteItem'
}

/** The families for which all of some actions are granted. */
type FamilyWith<Grant, Action extends string> = {
  [F in Family]: `${F}:${Action}` extends Grant ? F : never
}[Family]

/** Counters whose calls take the keys of those families alone for which what the call does is granted. */
type GrantedCounters<Grant> = { [Call in keyof Counters]: Counters<FamilyWith<Grant, CounterCalls[Call]>>[Call] }

/** The kinds of tokens whose index is granted. */
type KindFor<Grant> =
  | ('AccountsByVerificationToken:Query' extends Grant ? 'verification' : never)
  | ('AccountsByResetToken:Query' extends Grant ? 'reset' : never)

/** What a member has beside those calls. */
interface Others<Grant> {
  tokens: TokenHolders<KindFor<Grant>>
  counters: GrantedCounters<Grant>
}

/** What is granted of a member. */
type Part<M extends keyof Deps, Grant> = M extends keyof Calls
  ? GrantedCalls<Deps[M], Calls[M], Grant> & (M extends keyof Others<0> ? Others<Grant>[M] : unknown)
  : Deps[M]

/** What a function's row grants of `Deps`, so that no function can use more: of a noun whose writes it may not call, nothing. */
export type Granted<N extends FunctionName> = { [M in keyof System | MemberFor<N>]: Part<M, GrantOf<N>> } & {
  config: Pick<Config, ConfigMember<SettingOf<N>>>
}
