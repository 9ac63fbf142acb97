import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { type AccountItem, type AccountStore, toAccount } from '../../accounts/account/attributes.ts'
import { accountStore, removeAccount } from '../../accounts/account/writes.ts'
import { type DeletionMark, type DeletionMarks, deletionMarks } from '../../accounts/address/deletion-marks.ts'
import { addressWrites } from '../../accounts/address/writes.ts'
import { leadIdentity } from '../../accounts/identity/entries.ts'
import { identityWrites } from '../../accounts/identity/writes.ts'
import { callAws } from '../../shared/aws/aws.ts'
import type { Write } from '../../shared/aws/transactions.ts'
import { accountKinds } from '../../shared/base/families.ts'
import { CommandError } from '../command-line/failures.ts'
import type { Stack } from '../command-line/stack.ts'
import { AccountChanges, maxTries, type Target } from './account-changes.ts'
import { connect } from './connection.ts'
import { type MoveDeps, moveAccount } from './move-account.ts'
import { clockStep } from './time.ts'

type TableNames = Pick<Stack['outputs'], 'AccountsTable' | 'RateLimitsTable'>

/** What a deletion looks at. */
type Sweepable = Pick<AccountItem, 'email' | 'is_verified' | 'is_admin'>

/** Refuses an account that a loop over unverified ones must leave: the list was read earlier. @throws {CommandError} */
function refuseKept({ email, is_verified, is_admin }: Sweepable): void {
  if (is_verified) throw new CommandError(`${email} is verified by now; it was not deleted`)
  if (is_admin) throw new CommandError(`${email} is an administrator; it was not deleted`)
}

const stillUnverified = { conditions: ['is_verified = :no', 'is_admin = :no'], values: { ':no': false } }

/** The table of accounts for commands: all accounts, what changes of one, and the marks of deletions. */
export class AccountTable extends AccountChanges {
  readonly #db: DynamoDBDocumentClient
  readonly #name: string
  readonly #store: AccountStore
  readonly #marks: DeletionMarks
  /** The time by DynamoDB's clock, at most a second ahead. */
  readonly now: () => Date

  constructor({ client, outputs }: { client: Stack['client']; outputs: TableNames }) {
    const { db, now } = connect(client)
    const store = accountStore(db, outputs.AccountsTable, { pause, randomBytes })
    super(store)
    this.#store = store
    this.#db = db
    this.now = now
    this.#name = outputs.AccountsTable
    this.#marks = deletionMarks(db, () => outputs.RateLimitsTable)
  }

  /**
   * A time at which links are revoked that were asked for before this call. The clock has passed it when this resolves:
   * links that are asked for after the write that it dates are newer.
   */
  async passedTime(): Promise<Date> {
    const at = this.now()
    await pause(clockStep)
    return at
  }

  /** @returns false when the id or the address has an account, or another account has one of the identities */
  async add(item: AccountItem): Promise<boolean> {
    const { add, lead, together } = this.#store
    const { findHolder } = identityWrites(this.#store)
    const leads: Write[] = []
    for (const key of Object.keys(item.identities)) {
      const { account, read } = await findHolder(key)
      if (account !== null) return false
      leads.push(...leadIdentity(this.#store, item.id, key, read))
    }
    return (await together([add(item), lead('Addresses', item.email, item.id), ...leads])) === null
  }

  /** Reads all accounts, or some attributes of them, a page of the table at a time. Entries of addresses and identities are no accounts. */
  async *pages<Name extends keyof AccountItem>(
    attributes?: readonly Name[],
  ): AsyncGenerator<Pick<AccountItem, Name>[]> {
    let start: Record<string, unknown> | undefined
    do {
      const input = {
        TableName: this.#name,
        ConsistentRead: true,
        ExclusiveStartKey: start,
        FilterExpression: 'begins_with(#key, :kind)',
        ExpressionAttributeValues: { ':kind': accountKinds.Accounts },
        // By placeholders: `key` and `name` are reserved words (Amazon DynamoDB, "Reserved words").
        ExpressionAttributeNames: Object.fromEntries(['key', ...(attributes ?? [])].map(name => [`#${name}`, name])),
        ...(attributes && { ProjectionExpression: attributes.map(name => `#${name}`).join(', ') }),
      }
      const page = await callAws(this.#db.send(new ScanCommand(input)))
      start = page.LastEvaluatedKey
      yield (page.Items ?? []) as Pick<AccountItem, Name>[]
    } while (start)
  }

  /**
   * Deletes the account. Its mark holds the token version that is deleted: if that has changed in the meantime, it is read again.
   *
   * @param onlyUnverified leaves an account that is verified, which raises no version, and an administrator's
   * @returns false when there is no such account any more
   * @throws {CommandError} when the account stays, as it is or at another address
   */
  async remove({ id, email }: Target, { onlyUnverified = false } = {}): Promise<boolean> {
    const typed = { conditions: ['email = :email'], values: { ':email': email } }
    const unverified = {
      conditions: [...typed.conditions, ...stillUnverified.conditions],
      values: { ...typed.values, ...stillUnverified.values },
    }
    for (let tries = 0; tries < maxTries; tries++) {
      const present = await this.findById(id)
      if (present === null) return tries > 0
      if (present.email !== email) {
        throw new CommandError(`${email} changed its address to ${present.email} in the meantime; it was not deleted`)
      }
      if (onlyUnverified) refuseKept(present)
      const more = onlyUnverified ? unverified : typed
      if (await removeAccount(this.#store, this.#marks, toAccount(present), this.now(), more)) return true
    }
    throw new CommandError(`${email} keeps changing; run the command again`)
  }

  /** Moves the account to another address. @throws {CommandError} */
  async move(
    account: Target,
    to: string,
    { mailFrom, queueMail }: { mailFrom: string | null } & Pick<MoveDeps, 'queueMail'>,
  ): ReturnType<typeof moveAccount> {
    const toFound = async (found: Promise<AccountItem | null>) => {
      const item = await found
      return item && toAccount(item)
    }
    const accounts = {
      find: (id: string) => toFound(this.findById(id)),
      findByEmail: (email: string) => toFound(this.find(email)),
    }
    const at = await this.passedTime()
    const now = () => at
    const addresses = addressWrites(this.#store, this.#marks)
    return moveAccount({ accounts, addresses, queueMail, now, randomBytes, config: { mailFrom } }, account, to)
  }

  /** The mark that deletions of an id or an address have left. */
  findDeletion(by: 'id' | 'email', text: string): Promise<DeletionMark | null> {
    return this.#marks.find(by, text, this.now())
  }
}
