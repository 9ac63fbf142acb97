import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { itemTable } from '../../shared/aws/items.ts'
import type { Waiting } from '../../shared/aws/transactions.ts'
import { addressWrites } from '../address/writes.ts'
import { factorWrites } from '../factor/writes.ts'
import type { IdentityRemoval } from '../identity/table.ts'
import { type IdentityTable, identityTable } from '../identity/table.ts'
import { identityWrites } from '../identity/writes.ts'
import { passkeyWrites } from '../passkey/writes.ts'
import { passwordWrites } from '../password/writes.ts'
import { sessionWrites } from '../session/writes.ts'
import { tokenWrites } from '../token/writes.ts'
import type { Account, NewAccount, ProfileChange } from './account.ts'
import { toAccount, toItem, type UsersTable } from './attributes.ts'

export const usersTable = (db: DynamoDBDocumentClient, table: string): UsersTable => itemTable(db, table, toAccount)

/** Reads of accounts, and the writes of whole ones. */
export const accountWrites = ({ add, findItem, read, update }: UsersTable, { remove }: IdentityTable) => ({
  find: read,

  /** False when the address is taken. True when this very account exists already (a repeated write). */
  async open(account: NewAccount): Promise<boolean> {
    const isAdded = await add(toItem(account, account.createdAt, account.verification))
    // The SDK retries a put whose answer was lost. The retry finds its own account.
    return isAdded || (await findItem(account.email))?.id === account.id
  },

  /** Null when the account is gone or its token version has changed. */
  changeProfile: (account: Account, { noticesIn, ...change }: ProfileChange, now: Date): Promise<Account | null> =>
    update(account, now, {
      set: {
        ...change,
        ...(noticesIn && { language_before: noticesIn.language, language_until: noticesIn.until.toISOString() }),
      },
      version: account.tokenVersion,
    }),

  /** `changed`: its token version is another. `absent`: a retry has deleted it, or it has another address. */
  delete: (account: Account): Promise<'deleted' | 'changed' | 'absent'> => remove(account),
})

export type AccountWrites = ReturnType<typeof accountWrites>

/** The writes of each noun, in DynamoDB: one item for each account, and the entries of its identities. */
export function writesOf(db: DynamoDBDocumentClient, table: string, waiting: Waiting) {
  const users = usersTable(db, table)
  const identities = identityTable(db, table, waiting, users)
  return {
    accounts: accountWrites(users, identities),
    tokens: tokenWrites(users),
    sessions: sessionWrites(users),
    factors: factorWrites(users),
    passkeys: passkeyWrites(users),
    identities: identityWrites(db, table, waiting, users, identities),
    passwords: passwordWrites(users, identities),
    addresses: addressWrites(users),
  }
}

export type Writes = ReturnType<typeof writesOf>

/** Which AWS action each call takes, as the row's grants name it. */
export interface AccountCalls {
  find: 'Users:GetItem'
  open: `Users:${'PutItem' | 'GetItem'}`
  changeProfile: 'Users:UpdateItem'
  delete: `Users:${'DeleteItem' | 'GetItem'}` | IdentityRemoval
}
