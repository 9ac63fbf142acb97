import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { accountItems } from '../../shared/aws/items.ts'
import type { Waiting } from '../../shared/aws/transactions.ts'
import type { Updating } from '../../shared/base/row.ts'
import { type DeletionMarks, deletionMarks } from '../address/deletion-marks.ts'
import { addressWrites } from '../address/writes.ts'
import { factorWrites } from '../factor/writes.ts'
import { type FreeingIdentities, freeIdentities } from '../identity/entries.ts'
import { identityWrites } from '../identity/writes.ts'
import { passkeyWrites } from '../passkey/writes.ts'
import { passwordWrites } from '../password/writes.ts'
import { sessionWrites } from '../session/writes.ts'
import { tokenWrites } from '../token/writes.ts'
import type { Account, NewAccount, ProfileChange } from './account.ts'
import { type AccountStore, toAccount, toItem } from './attributes.ts'

export const accountStore = (db: DynamoDBDocumentClient, table: string, waiting: Waiting): AccountStore =>
  accountItems(db, table, waiting, toAccount)

/** Reads of accounts, and the writes of whole ones. */
export const accountWrites = (table: AccountStore, marks: DeletionMarks) => ({
  find: table.read,

  /**
   * The account at an address. A known and an unknown one take the same two reads: no id begins with an @. (Not one key for all that
   * are unknown: its partition would be throttled, and so tell.) An account that has moved between the two counts as none.
   */
  async findByEmail(email: string): Promise<Account | null> {
    const account = await table.read((await table.findEntry('Addresses', email)) ?? `@${email}`)
    return account?.email === email ? account : null
  },

  /** The id of the account at an address. */
  findIdAt: (email: string): Promise<string | null> => table.findEntry('Addresses', email),

  /** False when the address is taken. */
  open: async (account: NewAccount): Promise<boolean> =>
    (await table.together([
      table.add(toItem(account, account.createdAt, account.verification)),
      table.lead('Addresses', account.email, account.id),
    ])) === null,

  /** Null when the account is gone or its token version has changed. */
  changeProfile: (account: Account, { noticesIn, ...change }: ProfileChange, now: Date): Promise<Account | null> =>
    table.update(account, now, {
      set: {
        ...change,
        ...(noticesIn && { language_before: noticesIn.language, language_until: noticesIn.until.toISOString() }),
      },
      version: account.tokenVersion,
    }),

  /** Deletes an account with its entries, and marks that. False when it is gone, or its token version has changed. */
  delete: (account: Account, now: Date): Promise<boolean> => removeAccount(table, marks, account, now),
})

/**
 * Deletes an account with its entries, and marks that.
 *
 * @param more further conditions
 * @returns false when it is gone, or a condition fails
 */
export async function removeAccount(
  table: AccountStore,
  marks: DeletionMarks,
  account: Pick<Account, 'id' | 'email' | 'tokenVersion' | 'identities'>,
  at: Date,
  more: Pick<Parameters<AccountStore['delete']>[1], 'conditions' | 'values'> = {},
): Promise<boolean> {
  const { id, email, tokenVersion: version } = account
  const refused = await table.together([
    table.delete(account, { version, ...more }),
    table.free('Addresses', email, id),
    ...(await freeIdentities(table, account)),
    marks.markId(account, at),
    marks.markAddress(email, at),
  ])
  return refused === null
}

export type AccountWrites = ReturnType<typeof accountWrites>

/** The writes of each noun, in DynamoDB: one item for each account, the entries that lead to it, and the marks of deletions. */
export function writesOf(
  db: DynamoDBDocumentClient,
  tables: { accounts: string; rateLimits: string },
  waiting: Waiting,
) {
  const table = accountStore(db, tables.accounts, waiting)
  const marks = deletionMarks(db, () => tables.rateLimits)
  return {
    accounts: accountWrites(table, marks),
    tokens: tokenWrites(table),
    sessions: sessionWrites(table),
    factors: factorWrites(table),
    passkeys: passkeyWrites(table),
    identities: identityWrites(table),
    passwords: passwordWrites(table),
    addresses: addressWrites(table, marks),
  }
}

export type Writes = ReturnType<typeof writesOf>

/** Which AWS action each call takes, as the row's grants name it. */
export interface AccountCalls {
  find: 'Accounts:GetItem'
  findByEmail: `${'Accounts' | 'Addresses'}:GetItem`
  findIdAt: 'Addresses:GetItem'
  open: `${'Accounts' | 'Addresses'}:PutItem`
  changeProfile: Updating
  delete: `${'Accounts' | 'Addresses'}:DeleteItem` | 'DeletionMarks:UpdateItem' | FreeingIdentities
}
