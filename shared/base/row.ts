import type { SettingName } from './config.ts'
import type { Family } from './families.ts'

/** What IAM allows on single items of a table. */
export type ItemAction = 'GetItem' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'ConditionCheckItem'

/** A function's grants on items in the table of counters, by key prefix. */
type ItemGrants = { [F in Family]?: readonly Exclude<ItemAction, 'ConditionCheckItem'>[] }

/**
 * What guards an account, as groups of its attributes (`accounts/account/attributes.ts`). With the password, the ways in or the links
 * a role can take any account; `rights` are what operators give. `codes` are spent at each check: a recovery code, the last step, the
 * wrong codes.
 */
export const guards = ['password', 'rights', 'ways in', 'codes', 'links', 'changes', 'sessions'] as const
export type Guard = (typeof guards)[number]

/** What an update of an account needs: the action, and the guards of what it writes or names in conditions. */
export type Updating<G extends Guard = never> = 'Accounts:UpdateItem' | `guard:${G}`

/** A function's grants, as single AWS actions by resource. Infra turns them into IAM statements. */
export interface Grants extends ItemGrants {
  /** Accounts by id, in the table of accounts. */
  Accounts?: readonly ItemAction[]
  /** Entries of addresses, in the same table. */
  Addresses?: readonly ('GetItem' | 'PutItem' | 'DeleteItem')[]
  /** Entries of identities, there too. */
  Identities?: readonly ('GetItem' | 'PutItem' | 'DeleteItem')[]
  AccountsByVerificationToken?: readonly 'Query'[]
  AccountsByResetToken?: readonly 'Query'[]
  AccountsByPasskeyHandle?: readonly 'Query'[]
  MailQueue?: readonly 'SendMessage'[]
  /** The same queue for its consumer; Lambda's poller uses the consumer's role. */
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

/** The needs of a Lambda function. */
export interface Needing {
  /** Grants in addition to those that the row implies. */
  may?: Grants
  /** The guards of accounts that it writes, in addition to those that the row implies. */
  writes?: readonly Guard[]
  /** Grants that only the last release used. They stay for one release: deploys and roll-backs update policies before functions. */
  mayStill?: Grants
  /** Resources that it seldom uses: their client is loaded with the first call, so that cold starts skip it. */
  rarely?: readonly ('MailQueue' | 'SigningKeys')[]
  /** Settings in addition to those that the row implies. */
  settings?: readonly SettingName[]
  /** Asks for an account's password, and so for its second factor. It hashes, and gets a full vCPU. */
  checksPassword?: true
  /** Accepts a passkey's assertion in place of a password and a code. */
  takesPasskey?: true
  /** A provider confirms who logs in, or opens an account; only where SIGN_IN_PROVIDERS lists any. */
  takesProvider?: true
  /** Takes a new password: it is hashed, and may be too short or too common. */
  choosesPassword?: true
  /** Answers with an access token. */
  issuesToken?: true
  /** Seconds until Lambda stops it: 3 without calls, 20 for two hashes, 30 for a batch of mails. The default is in `needs.ts`. */
  timeout?: number
  /**
   * Requests per account and month. The throttle for all callers and an account's cost follow from it. Rows that hash
   * state it; others do where the usual throttle (`infra/constructs/throttles.ts`) does not fit. Once deployed, a row
   * keeps one: API Gateway keeps a removed throttle.
   */
  perMonth?: number
}
