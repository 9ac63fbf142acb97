import type { Accounts, PasswordChange } from '../account/accounts.ts'
import type { AccountChange, UsersTable } from '../account/attributes.ts'
import { invitedAttribute, toClients } from '../account/attributes.ts'
import { pendingEmailAttribute } from '../address/address.ts'
import type { IdentityTable } from '../identity/table.ts'
import { raising } from '../session/writes.ts'
import { tokenAttributes } from '../token/token.ts'

type PasswordWrites = Pick<
  Accounts,
  'replaceHash' | 'spendResetToken' | 'spendInvitation' | 'changePassword' | 'logOutEverywhere' | 'rememberClients'
>

const { hash: tokenHash, expires, requestedAt } = tokenAttributes.reset
const { verification } = tokenAttributes

/** The writes of passwords, and of the clients that have logged in with them. */
export const passwordWrites = (
  { update, write }: UsersTable,
  { writeWithoutIdentities }: IdentityTable,
): PasswordWrites => ({
  replaceHash: (account, hash, now) =>
    write(account, now, {
      set: { password_hash: hash },
      conditions: ['password_hash = :old'],
      values: { ':old': account.passwordHash },
    }),

  spendResetToken(account, hash, { keepsPasskeys = false, keepsIdentities = false, ...change }, now) {
    const spent = spending(hash, change)
    return (keepsIdentities ? write : writeWithoutIdentities)(account, now, {
      ...spent,
      set: { ...spent.set, ...(account.resetVerifies && { is_verified: true }) },
      // Whether there are any is not asked: one that was added since the account was read goes too.
      remove: [...spent.remove, ...(keepsPasskeys ? [] : ['passkeys'])],
      conditions: [...spent.conditions, `attribute_not_exists(${invitedAttribute})`],
    })
  },

  spendInvitation(account, hash, { name, ...change }, now) {
    const spent = spending(hash, change)
    return write(account, now, {
      ...spent,
      set: { ...spent.set, is_verified: true, ...(name !== null && { name }) },
      remove: [...spent.remove, invitedAttribute, verification.hash, verification.expires, pendingEmailAttribute],
      conditions: [...spent.conditions, `${invitedAttribute} = :invited`],
      values: { ...spent.values, ':invited': account.invitedUntil?.toISOString() },
    })
  },

  changePassword(account, change, now, kept) {
    const raised = raising(account, change, kept)
    // The worker drops links that were requested earlier, also those that are still on the queue. Never back, where another
    // clock runs ahead: a used link would work again.
    const requested = new Date(Math.max(now.getTime(), Number(account.tokens.reset.requestedAt))).toISOString()
    return write(account, now, {
      ...raised,
      set: { ...raised.set, password_hash: change.passwordHash, [requestedAt]: requested },
      remove: [tokenHash, expires],
      conditions: [`(attribute_not_exists(${requestedAt}) OR ${requestedAt} <= :${requestedAt})`, ...raised.conditions],
      mark: ['password_changed_by', change.mark],
    })
  },

  logOutEverywhere: (account, change, now) =>
    write(account, now, { ...raising(account, change), mark: ['logged_out_by', change.mark] }),

  rememberClients: (account, clients, now) =>
    update(account, now, { set: { remembered_remotes: toClients(clients) }, version: account.tokenVersion }),
})

/** Sets a password by the token of a mailed link, which is spent. */
const spending = (hash: string, { passwordHash, mark, clients }: PasswordChange) =>
  ({
    set: { password_hash: passwordHash, remembered_remotes: toClients(clients) },
    raises: true,
    // A reset enables codes again.
    remove: [tokenHash, expires, 'wrong_codes', 'former_password_hash', 'reset_verifies'],
    conditions: [`${tokenHash} = :hash`, `${expires} > :now`],
    values: { ':hash': hash },
    mark: ['password_changed_by', mark],
  }) satisfies AccountChange
