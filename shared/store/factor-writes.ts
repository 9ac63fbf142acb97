import type { Account, Accounts, TokenChange } from '../accounts/account.ts'
import { wrongCodesInARow } from '../accounts/factors/factor.ts'
import { toClients } from './account-item.ts'
import { keeping } from './session-writes.ts'
import type { UsersTable } from './users-table.ts'

/** A pending secret, and a count of wrong codes: a new factor begins without them. */
const pending = ['totp_pending_secret', 'totp_pending_expires', 'wrong_codes']

/** What all writes that raise the token version have. */
const raising = (account: Account, { clients }: TokenChange) => ({
  set: ['token_version = token_version + :one', 'remembered_remotes = :clients'],
  condition: 'token_version = :version',
  values: { ':one': 1, ':version': account.tokenVersion, ':clients': toClients(clients) },
})

export type FactorWrites = Pick<
  Accounts,
  | 'storePendingFactor'
  | 'setFactor'
  | 'removeFactor'
  | 'replaceRecoveryCodes'
  | 'spendRecoveryCode'
  | 'spendCode'
  | 'addWrongCode'
  | 'returnWrongCode'
>

/** The writes of second factors. Few logins need them. */
export const factorWrites = (update: UsersTable['update']): FactorWrites => ({
  async storePendingFactor(account, { secret, expiresAt }, now) {
    const updated = await update(account, now, {
      set: ['totp_pending_secret = :totp', 'totp_pending_expires = :expires'],
      condition: 'token_version = :version',
      values: { ':version': account.tokenVersion, ':totp': secret, ':expires': expiresAt.toISOString() },
    })
    return updated !== null
  },

  async setFactor(account, { secret, lastStep, recoveryCodes }, change, now, kept) {
    const { set, condition, values } = raising(account, change)
    const ofSession = kept && keeping(kept)
    const updated = await update(account, now, {
      set: [
        ...set,
        'totp_secret = :totp',
        'totp_last_step = :step',
        'recovery_codes = :codes',
        ...(ofSession?.set ?? []),
      ],
      remove: pending,
      condition: `${condition} AND totp_pending_secret = :totp${ofSession?.condition ?? ''}`,
      values: {
        ...values,
        ':totp': secret,
        ':step': lastStep,
        ':codes': new Set(recoveryCodes),
        ...ofSession?.values,
      },
      ...(ofSession && { names: ofSession.names }),
      mark: [account.factor === null ? 'factor_set_up_by' : 'factor_changed_by', change.mark],
    })
    return updated !== null
  },

  async removeFactor(account, change, now, kept) {
    const { set, condition, values } = raising(account, change)
    const ofSession = kept && keeping(kept)
    const updated = await update(account, now, {
      set: [...set, ...(ofSession?.set ?? [])],
      remove: ['totp_secret', 'totp_last_step', 'recovery_codes', ...pending],
      condition: `${condition}${ofSession?.condition ?? ''}`,
      values: { ...values, ...ofSession?.values },
      ...(ofSession && { names: ofSession.names }),
      mark: ['factor_changed_by', change.mark],
    })
    return updated !== null
  },

  async replaceRecoveryCodes(account, codes, now) {
    const updated = await update(account, now, {
      set: ['recovery_codes = :codes'],
      condition: 'token_version = :version AND attribute_exists(totp_secret)',
      values: { ':version': account.tokenVersion, ':codes': new Set(codes) },
    })
    return updated !== null
  },

  async spendRecoveryCode(account, hash, mark, now) {
    const updated = await update(account, now, {
      remove: ['wrong_codes'],
      take: ['recovery_codes', hash],
      condition: 'token_version = :version AND contains(recovery_codes, :code)',
      values: { ':version': account.tokenVersion, ':code': hash },
      mark: ['recovery_code_used_by', mark],
    })
    return updated !== null
  },

  async spendCode(account, step, mark, now) {
    const updated = await update(account, now, {
      set: ['totp_last_step = :step'],
      remove: ['wrong_codes'],
      condition: 'token_version = :version AND totp_last_step < :step',
      values: { ':version': account.tokenVersion, ':step': step },
      mark: ['totp_used_by', mark],
    })
    return updated !== null
  },

  async addWrongCode(account, id, now) {
    const updated = await update(account, now, {
      add: ['wrong_codes', id],
      condition:
        'token_version = :version AND ' +
        '(attribute_not_exists(wrong_codes) OR size(wrong_codes) < :most OR contains(wrong_codes, :wrong))',
      values: { ':version': account.tokenVersion, ':most': wrongCodesInARow, ':wrong': id },
    })
    return updated !== null
  },

  async returnWrongCode(account, id, now) {
    await update(account, now, {
      take: ['wrong_codes', id],
      condition: 'contains(wrong_codes, :wrong)',
      values: { ':wrong': id },
    })
  },
})
