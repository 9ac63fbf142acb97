import { isDeepStrictEqual } from 'node:util'
import {
  type AccountChange,
  type AccountItem,
  type AccountStore,
  invitedAttribute,
  joined,
  takenBy,
  toAccount,
  withoutPassword,
} from '../../accounts/account/attributes.ts'
import { pendingEmailAttribute } from '../../accounts/address/address.ts'
import { changesAsRead, staysAtReset, voidLinks } from '../../accounts/change/changes.ts'
import { freeIdentities } from '../../accounts/identity/entries.ts'
import { tokenAttributes } from '../../accounts/token/token.ts'
import { CommandError } from '../command-line/failures.ts'

/** Identifies the account of a write, at the address that was typed. */
export type Target = Pick<AccountItem, 'email' | 'id'>

/** An account stores few links an hour, and revokes its tokens as rarely: even a second try is rare. */
export const maxTries = 5

/**
 * What commands change of an account that stays at its address. Each, but where identities go, is one conditional write of one item, on
 * condition that it still has the id and the address that were read, whatever its token version: where a write raises that, tokens
 * issued in the meantime are revoked too. It returns false when the account was deleted or has another address, even if its address
 * was registered again. When an answer is lost, the SDK repeats the write, with the same result.
 */
export class AccountChanges {
  readonly #store: AccountStore

  constructor(store: AccountStore) {
    this.#store = store
  }

  /** The account at an address. */
  async find(email: string): Promise<AccountItem | null> {
    const id = await this.#store.findEntry('Addresses', email)
    const item = id === null ? null : await this.#store.findItem(id)
    return item?.email === email ? item : null
  }

  findById(id: string): Promise<AccountItem | null> {
    return this.#store.findItem(id)
  }

