import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { type DeletionMark, findDeletion, markDeletion } from '../../shared/accounts/deletion-marks.ts'
import type { EmailChanges } from '../../shared/accounts/email-changes/email-change.ts'
import type { Counters } from '../../shared/base/limits/counters.ts'
import { type AccountItem, toAccount, withoutPassword } from '../../shared/store/account-item.ts'
import {
  factorAttributes,
  invitedAttribute,
  pendingEmailAttribute,
  tokenAttributes,
} from '../../shared/store/attributes.ts'
import { callAws } from '../../shared/store/aws.ts'
import { counterStore } from '../../shared/store/counters.ts'
import { emailChangeStore } from '../../shared/store/email-changes.ts'
import { type IdentityTable, identityTable } from '../../shared/store/identity-table.ts'
import { usersTable } from '../../shared/store/users-table.ts'
import { CommandError } from '../command-line/failures.ts'
import type { Stack } from '../command-line/stack.ts'
import { AccountChanges, maxTries, type Target } from './account-changes.ts'
import { connect } from './connection.ts'
import { type MoveDeps, moveAccount } from './move-account.ts'

type TableNames = Pick<Stack['outputs'], 'UsersTable' | 'RateLimitsTable'>

/** Identifies the account of a write. */
type Target = Pick<AccountItem, 'email' | 'id'>

/** An account and its identities, which go with it. */
type Identified = Target & Pick<AccountItem, 'identities'>

/** What a deletion looks at. */
type Sweepable = Identified & Pick<AccountItem, 'token_version' | 'is_verified' | 'is_admin'>

const holderOf = ({ email, id, identities }: Identified) => ({ email, id, identities: toIdentities(identities) })

/** Refuses an account that a loop over unverified ones must leave: the list was read earlier. @throws {CommandError} */
function refuseKept({ email, is_verified, is_admin }: Sweepable): void {
  if (is_verified) throw new CommandError(`${email} is verified by now; it was not deleted`)
  if (is_admin) throw new CommandError(`${email} is an administrator; it was not deleted`)
}

const stillUnverified = { conditions: ['is_verified = :no', 'is_admin = :no'], values: { ':no': false } }

/** An account stores few links an hour, and voids its tokens as rarely: even a second try is rare. */
const maxTries = 5

/**
 * The users table for commands, and the marks of deletions. Each change but `move`, and those that touch identities, is one
 * conditional write of one item, on condition that it still has the account's id, not that of its token version: where a
 * write raises that, tokens issued in the meantime are void too. It returns false when the account was deleted, even if its address was registered again. When
 * an answer is lost, the SDK repeats the write, with the same result.
 */
export class AccountTable {
  readonly #db: DynamoDBDocumentClient
  readonly #table: string
  readonly #users: UsersTable
  readonly #identities: IdentityTable
  readonly #marks: { counters: Counters<'DeletionMarks'>; now: () => Date }
  readonly #moves: EmailChanges
  /** The time by DynamoDB's clock. */
  readonly now: () => Date

  constructor({ client, outputs }: { client: Stack['client']; outputs: TableNames }) {
    const { db, now } = connect(client)
    super(usersTable(db, outputs.UsersTable))
    this.#db = db
    this.now = now
    this.#table = outputs.UsersTable
    this.#marks = { counters: counterStore(this.#db, outputs.RateLimitsTable), now }
    const tables = { users: outputs.UsersTable, rateLimits: outputs.RateLimitsTable }
    const waiting = { pause, randomBytes }
    this.#identities = identityTable(db, outputs.UsersTable, waiting, this.#users)
    this.#moves = emailChangeStore(this.#db, tables, waiting)
  }

