import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { callAws } from '../../shared/aws/aws.ts'
import type { Writes } from '../../shared/aws/transactions.ts'
import type { Account } from '../account/account.ts'
import type { Identity, Pointer, PointerItem } from './identity.ts'
import { pointerPrefix } from './identity.ts'

type Keyed = Pick<Identity, 'key'>

/** An account and its identities, as read. */
export type Holder = Pick<Account, 'email' | 'id'> & { identities: readonly Keyed[] }

/** The condition that an account has exactly these identities. A stored identity never changes. */
export function identitiesAsRead(identities: readonly Keyed[]) {
  if (identities.length === 0) return { conditions: ['attribute_not_exists(identities)'], names: {}, values: {} }
  return {
    conditions: ['size(identities) = :held', ...identities.map((_, i) => `attribute_exists(${pathOf(i)})`)],
    names: Object.fromEntries(identities.map(({ key }, i) => [`#identity${i}`, key])),
    values: { ':held': identities.length },
  }
}

/** The path of an identity in an expression with those names. */
export const pathOf = (index: number): string => `identities.#identity${index}`

/** The index entries of identities. They share the accounts' table, so that one transaction writes both, and one restore covers both. */
export function pointerTable(db: DynamoDBDocumentClient, table: string) {
  const keyOf = (key: string) => ({ email: `${pointerPrefix}${key}` })

  async function find(key: string): Promise<Pointer | null> {
    const input = { TableName: table, Key: keyOf(key), ConsistentRead: true }
    const found = (await callAws(db.send(new GetCommand(input)))).Item as PointerItem | undefined
    return found ? { id: found.id, address: found.address } : null
  }

  /** Points an identity at an account, if the entry is still as read. */
  const put = (key: string, to: Pointer, read: Pointer | null) => ({
    Put: { TableName: table, Item: { ...keyOf(key), ...to }, ...asRead(read) },
  })

  const findAll = ({ identities }: Holder) =>
    Promise.all(identities.map(async ({ key }) => ({ key, read: await find(key) })))

  return {
    find,
    put,

    /** The writes that delete an account's entries. Entries of other accounts are left alone. */
    async deleteEntries(holder: Holder): Promise<Writes> {
      const found = await findAll(holder)
      return found.flatMap(({ key, read }) =>
        read?.id === holder.id ? [{ Delete: { TableName: table, Key: keyOf(key), ...asRead(read) } }] : [],
      )
    },

    /** The writes that move an account's entries to another address. */
    async moveEntries(holder: Holder, address: string): Promise<Writes> {
      const found = await findAll(holder)
      return found.flatMap(({ key, read }) =>
        read === null || read.id === holder.id ? [put(key, { id: holder.id, address }, read)] : [],
      )
    },
  }
}

const asRead = (read: Pointer | null) =>
  read === null
    ? { ConditionExpression: 'attribute_not_exists(email)' }
    : {
        ConditionExpression: 'id = :id AND address = :address',
        ExpressionAttributeValues: { ':id': read.id, ':address': read.address },
      }