  #write({ id, email }: Target, now: Date, change: AccountChange, others: Parameters<AccountStore['write']>[3] = []) {
    const typed = { conditions: ['email = :email'], values: { ':email': email } }
    return this.#store.write({ id }, now, joined(change, typed), others)
  }

  /**
   * Writes a newer invitation in place of the one that was read. False also when that was accepted, has another end or a
   * newer link in the meantime.
   *
   * @param set its link with its end, and what else changes
   */
  changeInvitation(account: AccountItem, set: Partial<AccountItem>, now: Date): Promise<boolean> {
    const { requestedAt } = tokenAttributes.reset
    return this.#write(account, now, {
      set,
      conditions: [
        `${invitedAttribute} = :invited`,
        `(attribute_not_exists(${requestedAt}) OR ${requestedAt} < :${requestedAt})`,
      ],
      values: { ':invited': account[invitedAttribute] },
    })
  }

  /** Marks the address as verified, and removes the token that was mailed for that. */
  verify(account: Target, now: Date): Promise<boolean> {
    const { hash, expires } = tokenAttributes.verification
    const remove = [hash, expires, pendingEmailAttribute]
    return this.#write(account, now, { set: { is_verified: true }, remove })
  }

  /**
   * Makes an account an administrator's, or an ordinary one. A new administrator's access tokens are revoked, so that no
   * deletion that is under way takes the account: it is refused when the token version has changed.
   */
  setAdmin(account: Target, isAdmin: boolean, now: Date): Promise<boolean> {
    return this.#write(account, now, { set: { is_admin: isAdmin }, raises: isAdmin })
  }

  /** Keeps everyone from logging in, and revokes access tokens. */
  lock(account: Target, now: Date): Promise<boolean> {
    return this.#write(account, now, { assign: ['locked_at = if_not_exists(locked_at, :now)'], raises: true })
  }

  unlock(account: Target, now: Date): Promise<boolean> {
    return this.#write(account, now, { remove: ['locked_at'] })
  }

  /** Voids access tokens and forgets clients, like logging out everywhere. */
  signOut(account: Target, now: Date): Promise<boolean> {
    return this.#write(account, now, { raises: true, remove: ['remembered_remotes'] })
  }

  /** Sets the language of mails, or none. Notices use it at once. */
  setLanguage(account: Target, language: string | undefined, now: Date): Promise<boolean> {
    const former = ['language_before', 'language_until']
    const change = language === undefined ? { remove: ['language', ...former] } : { set: { language }, remove: former }
    return this.#write(account, now, change)
  }

  /**
   * Sets the roles, while they are as they were read, or set already: the SDK repeats a write. Tokens that have a role which is
   * taken are revoked.
   */
  setRoles(account: Target & Pick<AccountItem, 'roles'>, roles: readonly string[], now: Date): Promise<boolean> {
    const { roles: before = [] } = account
    const [asRead, asSet] = [hasRoles('before', before), hasRoles('after', roles)]
    return this.#write(account, now, {
      ...(roles.length > 0 ? { set: { roles } } : { remove: ['roles'] }),
      raises: before.some(role => !roles.includes(role)),
      conditions: [`(${asRead.condition} OR ${asSet.condition})`],
      values: { ...asRead.values, ...asSet.values },
    })
  }

  /** Removes the second factor, with its recovery codes, and revokes access tokens. */
  removeFactor(account: Target, now: Date): Promise<boolean> {
    return this.#write(account, now, { raises: true, remove: takenBy('factor').remove })
  }

  /** Removes all passkeys, and revokes access tokens: none that is being added lands after it. */
  removePasskeys(account: Target, now: Date): Promise<boolean> {
    return this.#write(account, now, { raises: true, set: { passkeys: {} } })
  }

  /** Disconnects all identities, and revokes access tokens: none that is being connected lands after it. */
  async disconnect(item: AccountItem, now: Date): Promise<boolean> {
    const freed = await freeIdentities(this.#store, toAccount(item))
    return this.#write(item, now, { raises: true, set: { identities: {} } }, freed)
  }

  /**
   * Voids everything that gives access: the password, passkeys, identities, access tokens, links, an invitation and clients. Undo links
   * at other mailboxes stay: they may be the owner's only way back. It stores its time as that of the newest request for a link, so the
   * worker drops the links on the queue, whose requests are older. The stored time never goes back: otherwise a used link would work
   * again. If another password, a later time or a change is stored in the meantime, the write is repeated with these.
   */
  async revoke(account: Target, now: Date): Promise<boolean> {
    const links = Object.values(tokenAttributes)
    for (let tries = 0; tries < maxTries; tries++) {
      const item = await this.find(account.email)
      if (item?.id !== account.id) return false
      const present = toAccount(item)
      const at = [now.toISOString(), ...links.map(({ requestedAt }) => item[requestedAt] ?? '')].sort().at(-1)
      const revokes: AccountChange = {
        set: {
          passkeys: {},
          identities: {},
          ...Object.fromEntries(links.map(({ requestedAt }) => [requestedAt, at])),
          ...(item[invitedAttribute] !== undefined && { [invitedAttribute]: now.toISOString() }),
        },
        raises: true,
        remove: [
          'remembered_remotes',
          'password_reset_lists',
          pendingEmailAttribute,
          ...links.flatMap(({ hash, expires }) => [hash, expires]),
        ],
        conditions: links.map(
          ({ requestedAt }) => `(attribute_not_exists(${requestedAt}) OR ${requestedAt} <= :${requestedAt})`,
        ),
      }
      const voided = voidLinks(present, staysAtReset(present, false), now)
      const change = [withoutPassword(present), voided, changesAsRead(present)].reduce(joined, revokes)
      if (await this.#write(item, now, change, await freeIdentities(this.#store, present))) return true
      // The SDK repeats a write whose answer was lost: the second one finds what the first has written.
      const found = await this.findById(account.id)
      // All that it sets: another's change may have the same time.
      const { set: written = {} }: AccountChange = change
      const set = Object.entries(written) as [keyof AccountItem, unknown][]
      if (found !== null && set.every(([name, value]) => isDeepStrictEqual(found[name], value))) return true
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
