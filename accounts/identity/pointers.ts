import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { callAws } from '../../shared/aws/aws.ts'
import type { Writes } from '../../shared/aws/transactions.ts'
import type { Account } from '../account/account.ts'
import type { Identity, Pointer, PointerItem } from './identity.ts'
import { pointerPrefix } from './identity.ts'

type Keyed = Pick<Identity, 'key'>

/** An account and the identities that were read of it. */
export type Holder = Pick<Account, 'email' | 'id'> & { identities: readonly Keyed[] }

/** The condition that an account has these identities and no others. What is stored of one never changes. */
export function identitiesAsRead(identities: readonly Keyed[]) {
  if (identities.length === 0) return { conditions: ['attribute_not_exists(identities)'], names: {}, values: {} }
  return {
    conditions: ['size(identities) = :held', ...identities.map((_, i) => `attribute_exists(${pathOf(i)})`)],
    names: Object.fromEntries(identities.map(({ key }, i) => [`#identity${i}`, key])),
    values: { ':held': identities.length },
  }
}

/** The path of one of them in an expression with those names. */
export const pathOf = (index: number): string => `identities.#identity${index}`

/** The pointers of identities, which lie among the accounts: so one transaction writes them, and a restore brings both back. */
export function pointerTable(db: DynamoDBDocumentClient, table: string) {
  const keyOf = (key: string) => ({ email: `${pointerPrefix}${key}` })

  async function find(key: string): Promise<Pointer | null> {
    const input = { TableName: table, Key: keyOf(key), ConsistentRead: true }
    const found = (await callAws(db.send(new GetCommand(input)))).Item as PointerItem | undefined
    return found ? { id: found.id, address: found.address } : null
  }

  /** Has an identity lead to an account, if the pointer is still as it was read. */
  const put = (key: string, to: Pointer, read: Pointer | null) => ({
    Put: { TableName: table, Item: { ...keyOf(key), ...to }, ...asRead(read) },
  })

  const findAll = ({ identities }: Holder) =>
    Promise.all(identities.map(async ({ key }) => ({ key, read: await find(key) })))

  return {
    find,
    put,

    /** The writes that remove the pointers of an account. One that leads to another account is that one's. */
    async leaving(holder: Holder): Promise<Writes> {
      const found = await findAll(holder)
      return found.flatMap(({ key, read }) =>
        read?.id === holder.id ? [{ Delete: { TableName: table, Key: keyOf(key), ...asRead(read) } }] : [],
      )
    },

    /** The writes by which they follow the account to another address. */
    async following(holder: Holder, address: string): Promise<Writes> {
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
