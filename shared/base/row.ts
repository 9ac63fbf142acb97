import type { SettingName } from './config.ts'
import type { Family } from './families.ts'

/** What a function may do to items in the table of counters, by family. */
export type ItemGrants = { [F in Family]?: readonly ('GetItem' | 'PutItem' | 'UpdateItem' | 'DeleteItem')[] }

/** What a function may do, as single AWS actions by resource. Infra turns them into IAM statements. */
export interface Grants extends ItemGrants {
  /** Accounts, in the table of users. */
  Users?: readonly ('GetItem' | 'PutItem' | 'UpdateItem' | 'DeleteItem')[]
  /** The pointers of identities, in the same table. */
  Identities?: readonly ('GetItem' | 'PutItem' | 'DeleteItem')[]
  UsersByVerificationToken?: readonly 'Query'[]
  UsersByResetToken?: readonly 'Query'[]
  UsersByPasskeyHandle?: readonly 'Query'[]
  MailQueue?: readonly 'SendMessage'[]
  /** The same queue at its other end; Lambda's poller works with the consumer's role. */
  QueuedMail?: readonly ('ReceiveMessage' | 'DeleteMessage' | 'ChangeMessageVisibility' | 'GetQueueAttributes')[]
  MailIdentity?: readonly 'SendEmail'[]
  /** The key that signs: the first of `SIGNING_KEYS`. */
  SigningKey?: readonly 'Sign'[]
  /** All published keys. */
  SigningKeys?: readonly 'GetPublicKey'[]
  /** The key that encrypts the secrets of second factors. */
  FactorKey?: readonly ('Encrypt' | 'Decrypt')[]
  /** The key that encrypts the secrets at providers. */
  ProviderKey?: readonly 'Decrypt'[]
}

/** What a Lambda function needs to do its work. */
export interface Needing {
  /** What it may do in addition to what the rest of the row implies. */
  may?: Grants
  /**
   * What the function of the last release called and this one does not. It stays in the role for one release: a deploy, and a roll-back,
   * update policies before functions.
   */
  mayStill?: Grants
  /** Settings that it reads in addition to those that the row implies. */
  settings?: readonly SettingName[]
  /** It asks for the current password of an account, and so for its second factor. It hashes, and gets a full vCPU. */
  checksPassword?: true
  /** An assertion of a passkey proves what a password does, and a code. */
  takesPasskey?: true
  /** Another provider confirms who logs in, or opens an account. It does so only where SIGN_IN_PROVIDERS lists some. */
  takesProvider?: true
  /** People choose a password: it is hashed, and may be too short or too common. */
  choosesPassword?: true
  /** It answers with an access token. */
  issuesToken?: true
  /**
   * Seconds until Lambda stops it: 3 when it calls nothing, 20 for two hashes, 30 for a batch of mails. The default is
   * in `needs.ts`.
   */
  timeout?: number
  /**
   * How often an account sends it in a month. The throttle for all callers together follows from it, and what an account
   * costs. Each row that hashes states it; the others do where the usual throttle (`infra/constructs/throttles.ts`) does
   * not suit. Once deployed, a row keeps one: API Gateway keeps a throttle that is no longer stated.
   */
  perMonth?: number
}
