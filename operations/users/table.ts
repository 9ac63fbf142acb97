import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { type DeletionMark, findDeletion, markDeletion } from '../../shared/accounts/deletion-marks.ts'
import type { EmailChanges } from '../../shared/accounts/email-change.ts'
import { noPassword } from '../../shared/accounts/passwords/password-hash.ts'
import type { Counters } from '../../shared/base/limits/counters.ts'
import type { AccountItem } from '../../shared/store/account-item.ts'
import { factorAttributes, pendingEmailAttribute, tokenAttributes } from '../../shared/store/attributes.ts'
import { callAws, conditionalWrite } from '../../shared/store/aws.ts'
import { counterStore } from '../../shared/store/counters.ts'
import { emailChangeReads } from '../../shared/store/email-changes.ts'
import { type AccountChange, type UsersTable, usersTable } from '../../shared/store/users-table.ts'
import { CommandError } from '../command-line/failures.ts'
import type { Stack } from '../command-line/stack.ts'
import { connect } from './connection.ts'

type TableNames = Pick<Stack['outputs'], 'UsersTable' | 'RateLimitsTable'>

/** Identifies the account of a write. */
type Target = Pick<AccountItem, 'email' | 'id'>

/** An account stores few links an hour, and voids its tokens as rarely: even a second try is rare. */
const maxTries = 5

/** Voids the access tokens. It sets no version read earlier, so tokens issued in the meantime are void too. */
const raiseVersion = 'token_version = token_version + :one'

/**
 * The users table for commands, and the marks of deletions. Each change is one conditional write of one item, on
 * condition that it still has the account's id. It returns false when the account was deleted, even if its address was
 * registered again. When an answer is lost, the SDK repeats the write, with the same result.
 */
export class AccountTable {
  readonly #db: DynamoDBDocumentClient
  readonly #table: string
  readonly #users: UsersTable
  readonly #marks: { counters: Counters; now: () => Date }
  readonly #moves: Pick<EmailChanges, 'find'>
  /** The time by DynamoDB's clock. */
  readonly now: () => Date

  constructor({ client, outputs }: { client: Stack['client']; outputs: TableNames }) {
    const { db, now } = connect(client)
    this.#db = db
    this.now = now
    this.#table = outputs.UsersTable
    this.#users = usersTable(db, outputs.UsersTable)
    this.#marks = { counters: counterStore(this.#db, outputs.RateLimitsTable), now }
    this.#moves = emailChangeReads(this.#db, outputs.RateLimitsTable)
  }

  find(email: string): Promise<AccountItem | null> {
    return this.#users.findItem(email)
  }

