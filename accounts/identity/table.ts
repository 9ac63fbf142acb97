import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { conditionalWrite } from '../../shared/aws/aws.ts'
import { updateOf } from '../../shared/aws/items.ts'
import { type Waiting, type Writes, writeTogether } from '../../shared/aws/transactions.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { Account } from '../account/account.ts'
import type { AccountChange, AccountItem, UsersTable } from '../account/attributes.ts'
import type { Pointer } from './identity.ts'
import { toIdentities } from './identity.ts'
import { type Holder, identitiesAsRead, pointerTable } from './pointers.ts'

/** Attempts and consistent reads, while others keep connecting identities. */
export const maxAttempts = 3

/** A holder at a token version, which disconnecting raises. */
type Versioned = Holder & Pick<Account, 'tokenVersion'>

/** The holder in an item. */
export const holderOf = ({
  email,
  id,
  identities,
  token_version: tokenVersion,
}: Pick<AccountItem, 'email' | 'id' | 'identities' | 'token_version'>): Versioned => ({
  email,
  id,
  identities: toIdentities(identities),
  tokenVersion,
})

const hasKeys = ({ identities }: Pick<Holder, 'identities'>, others: Holder['identities']): boolean =>
  identities.length === others.length && identities.every(({ key }) => others.some(other => other.key === key))

/** The writes of accounts that change their identities, and so the index entries. */
export function identityTable(db: DynamoDBDocumentClient, table: string, waiting: Waiting, users: UsersTable) {
  const pointers = pointerTable(db, table)

  /** @returns null when written; else whether the condition on the account failed */
  const together = async (writes: Writes) => (await writeTogether(db, waiting, writes))?.[0] ?? null
  const alone = (written: unknown) => (written === null ? true : null)

  /** The account of an index entry, or null when the entry is dangling. */
  async function findHolder(key: string, { id, address }: Pointer): Promise<Account | null> {
    const account = await users.read(address)
    return account?.id === id && account.identities.some(identity => identity.key === key) ? account : null
  }

  return {
    pointers,
    findHolder,

    /** Adds an account with its identities. @returns false when the address or an identity already has an account */
    async add(item: AccountItem): Promise<boolean> {
      const Put = { TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(email)' }
      const identities = toIdentities(item.identities)
      if (identities.length === 0) return (await conditionalWrite(db.send(new PutCommand(Put)))) !== null
      const writes: Writes = [{ Put }]
      for (const { key } of identities) {
        const read = await pointers.find(key)
        if (read !== null && (await findHolder(key, read)) !== null) return false
        writes.push(pointers.put(key, { id: item.id, address: item.email }, read))
      }
      return (await together(writes)) === null
    },

    /**
     * Updates an account and removes all its identities; reads them again when they have changed. False as for `write`.
     *
     * With identities it checks the token version too: an identity may be removed and connected again between the reads
     * of the account and of the entries, which would leave the new entry behind.
     *
     * @throws {DomainError} `unavailable`
     */
    async writeWithoutIdentities(account: Versioned, now: Date, change: AccountChange): Promise<boolean> {
      let { identities: held, tokenVersion: version } = account
      for (let attempt = 0; attempt <= maxAttempts; attempt++) {
        const whole = removeIdentities(change, held)
        const isRefused =
          held.length === 0
            ? alone(await users.update(account, now, whole))
            : await together([
                { Update: updateOf(table, account, now, { ...whole, version }) },
                ...(await pointers.deleteEntries({ ...account, identities: held })),
              ])
        if (isRefused === null) return true
        const item = await users.findItem(account.email)
        if (item?.id !== account.id) return false
        if (change.mark && item[change.mark[0]] === change.mark[1]) return true
        const identities = toIdentities(item.identities)
        const isSame = hasKeys({ identities }, held) && (held.length === 0 || item.token_version === version)
        if (isRefused && isSame) return false
        held = identities
        version = item.token_version
      }
      throw new DomainError('unavailable')
    },

    /**
     * Deletes an account of a token version, with its identities.
     *
     * @param more further conditions
     * @returns `changed` also when a further condition fails
     */
    async remove(
      account: Versioned,
      more: { conditions: readonly string[]; values: Record<string, unknown> } = { conditions: [], values: {} },
    ): Promise<'deleted' | 'changed' | 'absent'> {
      const { email, id, tokenVersion } = account
      let held = account.identities
      for (let attempt = 0; attempt <= maxAttempts; attempt++) {
        const { conditions, names, values } = identitiesAsRead(held)
        const Delete = {
          TableName: table,
          Key: { email },
          ConditionExpression: ['id = :id', 'token_version = :version', ...conditions, ...more.conditions].join(
            ' AND ',
          ),
          ExpressionAttributeValues: { ':id': id, ':version': tokenVersion, ...values, ...more.values },
          ...(held.length > 0 && { ExpressionAttributeNames: names }),
        }
        const isRefused =
          held.length === 0
            ? alone(await conditionalWrite(db.send(new DeleteCommand(Delete))))
            : await together([{ Delete }, ...(await pointers.deleteEntries({ ...account, identities: held }))])
        if (isRefused === null) return 'deleted'
        const item = await users.findItem(email)
        if (item?.id !== id) return 'absent'
        const identities = toIdentities(item.identities)
        if (item.token_version !== tokenVersion || (isRefused && hasKeys({ identities }, held))) return 'changed'
        held = identities
      }
      throw new DomainError('unavailable')
    },
  }
}

export type IdentityTable = ReturnType<typeof identityTable>

/** A change that removes all identities, on condition that they are these. */
export function removeIdentities(change: AccountChange, held: Holder['identities']): AccountChange {
  const { conditions, names, values } = identitiesAsRead(held)
  return {
    ...change,
    remove: [...(change.remove ?? []), ...(held.length > 0 ? ['identities'] : [])],
    conditions: [...(change.conditions ?? []), ...conditions],
    names: { ...change.names, ...names },
    values: { ...change.values, ...values },
  }
}

/** The calls that remove an account's identities. */
export type IdentityRemoval = `Identities:${'GetItem' | 'DeleteItem'}`
