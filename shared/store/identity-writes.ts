import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Account, Accounts } from '../accounts/account.ts'
import type { Pointer } from '../accounts/identity.ts'
import { DomainError } from '../base/errors.ts'
import { type AccountItem, toAccount, toItem } from './account-item.ts'
import { pendingEmailAttribute, tokenAttributes } from './attributes.ts'
import { conditionalWrite } from './aws.ts'
import { toIdentities, toIdentityItem, toIdentityItems } from './identity-item.ts'
import { type Holder, identitiesAsRead, pathOf, pointerTable } from './pointers.ts'
import { raising } from './session-writes.ts'
import { type Waiting, type Writes, writeTogether } from './transactions.ts'
import { type AccountChange, type UsersTable, updateOf } from './users-table.ts'

type IdentityWrites = Pick<
  Accounts,
  'findByIdentity' | 'openByIdentity' | 'connectIdentity' | 'disconnectIdentity' | 'delete'
>

/** How often what was read is read again, when others keep connecting identities. */
const rounds = 3

const { hash, expires } = tokenAttributes.verification

const hasKeys = ({ identities }: Pick<Holder, 'identities'>, others: Holder['identities']): boolean =>
  identities.length === others.length && identities.every(({ key }) => others.some(other => other.key === key))

/** The writes of accounts that touch their identities, and with them the pointers. */
export function identityTable(db: DynamoDBDocumentClient, table: string, waiting: Waiting, users: UsersTable) {
  const pointers = pointerTable(db, table)

  /** @returns null when it is written; else whether the condition on the account has refused it */
  const together = async (writes: Writes) => (await writeTogether(db, waiting, writes))?.[0] ?? null
  const alone = (written: unknown) => (written === null ? true : null)

  /** Whether a pointer leads to an account that has the identity. */
  async function findHolder(key: string, { id, address }: Pointer): Promise<Account | null> {
    const account = await users.read(address)
    return account?.id === id && account.identities.some(identity => identity.key === key) ? account : null
  }

  return {
    pointers,
    findHolder,

    /** Adds an account, with its identities. @returns false when its address has one, or another has one of the identities */
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
     * Updates an account that was read, and removes all its identities. It reads them again when others have come or gone
     * since. False as of `write`.
     *
     * @throws {DomainError} `unavailable`
     */
    async writeWithoutIdentities(account: Holder, now: Date, change: AccountChange): Promise<boolean> {
      let held = account.identities
      for (let round = 0; round <= rounds; round++) {
        const whole = leavingIdentities(change, held)
        const isRefused =
          held.length === 0
            ? alone(await users.update(account, now, whole))
            : await together([
                { Update: updateOf(table, account, now, whole) },
                ...(await pointers.leaving({ ...account, identities: held })),
              ])
        if (isRefused === null) return true
        const item = await users.findItem(account.email)
        if (item?.id !== account.id) return false
        if (change.mark && item[change.mark[0]] === change.mark[1]) return true
        const identities = toIdentities(item.identities)
        if (isRefused && hasKeys({ identities }, held)) return false
        held = identities
      }
      throw new DomainError('unavailable')
    },

    /**
     * Deletes an account of a token version, with its identities.
     *
     * @param more conditions besides
     * @returns `changed` also when one of those does not hold
     */
    async remove(
      account: Holder & Pick<Account, 'tokenVersion'>,
      more: { conditions: readonly string[]; values: Record<string, unknown> } = { conditions: [], values: {} },
    ): Promise<'deleted' | 'changed' | 'absent'> {
      const { email, id, tokenVersion } = account
      let held = account.identities
      for (let round = 0; round <= rounds; round++) {
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
            : await together([{ Delete }, ...(await pointers.leaving({ ...account, identities: held }))])
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

/** A change that leaves an account without identities, on condition that it has these. */
export function leavingIdentities(change: AccountChange, held: Holder['identities']): AccountChange {
  const { conditions, names, values } = identitiesAsRead(held)
  return {
    ...change,
    remove: [...(change.remove ?? []), ...(held.length > 0 ? ['identities'] : [])],
    conditions: [...(change.conditions ?? []), ...conditions],
    names: { ...change.names, ...names },
    values: { ...change.values, ...values },
  }
}

/** Logins by identities, and the writes that connect and disconnect them. */
export function identityWrites(
  db: DynamoDBDocumentClient,
  table: string,
  waiting: Waiting,
  users: UsersTable,
  { pointers, findHolder, remove }: IdentityTable,
): IdentityWrites {
  return {
    delete: account => remove(account),

    async findByIdentity(key) {
      for (let reads = 1; ; reads++) {
        const pointer = await pointers.find(key)
        if (pointer === null) return { account: null, pointer }
        const account = await findHolder(key, pointer)
        if (account !== null) return { account, pointer }
        // The account may have moved, or have lost the identity, between the two reads.
        if (reads === rounds) return { account: null, pointer }
      }
    },

    async openByIdentity(account, { identity, pointer, mark }) {
      const item = { ...toItem(account, account.createdAt), identities: toIdentityItems([identity]) }
      const refused = await writeTogether(db, waiting, [
        {
          Put: {
            TableName: table,
            Item: { ...item, identity_changed_by: mark },
            ConditionExpression: 'attribute_not_exists(email)',
          },
        },
        pointers.put(identity.key, { id: account.id, address: account.email }, pointer),
      ])
      // The SDK repeats a transaction whose answer was lost. The second one finds its own account.
      if (refused === null || (await users.findItem(account.email))?.id === account.id) return 'opened'
      return refused[1] ? 'lost' : 'taken'
    },

    async connectIdentity(account, { identity, pointer, mark }, verifies, now) {
      const held = identitiesAsRead(account.identities)
      // DynamoDB refuses to set a member of a map that is not there.
      const isFirst = account.identities.length === 0
      const change = updateOf(table, account, now, {
        set: {
          ...(verifies && { is_verified: true }),
          ...(isFirst && { identities: toIdentityItems([identity]) }),
        },
        assign: isFirst ? [] : ['identities.#identity = :identity'],
        remove: verifies ? [hash, expires, pendingEmailAttribute] : [],
        version: account.tokenVersion,
        conditions: held.conditions,
        names: { ...held.names, ...(!isFirst && { '#identity': identity.key }) },
        values: { ...held.values, ...(!isFirst && { ':identity': toIdentityItem(identity) }) },
        mark: ['identity_changed_by', mark],
      })
      const refused = await writeTogether(db, waiting, [
        { Update: change },
        pointers.put(identity.key, { id: account.id, address: account.email }, pointer),
      ])
      const item = await users.findItem(account.email)
      const isWritten = refused === null || item?.identity_changed_by === mark
      return isWritten && item?.id === account.id ? toAccount(item) : null
    },

    async disconnectIdentity(account, key, change, now, kept) {
      const raised = raising(account, change, kept)
      const held = identitiesAsRead(account.identities)
      const index = account.identities.findIndex(identity => identity.key === key)
      if (index === -1) return false
      const update = updateOf(table, account, now, {
        ...raised,
        remove: [account.identities.length === 1 ? 'identities' : pathOf(index)],
        conditions: [...raised.conditions, ...held.conditions],
        names: { ...raised.names, ...held.names },
        values: { ...raised.values, ...held.values },
        mark: ['identity_changed_by', change.mark],
      })
      const left = await pointers.leaving({ ...account, identities: [{ key }] })
      if ((await writeTogether(db, waiting, [{ Update: update }, ...left])) === null) return true
      const item = await users.findItem(account.email)
      return item?.id === account.id && item.identity_changed_by === change.mark
    },
  }
}