  /** @returns false when the address has an account */
  async add(item: AccountItem): Promise<boolean> {
    const input = { TableName: this.#table, Item: item, ConditionExpression: 'attribute_not_exists(email)' }
    return (await conditionalWrite(this.#db.send(new PutCommand(input)))) !== null
  }

  /** The account of an id that has moved within eight days. */
  async findMoved(id: string): Promise<AccountItem | null> {
    const moved = await this.#moves.find(id)
    const found = moved && (await this.find(moved.email))
    return found?.id === id ? found : null
  }

  /** Reads all accounts, or some attributes of them, a page of the table at a time. */
  async *pages<Name extends keyof AccountItem>(
    attributes?: readonly Name[],
  ): AsyncGenerator<Pick<AccountItem, Name>[]> {
    let start: Record<string, unknown> | undefined
    do {
      const input = {
        TableName: this.#table,
        ConsistentRead: true,
        ExclusiveStartKey: start,
        // By placeholders: `name` is a reserved word (Amazon DynamoDB, "Reserved words").
        ...(attributes && {
          ProjectionExpression: attributes.map(name => `#${name}`).join(', '),
          ExpressionAttributeNames: Object.fromEntries(attributes.map(name => [`#${name}`, name])),
        }),
      }
      const page = await callAws(this.#db.send(new ScanCommand(input)))
      start = page.LastEvaluatedKey
      yield (page.Items ?? []) as Pick<AccountItem, Name>[]
    } while (start)
  }

  /**
   * Deletes the account after marking the deletion. The mark must hold the token version that is deleted: if that has
   * changed in the meantime, both writes are repeated.
   */
  async remove({ email, id, token_version }: Target & Pick<AccountItem, 'token_version'>): Promise<boolean> {
    for (let tokenVersion = token_version, tries = 0; tries < maxTries; tries++) {
      const unmark = await markDeletion(this.#marks, { id, email, tokenVersion })
      const removed = await conditionalWrite(
        this.#db.send(
          new DeleteCommand({
            TableName: this.#table,
            Key: { email },
            ConditionExpression: 'id = :id AND token_version = :version',
            ExpressionAttributeValues: { ':id': id, ':version': tokenVersion },
          }),
        ),
      )
      if (removed !== null) return true
      const present = await this.find(email)
      if (present?.id !== id) {
        const moved = await this.findMoved(id)
        // The marks stay: the account is gone, perhaps by the first of two tries of this write.
        if (moved === null) return false
        await unmark()
        throw new CommandError(`${email} changed its address to ${moved.email} in the meantime; it was not deleted`)
      }
      await unmark()
      tokenVersion = present.token_version
    }
    throw new CommandError(`${email} keeps changing; run the command again`)
  }

  /** The mark that deletions of an id or an address have left. */
  findDeletion(by: 'id' | 'email', text: string): Promise<DeletionMark | null> {
    return findDeletion(this.#marks, by, text)
  }

  /** Marks the address as verified, and removes the token that was mailed for that. */
  verify(account: Target, now: Date): Promise<boolean> {
    const { hash, expires } = tokenAttributes.verification
    return this.#update(account, now, {
      set: ['is_verified = :true'],
      remove: [hash, expires, pendingEmailAttribute],
      values: { ':true': true },
    })
  }

  /**
   * Makes an account an administrator's, or an ordinary one. A new administrator's access tokens are void, so that no
   * deletion that is under way takes the account: it is refused when the token version has changed.
   */
  setAdmin(account: Target, isAdmin: boolean, now: Date): Promise<boolean> {
    return this.#update(account, now, {
      set: ['is_admin = :admin', ...(isAdmin ? [raiseVersion] : [])],
      values: { ':admin': isAdmin, ...(isAdmin && { ':one': 1 }) },
    })
  }

  /** Keeps everyone from logging in, and voids access tokens. */
  lock(account: Target, now: Date): Promise<boolean> {
    const set = ['locked_at = if_not_exists(locked_at, :now)', raiseVersion]
    return this.#update(account, now, { set, values: { ':one': 1 } })
  }

  unlock(account: Target, now: Date): Promise<boolean> {
    return this.#update(account, now, { remove: ['locked_at'] })
  }

  /** Voids access tokens and forgets clients, like logging out everywhere. */
  signOut(account: Target, now: Date): Promise<boolean> {
    return this.#update(account, now, { set: [raiseVersion], remove: ['remembered_remotes'], values: { ':one': 1 } })
  }

  /** Removes the second factor, with its recovery codes, and voids access tokens. */
  removeFactor(account: Target, now: Date): Promise<boolean> {
    return this.#update(account, now, { set: [raiseVersion], remove: factorAttributes, values: { ':one': 1 } })
  }

  /**
   * Voids everything that gives access: the password, access tokens, links and clients. It stores its time as that of the
   * newest request for a link, so the worker drops the links on the queue, whose requests are older. The stored time
   * never goes back: otherwise a used link would work again. If a later one is stored already, by another clock or in
   * the meantime, the write is repeated with that time.
   */
  async revoke(account: Target, now: Date): Promise<boolean> {
    const links = Object.values(tokenAttributes)
    const write = (at: string) =>
      this.#update(account, now, {
        set: ['password_hash = :none', raiseVersion, ...links.map(({ requestedAt }) => `${requestedAt} = :at`)],
        remove: ['remembered_remotes', pendingEmailAttribute, ...links.flatMap(({ hash, expires }) => [hash, expires])],
        condition: links
          .map(({ requestedAt }) => `(attribute_not_exists(${requestedAt}) OR ${requestedAt} <= :at)`)
          .join(' AND '),
        values: { ':none': noPassword, ':one': 1, ':at': at },
      })
    for (let at = now.toISOString(), tries = 0; tries < maxTries; tries++) {
      if (await write(at)) return true
      const present = await this.find(account.email)
      if (present?.id !== account.id) return false
      at = [at, ...links.map(({ requestedAt }) => present[requestedAt] ?? '')].sort().at(-1) ?? at
    }
    throw new CommandError(`${account.email} keeps getting new links; run the command again`)
  }

  async #update(account: Target, now: Date, change: AccountChange): Promise<boolean> {
    return (await this.#users.update(account, now, change)) !== null
  }
}
