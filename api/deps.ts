import type { Accounts, TokenHolders } from '../accounts/account/accounts.ts'
import type { EmailChanges } from '../accounts/address/change.ts'
import type { Client } from '../accounts/application/client.ts'
import type { Grants } from '../accounts/application/grant.ts'
import type { FactorKey } from '../accounts/factor/factor.ts'
import type { SetupLinks } from '../accounts/factor/setup-link.ts'
import type { ProviderSecrets } from '../accounts/identity/client-secret.ts'
import type { Provider } from '../accounts/identity/provider.ts'
import type { Mailer } from '../accounts/mail/outcomes.ts'
import type { MailQueue, PostponeMail } from '../accounts/mail/queue.ts'
import type { LetterWordsIn } from '../accounts/mail/words.ts'
import type { Challenges } from '../accounts/passkey/challenge.ts'
import type { CommonPasswords } from '../accounts/password/common-passwords.ts'
import type { Signer } from '../accounts/token/access-token.ts'
import type { PublicKeys } from '../accounts/token/authentication.ts'
import type { Config, ConfigMember } from '../shared/base/config.ts'
import type { Family } from '../shared/base/families.ts'
import type { Counters } from '../shared/base/limits/counters.ts'
import type { Network } from '../shared/base/network.ts'
import type { System } from '../shared/base/system.ts'
import type { GrantOf, SettingOf } from './needs.ts'
import type { EndpointName, FunctionName } from './routes.ts'

/**
 * The outside world, as the domain sees it. `live.ts` builds it on AWS; tests build one that they control.
 *
 * Domain functions take the members they use as their first parameter. A failure of the outside world is thrown as
 * `DomainError('unavailable')`.
 */
export interface Deps extends System<EndpointName> {
  config: Config
  accounts: Accounts
  counters: Counters & SetupLinks
  emailChanges: EmailChanges
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
}

/** The member of `Deps` that uses a resource of the route table. `accounts` uses the indexes too. */
interface MemberOf extends Record<Exclude<Family, 'Challenges' | 'Grants' | 'Moves'>, 'counters'> {
  Challenges: 'challenges'
  Grants: 'grants'
  Users: 'accounts'
  Identities: 'accounts'
  ProviderKey: 'providerNetwork' | 'providerSecrets'
  Moves: 'emailChanges'
  MailQueue: 'queueMail'
  QueuedMail: 'postponeMail'
  MailIdentity: 'sendMail' | 'letterWords'
  SigningKey: 'signer'
  SigningKeys: 'publicKeys'
  FactorKey: 'factorKey'
}

/** The member of `Deps` that comes with a setting. */
interface MemberWith {
  OIDC_CLIENTS: 'clients'
  PASSWORD_BLOCKLIST: 'isCommonPassword'
  SIGN_IN_PROVIDERS: 'providers'
}

/** What the calls of a member do on AWS, as the row's grants name it: a function has only the calls that its row grants. */
interface Calls {
  accounts: Record<
    Exclude<
      keyof Accounts,
      | 'find'
      | 'findByToken'
      | 'findByPasskeyHandle'
      | 'findByIdentity'
      | 'insert'
      | 'openByIdentity'
      | 'connectIdentity'
      | 'disconnectIdentity'
      | 'spendResetToken'
      | 'delete'
    >,
    'Users:UpdateItem'
  > & {
    find: 'Users:GetItem'
    findByPasskeyHandle: 'UsersByPasskeyHandle:Query'
    insert: `Users:${'PutItem' | 'GetItem'}`
    findByIdentity: 'Users:GetItem' | 'Identities:GetItem'
    openByIdentity: `Users:${'PutItem' | 'GetItem'}` | 'Identities:PutItem'
    connectIdentity: `Users:${'UpdateItem' | 'GetItem'}` | 'Identities:PutItem'
    disconnectIdentity: `Users:${'UpdateItem' | 'GetItem'}` | Leaving
    spendResetToken: `Users:${'UpdateItem' | 'GetItem'}` | Leaving
    delete: `Users:${'DeleteItem' | 'GetItem'}` | Leaving
  }
  emailChanges: {
    find: 'Moves:GetItem'
    isDone: 'Moves:GetItem'
    findUndoable: 'UndoLinks:GetItem'
    move: Move | `Identities:${'GetItem' | 'PutItem'}` | 'UndoLinks:PutItem'
    undo: Move | Leaving | 'Users:UpdateItem' | 'UndoLinks:DeleteItem'
    voidAccess: 'Users:UpdateItem'
  }
  grants: {
    store: 'Grants:PutItem'
    find: 'Grants:GetItem'
    spend: 'Grants:UpdateItem'
    markReused: 'Grants:UpdateItem'
  }
  challenges: { store: 'Challenges:PutItem'; find: 'Challenges:GetItem'; spend: 'Challenges:UpdateItem' }
  factorKey: { encrypt: 'FactorKey:Encrypt'; decrypt: 'FactorKey:Decrypt' }
  counters: {
    storeSetupLink: 'SetupLinks:UpdateItem'
    findSetupLink: 'SetupLinks:GetItem'
    spendSetupLink: 'SetupLinks:UpdateItem'
    allowUndo: 'UndoLinks:UpdateItem'
  }
}
/** What an account loses its identities by. */
type Leaving = `Identities:${'GetItem' | 'DeleteItem'}`
type Move = `Users:${'GetItem' | 'PutItem' | 'DeleteItem'}` | `Moves:${'GetItem' | 'PutItem'}`

type GrantedCalls<Member, Needed, Grant> = {
  [Call in keyof Member & keyof Needed as Needed[Call] extends Grant ? Call : never]: Member[Call]
}

/** What the other calls of `counters` do to an item of the key's family. */
interface CounterCalls
  extends Record<Exclude<keyof Counters, 'takeGuess' | 'members' | 'marks' | 'clear'>, 'UpdateItem'> {
  takeGuess: 'UpdateItem' | 'GetItem'
  members: 'GetItem'
  marks: 'GetItem'
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
  | ('UsersByVerificationToken:Query' extends Grant ? 'verification' : never)
  | ('UsersByResetToken:Query' extends Grant ? 'reset' : never)

/** What a member has beside those calls. */
interface Others<Grant> {
  accounts: TokenHolders<KindFor<Grant>>
  counters: GrantedCounters<Grant>
}

type ResourceIn<Grant> = Grant extends `${infer R}:${string}` ? R : never

/** The members of `Deps` that a row grants. */
type MembersFor<N extends FunctionName> =
  | keyof System
  | MemberOf[ResourceIn<GrantOf<N>> & keyof MemberOf]
  | MemberWith[SettingOf<N> & keyof MemberWith]

/** What a function's row grants of `Deps`, so that no function can use more. */
export type Granted<N extends FunctionName> = {
  [M in MembersFor<N>]: M extends keyof Calls
    ? GrantedCalls<Deps[M], Calls[M], GrantOf<N>> & (M extends keyof Others<0> ? Others<GrantOf<N>>[M] : unknown)
    : Deps[M]
} & { config: Pick<Config, ConfigMember<SettingOf<N>>> }
