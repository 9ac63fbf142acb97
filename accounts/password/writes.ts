import type { Updating } from '../../shared/base/row.ts'
import type { Account, TokenChange } from '../account/account.ts'
import { type AccountChange, type AccountStore, invitedAttribute, joined, toClients } from '../account/attributes.ts'
import { pendingEmailAttribute } from '../address/address.ts'
import { changesAsRead, staysAtReset, voidLinks } from '../change/changes.ts'
import { type FreeingIdentities, freeIdentities } from '../identity/entries.ts'
import type { SessionChange } from '../session/session.ts'
import { raiseVersion } from '../session/writes.ts'
import { tokenAttributes } from '../token/token.ts'

/** Stored by a write that replaces the password. */
export interface PasswordChange extends TokenChange {
  passwordHash: string
}

/** Stored by a password reset. */
interface Reset extends PasswordChange {
  /** Whether passkeys stay. */
  keepsPasskeys?: boolean
  /** Whether its owner keeps what the mail listed: identities stay, and the undo links of what it listed are void. */
  keepsListed?: boolean
}

/** Stored when an invitation is accepted. */
interface Acceptance extends PasswordChange {
  /** Null keeps the name of the invitation. */
  name: string | null
}

const { hash: tokenHash, expires, requestedAt } = tokenAttributes.reset
const resetLink = [tokenHash, expires, 'password_reset_lists']
const { verification } = tokenAttributes

/** The writes of passwords. */
export const passwordWrites = (table: AccountStore) => ({
  /** False when the hash is no longer the one in `account`. */
  replaceHash: (account: Account, hash: string, now: Date): Promise<boolean> =>
    table.write(account, now, {
      set: { password_hash: hash },
      conditions: ['password_hash = :old'],
      values: { ':old': account.passwordHash },
    }),

  /**
   * Replaces the password, removes the former one, raises the token version and clears the token, under the same
   * condition and for an account that is not invited. Verifies an address that waits for it (`resetVerifies`). Removes
   * all passkeys and identities, unless they stay, and voids undo links of the mailbox. False also when a change was made since the
   * account was read.
   */
  async reset(
    account: Account,
    hash: string,
    { keepsPasskeys = false, keepsListed = false, ...change }: Reset,
    now: Date,
  ): Promise<boolean> {
    const resets: AccountChange = {
      set: {
        ...(account.resetVerifies && { is_verified: true }),
        // Unconditional, so that a passkey added since the read is removed too.
        ...(!keepsPasskeys && { passkeys: {} }),
        ...(!keepsListed && { identities: {} }),
      },
      conditions: [`attribute_not_exists(${invitedAttribute})`],
    }
    const links = joined(voidLinks(account, staysAtReset(account, keepsListed), now), changesAsRead(account))
    return table.write(
      account,
      now,
      joined(joined(spendToken(hash, change, now), resets), links),
      keepsListed ? [] : await freeIdentities(table, account),
    )
  },

  /**
   * The same with the token of an invitation, which it ends: sets the password, and the name if given, and verifies the
   * address. False also when the account has another invitation, or none, by now.
   */
  accept(account: Account, hash: string, { name, ...change }: Acceptance, now: Date): Promise<boolean> {
    const spent = spendToken(hash, change, now)
    return table.write(account, now, {
      ...spent,
      set: { ...spent.set, is_verified: true, ...(name !== null && { name }) },
      remove: [...spent.remove, invitedAttribute, verification.hash, verification.expires, pendingEmailAttribute],
      conditions: [...spent.conditions, `${invitedAttribute} = :invited`],
      values: { ...spent.values, ':invited': account.invitedUntil?.toISOString() },
    })
  },

  /**
   * Replaces the password, raises the token version, and revokes reset links, including queued ones. False when the
   * account is gone, its token version has changed, or a link with a date in the future was stored meanwhile.
   *
   * @param kept the only session that stays; false when it has changed or ended meanwhile
   */
  change(account: Account, change: PasswordChange, now: Date, kept?: SessionChange): Promise<boolean> {
    const raised = raiseVersion(account, change, kept)
    // The worker drops links requested before this time, also queued ones. Never moves the time back, or a used link
    // would work again: another clock may run ahead.
    const requested = new Date(Math.max(now.getTime(), Number(account.tokens.reset.requestedAt))).toISOString()
    return table.write(account, now, {
      ...raised,
      set: {
        ...raised.set,
        password_hash: change.passwordHash,
        password_changed_at: now.toISOString(),
        [requestedAt]: requested,
      },
      remove: resetLink,
      conditions: [`(attribute_not_exists(${requestedAt}) OR ${requestedAt} <= :${requestedAt})`, ...raised.conditions],
      mark: ['password_changed_by', change.mark],
    })
  },
})

/** Sets a password by a mailed link's token, and spends the token. */
const spendToken = (hash: string, { passwordHash, mark, clients }: PasswordChange, now: Date) =>
  ({
    set: {
      password_hash: passwordHash,
      password_changed_at: now.toISOString(),
      remembered_remotes: toClients(clients),
    },
    raises: true,
    // A reset enables codes again.
    remove: [...resetLink, 'wrong_codes', 'former_password_hash', 'reset_verifies'],
    conditions: [`${tokenHash} = :hash`, `${expires} > :now`],
    values: { ':hash': hash },
    mark: ['password_changed_by', mark],
  }) satisfies AccountChange

export type PasswordWrites = ReturnType<typeof passwordWrites>

/** Which AWS action each call takes, as the row's grants name it. */
export interface PasswordCalls {
  replaceHash: Updating<'password'>
  reset: Updating<'password' | 'ways in' | 'codes' | 'links' | 'changes'> | FreeingIdentities
  accept: Updating<'password' | 'codes' | 'links'>
  change: Updating<'password' | 'links' | 'sessions'>
}