  find(email: string): Promise<AccountItem | null> {
    return this.#users.findItem(email)
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
      const removed = await this.#identities.remove(
        { ...holderOf(present), tokenVersion },
        onlyUnverified ? stillUnverified : undefined,
      )
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
  move(
    account: Target,
    to: string,
    { mailFrom, queueMail }: { mailFrom: string | null } & Pick<MoveDeps, 'queueMail'>,
  ): ReturnType<typeof moveAccount> {
    const find = async (email: string) => {
      const item = await this.find(email)
      return item && toAccount(item)
    }
    const { counters, now } = this.#marks
    const deps = { accounts: { find }, counters, emailChanges: this.#moves, queueMail, now, randomBytes }
    return moveAccount({ ...deps, config: { mailFrom } }, account, to)
  }

  /** The mark that deletions of an id or an address have left. */
  findDeletion(by: 'id' | 'email', text: string): Promise<DeletionMark | null> {
    return findDeletion(this.#marks, by, text)
  }

  /** Marks the address as verified, and removes the token that was mailed for that. */
  verify(account: Target, now: Date): Promise<boolean> {
    const { hash, expires } = tokenAttributes.verification
    const remove = [hash, expires, pendingEmailAttribute]
    return this.#users.write(account, now, { set: { is_verified: true }, remove })
  }

  /**
   * Makes an account an administrator's, or an ordinary one. A new administrator's access tokens are void, so that no
   * deletion that is under way takes the account: it is refused when the token version has changed.
   */
  setAdmin(account: Target, isAdmin: boolean, now: Date): Promise<boolean> {
    return this.#users.write(account, now, { set: { is_admin: isAdmin }, raises: isAdmin })
  }

  /** Keeps everyone from logging in, and voids access tokens. */
  lock(account: Target, now: Date): Promise<boolean> {
    return this.#users.write(account, now, { assign: ['locked_at = if_not_exists(locked_at, :now)'], raises: true })
  }

  unlock(account: Target, now: Date): Promise<boolean> {
    return this.#users.write(account, now, { remove: ['locked_at'] })
  }

  /** Voids access tokens and forgets clients, like logging out everywhere. */
  signOut(account: Target, now: Date): Promise<boolean> {
    return this.#users.write(account, now, { raises: true, remove: ['remembered_remotes'] })
  }

  /** Sets the language of mails, or none. Notices use it at once. */
  setLanguage(account: Target, language: string | undefined, now: Date): Promise<boolean> {
    const former = ['language_before', 'language_until']
    const change = language === undefined ? { remove: ['language', ...former] } : { set: { language }, remove: former }
    return this.#users.write(account, now, change)
  }

  /**
   * Sets the roles, while they are as they were read, or set already: the SDK repeats a write. Tokens that have a role which is
   * taken are void.
   */
  setRoles(account: Target & Pick<AccountItem, 'roles'>, roles: readonly string[], now: Date): Promise<boolean> {
    const { roles: before = [] } = account
    const [asRead, asSet] = [hasRoles('before', before), hasRoles('after', roles)]
    return this.#users.write(account, now, {
      ...(roles.length > 0 ? { set: { roles } } : { remove: ['roles'] }),
      raises: before.some(role => !roles.includes(role)),
      conditions: [`(${asRead.condition} OR ${asSet.condition})`],
      values: { ...asRead.values, ...asSet.values },
    })
  }

  /** Removes the second factor, with its recovery codes, and voids access tokens. */
  removeFactor(account: Target, now: Date): Promise<boolean> {
    return this.#users.write(account, now, { raises: true, remove: factorAttributes })
  }

  /** Removes all passkeys, and voids access tokens: none that is being added lands after it. */
  removePasskeys(account: Target, now: Date): Promise<boolean> {
    return this.#users.write(account, now, { raises: true, remove: ['passkeys'] })
  }

  /** Disconnects all identities, and voids access tokens: none that is being connected lands after it. */
  disconnect(account: Identified, now: Date): Promise<boolean> {
    return this.#identities.writeWithoutIdentities(holderOf(account), now, { raises: true })
  }

  /**
   * Voids everything that gives access: the password, passkeys, identities, access tokens, links, an invitation and clients. It stores its time as that of the
   * newest request for a link, so the worker drops the links on the queue, whose requests are older. The stored time
   * never goes back: otherwise a used link would work again. If another password or a later time is stored in the
   * meantime, the write is repeated with these.
   */
  async revoke(account: Target, now: Date): Promise<boolean> {
    const links = Object.values(tokenAttributes)
    for (let tries = 0; tries < maxTries; tries++) {
      const present = await this.find(account.email)
      if (present?.id !== account.id) return false
      const at = [now.toISOString(), ...links.map(({ requestedAt }) => present[requestedAt] ?? '')].sort().at(-1)
      const isWritten = await this.#identities.writeWithoutIdentities(holderOf(present), now, {
        set: {
          ...withoutPassword(present),
          ...Object.fromEntries(links.map(({ requestedAt }) => [requestedAt, at])),
          ...(present[invitedAttribute] !== undefined && { [invitedAttribute]: now.toISOString() }),
        },
        raises: true,
        remove: [
          'passkeys',
          'remembered_remotes',
          pendingEmailAttribute,
          ...links.flatMap(({ hash, expires }) => [hash, expires]),
        ],
        conditions: [
          'password_hash = :found',
          ...links.map(
            ({ requestedAt }) => `(attribute_not_exists(${requestedAt}) OR ${requestedAt} <= :${requestedAt})`,
          ),
        ],
        values: { ':found': present.password_hash },
      })
      if (isWritten) return true
    }
    throw new CommandError(`${account.email} keeps changing; run the command again`)
  }
}

/** The condition that an account has these roles and no others. dynalite takes no list for another list of the same texts. */
function hasRoles(name: string, roles: readonly string[]) {
  if (roles.length === 0) return { condition: 'attribute_not_exists(#roles)', values: {} }
  const each = roles.map((role, i) => [`:${name}_${i}`, role] as const)
  const conditions = [`size(#roles) = :${name}`, ...each.map(([value]) => `contains(#roles, ${value})`)]
  return {
    condition: `(${conditions.join(' AND ')})`,
    values: { [`:${name}`]: roles.length, ...Object.fromEntries(each) },
  }
}
