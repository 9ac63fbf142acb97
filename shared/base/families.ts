/**
 * The key prefixes of items in the table of counters (`RateLimits`). A row of the route table names the prefixes of its
 * function, whose role reaches only their items: so no prefix may begin with another. Items kept for days keep their
 * prefix when this table changes.
 */
export const families = {
  /** Requests of a client IP address, and the accounts that it opens. */
  Requests: 'request#',
  /** Guesses at the password of an address. */
  Guesses: 'guess#',
  /** Wrong codes of an account's second factor. */
  Codes: 'code#',
  /** Mails to an address, a mailbox or an account. */
  Mails: 'mail#',
  /** Deletions by id and by address, and moves by the address that was left, for 400 days. */
  DeletionMarks: 'deleted-',
  /** Mailed links that set up a second factor. */
  SetupLinks: 'factor#',
  /** Challenges of passkeys, for ten minutes. */
  Challenges: 'passkey#',
  /** Used tokens of providers' confirmations, for ten minutes. */
  ProviderTokens: 'provider#',
  /** Authorization codes, for a day. */
  Grants: 'grant#',
} as const

export type Family = keyof typeof families

/** The kinds of items in the table of accounts, by key prefix: accounts, and the unique entries that lead to them. */
export const accountKinds = {
  /** By id. */
  Accounts: 'account#',
  /** By canonical address. */
  Addresses: 'email#',
  /** By `identityKey`. */
  Identities: 'identity#',
} as const

export type AccountKind = keyof typeof accountKinds

/** The key of an item, which always has a prefix. */
export type Key<F extends Family = Family> = `${(typeof families)[F]}${string}`

/** Makes the key of an item. @param parts unique below the prefix */
export const keyIn = <F extends Family>(family: F, ...parts: (string | number)[]): Key<F> =>
  `${families[family]}${parts.join('#')}`

/** DynamoDB deletes a counter some time after the time in this attribute, in seconds since the epoch. */
export const ttlAttribute = 'expires'

/** The encryption context's key for secrets of second factors; its value is the account's id. */
export const factorContextKey = 'account'

/** The encryption context's key for secrets at providers; its value is the provider's id. */
export const providerContextKey = 'provider'
