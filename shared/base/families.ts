/**
 * The families of items in the table of counters (`RateLimits`), by the prefix of their keys. A row of the route table
 * names the families that its function touches, and the function's role reaches the items of these alone: so no prefix may
 * begin with another one. Items that are kept for days keep their prefix when this table changes.
 */
export const families = {
  /** Requests of a client address, and the accounts that it opens. */
  Requests: 'request#',
  /** Guesses at the password of an address. */
  Guesses: 'guess#',
  /** Wrong codes of an account's second factor. */
  Codes: 'code#',
  /** Mails to an address, a mailbox or an account. */
  Mails: 'mail#',
  /** Deletions, by id and by address, for 400 days. */
  DeletionMarks: 'deleted-',
  /** Mailed links that set up a second factor. */
  SetupLinks: 'factor#',
  /** What passkeys sign, for ten minutes. */
  Challenges: 'passkey#',
  /** What stands for a provider's confirmation and was used, for ten minutes. */
  ProviderTokens: 'provider#',
  /** Where an account has moved, and which write moved it, for eight days. */
  Moves: 'moved',
  /** Authorization codes, for a day. */
  Grants: 'grant#',
  /** What an undo link undoes, for seven days. */
  UndoLinks: 'undo#',
} as const

export type Family = keyof typeof families

/** The key of an item. There is none without a family. */
export type Key<F extends Family = Family> = `${(typeof families)[F]}${string}`

/** Makes the key of an item. @param parts tell it from all others of its family */
export const keyIn = <F extends Family>(family: F, ...parts: (string | number)[]): Key<F> =>
  `${families[family]}${parts.join('#')}`

/** DynamoDB deletes a counter some time after the time in this attribute, in seconds since the epoch. */
export const ttlAttribute = 'expires'

/** The key of the context that secrets of second factors are encrypted in; its value is the account's id. */
export const factorContextKey = 'account'

/** What the secrets at providers are bound to: their key in the encryption context, whose value is the provider's id. */
export const providerContextKey = 'provider'
