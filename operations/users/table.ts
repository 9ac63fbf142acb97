import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { type AccountItem, toAccount } from '../../accounts/account/attributes.ts'
import { usersTable } from '../../accounts/account/writes.ts'
import type { EmailChanges } from '../../accounts/address/change.ts'
import { type DeletionMark, findDeletion, markDeletion } from '../../accounts/address/deletion-marks.ts'
import { emailChangeStore } from '../../accounts/address/writes.ts'
import { holderOf, type IdentityTable, identityTable } from '../../accounts/identity/table.ts'
import { callAws } from '../../shared/aws/aws.ts'
import { counterStore } from '../../shared/aws/counters.ts'
import type { Counters } from '../../shared/base/limits/counters.ts'
import { CommandError } from '../command-line/failures.ts'
import type { Stack } from '../command-line/stack.ts'
import { AccountChanges, type Identified, maxTries, type Target } from './account-changes.ts'
import { connect } from './connection.ts'
import { type MoveDeps, moveAccount } from './move-account.ts'
import { clockStep } from './time.ts'

type TableNames = Pick<Stack['outputs'], 'UsersTable' | 'RateLimitsTable'>

/** What a deletion looks at. */
type Sweepable = Identified & Pick<AccountItem, 'is_verified' | 'is_admin'>

/** Refuses an account that a loop over unverified ones must leave: the list was read earlier. @throws {CommandError} */
function refuseKept({ email, is_verified, is_admin }: Sweepable): void {
  if (is_verified) throw new CommandError(`${email} is verified by now; it was not deleted`)
  if (is_admin) throw new CommandError(`${email} is an administrator; it was not deleted`)
}

const stillUnverified = { conditions: ['is_verified = :no', 'is_admin = :no'], values: { ':no': false } }

/** The users table for commands: all accounts, what changes of one, and the marks of deletions. */
export class AccountTable extends AccountChanges {
  readonly #db: DynamoDBDocumentClient
  readonly #table: string
  readonly #identities: IdentityTable
  readonly #marks: { counters: Counters<'DeletionMarks'>; now: () => Date }
  readonly #moves: EmailChanges
  /** The time by DynamoDB's clock, at most a second ahead. */
  readonly now: () => Date

  constructor({ client, outputs }: { client: Stack['client']; outputs: TableNames }) {
    const { db, now } = connect(client)
    const users = usersTable(db, outputs.UsersTable)
    const waiting = { pause, randomBytes }
    const identities = identityTable(db, outputs.UsersTable, waiting, users)
    super(users, identities)
    this.#identities = identities
    this.#db = db
    this.now = now
    this.#table = outputs.UsersTable
    this.#marks = { counters: counterStore(this.#db, outputs.RateLimitsTable), now }
    const tables = { users: outputs.UsersTable, rateLimits: outputs.RateLimitsTable }
    this.#moves = emailChangeStore(this.#db, tables, waiting)
  }

  /**
   * A time at which links are void that were asked for before this call. The clock has passed it when this resolves: links that
   * are asked for after the write that it dates are newer.
   */
  async passedTime(): Promise<Date> {
    const at = this.now()
    await pause(clockStep)
    return at
  }

  /** @returns false when the address has an account, or another account has one of the identities */
  add(item: AccountItem): Promise<boolean> {
    return this.#identities.add(item)
  }

  /** The account of an id that has moved within eight days. */
  async findMoved(id: string): Promise<AccountItem | null> {
    const moved = await this.#moves.find(id)
    const found = moved && (await this.find(moved.email))
    return found?.id === id ? found : null
  }

  /** Reads all accounts, or some attributes of them, a page of the table at a time. Pointers of identities are no accounts. */
  async *pages<Name extends keyof AccountItem>(
    attributes?: readonly Name[],
  ): AsyncGenerator<Pick<AccountItem, Name>[]> {
    let start: Record<string, unknown> | undefined
    do {
      const input = {
        TableName: this.#table,
        ConsistentRead: true,
        ExclusiveStartKey: start,
        FilterExpression: 'contains(email, :at)',
        ExpressionAttributeValues: { ':at': '@' },
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
   *
   * @param onlyUnverified leaves an account that is verified, which raises no version, and an administrator's
   * @throws {CommandError} when the account stays, as it is or at another address; then no mark does
   */
  async remove(account: Sweepable, { onlyUnverified = false } = {}): Promise<boolean> {
    const { email, id } = account
    for (let present = account, tries = 0; tries < maxTries; tries++) {
      if (onlyUnverified) refuseKept(present)
      const { token_version: tokenVersion } = present
      const unmark = await markDeletion(this.#marks, { id, email, tokenVersion })
      const removed = await this.#identities.remove(holderOf(present), onlyUnverified ? stillUnverified : undefined)
      if (removed === 'deleted') return true
      const found = await this.find(email)
      if (found?.id !== id) {
        const moved = await this.findMoved(id)
        // The marks stay: the account is gone, perhaps by the first of two tries of this write.
        if (moved === null) return false
        await unmark()
        throw new CommandError(`${email} changed its address to ${moved.email} in the meantime; it was not deleted`)
      }
      await unmark()
      present = found
    }
    throw new CommandError(`${email} keeps changing; run the command again`)
  }

  /** Moves the account to another address: the only write here of several items. @throws {CommandError} */
  async move(
    account: Target,
    to: string,
    { mailFrom, queueMail }: { mailFrom: string | null } & Pick<MoveDeps, 'queueMail'>,
  ): ReturnType<typeof moveAccount> {
    const find = async (email: string) => {
      const item = await this.find(email)
      return item && toAccount(item)
    }
    const { counters } = this.#marks
    const at = await this.passedTime()
    const now = () => at
    const deps = { accounts: { find }, counters, emailChanges: this.#moves, queueMail, now, randomBytes }
    return moveAccount({ ...deps, config: { mailFrom } }, account, to)
  }

  /** The mark that deletions of an id or an address have left. */
  findDeletion(by: 'id' | 'email', text: string): Promise<DeletionMark | null> {
    return findDeletion(this.#marks, by, text)
  }
}
