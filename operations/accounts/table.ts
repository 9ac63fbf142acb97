import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { noPassword } from '../../shared/accounts/password-hash.ts'
import { callAws, conditionalWrite } from '../../shared/aws.ts'
import type { AccountItem } from '../../shared/store/account-item.ts'
import { tokenAttributes } from '../../shared/store/tables.ts'
import { CommandError } from '../command-line/command-error.ts'
import type { Stack } from '../command-line/stack.ts'

/** An account, as far as a write names it. */
type Named = Pick<AccountItem, 'email' | 'id'>

/** The Date of an answer is in whole seconds, rounded down (RFC 9110 §5.6.7). */
const dateStepMs = 1000

/** Voids the access tokens. It names no version: those that are issued meanwhile are void too. */
const raiseVersion = 'token_version = token_version + :one'

/**
 * The users table, as far as commands change it. Each change is one conditional write of one item, which names the
 * account's id: false when the account is gone, or another one has its address. A change whose answer was lost is sent
 * again by the SDK, and comes to the same.
 */
export class AccountTable {
  readonly #db: DynamoDBDocumentClient
  readonly #table: string
  /** Milliseconds that this machine's clock is behind DynamoDB's. */
  #behind = 0

  constructor({ client, outputs }: { client: Stack['client']; outputs: Pick<Stack['outputs'], 'UsersTable'> }) {
    const dynamodb = new DynamoDBClient(client)
    dynamodb.middlewareStack.add(
      next => async args => {
        const answer = await next(args)
        const { headers } = answer.response as { headers?: Record<string, string> }
        const date = Date.parse(headers?.date ?? '')
        if (!Number.isNaN(date)) this.#behind = date + dateStepMs - Date.now()
        return answer
      },
      { step: 'deserialize', priority: 'low', name: 'readDate' },
    )
    this.#db = DynamoDBDocumentClient.from(dynamodb)
    this.#table = outputs.UsersTable
  }

  /**
   * The time by the clock of DynamoDB's last answer, a second ahead at most. An operator's own clock may be minutes off:
   * a revocation dated by it would spare links on the queue, or refuse the owner's next one.
   */
  now(): Date {
    return new Date(Date.now() + this.#behind)
  }

  async find(email: string): Promise<AccountItem | null> {
    const input = { TableName: this.#table, Key: { email }, ConsistentRead: true }
    const found = await callAws(this.#db.send(new GetCommand(input)))
    return (found.Item as AccountItem | undefined) ?? null
  }

  /** @returns false when there is an account of this address */
  async add(item: AccountItem): Promise<boolean> {
    const input = { TableName: this.#table, Item: item, ConditionExpression: 'attribute_not_exists(email)' }
    return (await conditionalWrite(this.#db.send(new PutCommand(input)))) !== null
  }

  /** All accounts, whole or some attributes of them, a page of the table at a time. */
  async *pages<Name extends keyof AccountItem>(
    attributes?: readonly Name[],
  ): AsyncGenerator<Pick<AccountItem, Name>[]> {
    let start: Record<string, unknown> | undefined
    do {
      const input = {
        TableName: this.#table,
        ConsistentRead: true,
        ExclusiveStartKey: start,
        ProjectionExpression: attributes?.join(', '),
      }
      const page = await callAws(this.#db.send(new ScanCommand(input)))
      start = page.LastEvaluatedKey
      yield (page.Items ?? []) as Pick<AccountItem, Name>[]
    } while (start)
  }

  async remove({ email, id }: Named): Promise<boolean> {
    const removed = await conditionalWrite(
      this.#db.send(
        new DeleteCommand({
          TableName: this.#table,
          Key: { email },
          ConditionExpression: 'id = :id',
          ExpressionAttributeValues: { ':id': id },
        }),
      ),
    )
    return removed !== null
  }

  /** Marks the address as verified and clears the token that would do it. */
  verify(account: Named, now: Date): Promise<boolean> {
    const { hash, expires } = tokenAttributes.verification
    return this.#update(account, now, {
      set: ['is_verified = :true'],
      remove: [hash, expires],
      values: { ':true': true },
    })
  }

  setAdmin(account: Named, isAdmin: boolean, now: Date): Promise<boolean> {
    return this.#update(account, now, { set: ['is_admin = :admin'], values: { ':admin': isAdmin } })
  }

  /** Nobody can log in, and access tokens are void. */
  lock(account: Named, now: Date): Promise<boolean> {
    const set = ['locked_at = if_not_exists(locked_at, :now)', raiseVersion]
    return this.#update(account, now, { set, values: { ':one': 1 } })
  }

  unlock(account: Named, now: Date): Promise<boolean> {
    return this.#update(account, now, { remove: ['locked_at'] })
  }

  /** Voids access tokens and forgets remotes, as logging out everywhere does. */
  signOut(account: Named, now: Date): Promise<boolean> {
    return this.#update(account, now, { set: [raiseVersion], remove: ['remembered_remotes'], values: { ':one': 1 } })
  }

  /**
   * Voids all that opens the account: the password, access tokens, links and remotes. Links on the queue are dropped,
   * since they were asked for before the time that this leaves on the account. That time never goes back, or a link
   * that was used already would come back to life: where a later one was stored, by another clock or just now, the write
   * is made anew with its time.
   */
  async revoke(account: Named, now: Date): Promise<boolean> {
    const links = Object.values(tokenAttributes)
    const write = (at: string) =>
      this.#update(account, now, {
        set: ['password_hash = :none', raiseVersion, ...links.map(({ requestedAt }) => `${requestedAt} = :at`)],
        remove: ['remembered_remotes', ...links.flatMap(({ hash, expires }) => [hash, expires])],
        condition: links
          .map(({ requestedAt }) => `(attribute_not_exists(${requestedAt}) OR ${requestedAt} <= :at)`)
          .join(' AND '),
        values: { ':none': noPassword, ':one': 1, ':at': at },
      })
    // Few links an hour are stored: two writes in a row that come too late are rare.
    for (let at = now.toISOString(), tries = 0; tries < 5; tries++) {
      if (await write(at)) return true
      const present = await this.find(account.email)
      if (present?.id !== account.id) return false
      at = [at, ...links.map(({ requestedAt }) => present[requestedAt] ?? '')].sort().at(-1) ?? at
    }
    throw new CommandError(`links to ${account.email} are being stored all the time; run the command again`)
  }

  async #update({ email, id }: Named, now: Date, change: Change): Promise<boolean> {
    const { set = [], remove = [], condition, values = {} } = change
    const removal = remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : ''
    const updated = await conditionalWrite(
      this.#db.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { email },
          UpdateExpression: `SET ${[...set, 'updated_at = :now'].join(', ')}${removal}`,
          ConditionExpression: condition ? `id = :id AND ${condition}` : 'id = :id',
          ExpressionAttributeValues: { ':id': id, ':now': now.toISOString(), ...values },
        }),
      ),
    )
    return updated !== null
  }
}

/** One update of an account, as expressions of DynamoDB; `:now` stands for its time. */
interface Change {
  set?: readonly string[]
  remove?: readonly string[]
  /** Besides the account's id. */
  condition?: string
  values?: Record<string, unknown>
}
