import type { Accounts } from '../accounts/account.ts'
import { toClients } from './account-item.ts'
import { tokenAttributes } from './attributes.ts'
import type { UsersTable } from './users-table.ts'

const setClients = 'remembered_remotes = :clients'

type PasswordWrites = Pick<
  Accounts,
  'replaceHash' | 'spendResetToken' | 'changePassword' | 'logOutEverywhere' | 'rememberClients'
>

/** The writes of passwords, and of the clients that have logged in with them. */
export const passwordWrites = (update: UsersTable['update']): PasswordWrites => ({
  async replaceHash(account, hash, now) {
    const updated = await update(account, now, {
      set: ['password_hash = :new'],
      condition: 'password_hash = :old',
      values: { ':new': hash, ':old': account.passwordHash },
    })
    return updated !== null
  },

  async spendResetToken(account, hash, { passwordHash, mark, clients }, now) {
    const a = tokenAttributes.reset
    const updated = await update(account, now, {
      set: ['password_hash = :password', 'token_version = token_version + :one', setClients],
      // A reset enables codes again.
      remove: [a.hash, a.expires, 'wrong_codes'],
      condition: `${a.hash} = :hash AND ${a.expires} > :now`,
      values: { ':password': passwordHash, ':one': 1, ':hash': hash, ':clients': toClients(clients) },
      mark: ['password_changed_by', mark],
    })
    return updated !== null
  },

  async changePassword(account, { passwordHash, mark, clients }, now, kept) {
    const a = tokenAttributes.reset
    const keeping = kept && (await import('./session-writes.ts')).keeping(kept)
    const { requestedAt } = account.tokens.reset
    const updated = await update(account, now, {
      set: [
        'password_hash = :password',
        'token_version = token_version + :one',
        setClients,
        // The worker drops links that were requested earlier, also those that are still on the queue.
        `${a.requestedAt} = :requested`,
        ...(keeping?.set ?? []),
      ],
      remove: [a.hash, a.expires],
      condition: `token_version = :version AND (attribute_not_exists(${a.requestedAt}) OR ${a.requestedAt} <= :requested)${keeping?.condition ?? ''}`,
      values: {
        // Never back, where another clock runs ahead: a used link would work again.
        ':requested': (requestedAt !== null && requestedAt > now ? requestedAt : now).toISOString(),
        ':password': passwordHash,
        ':one': 1,
        ':version': account.tokenVersion,
        ':clients': toClients(clients),
        ...keeping?.values,
      },
      ...(keeping && { names: keeping.names }),
      mark: ['password_changed_by', mark],
    })
    return updated !== null
  },

  async logOutEverywhere(account, { mark, clients }, now) {
    const updated = await update(account, now, {
      set: ['token_version = token_version + :one', setClients],
      condition: 'token_version = :version',
      values: { ':one': 1, ':version': account.tokenVersion, ':clients': toClients(clients) },
      mark: ['logged_out_by', mark],
    })
    return updated !== null
  },

  rememberClients(account, clients, now) {
    return update(account, now, {
      set: [setClients],
      condition: 'token_version = :version',
      values: { ':version': account.tokenVersion, ':clients': toClients(clients) },
    })
  },
})
