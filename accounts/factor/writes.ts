import type { Accounts } from '../account/accounts.ts'
import type { UsersTable } from '../account/attributes.ts'
import { raising } from '../session/writes.ts'
import { wrongCodesInARow } from './factor.ts'

/** A pending secret, and a count of wrong codes: a new factor begins without them. */
const pending = ['totp_pending_secret', 'totp_pending_expires', 'totp_pending_by_passkey', 'wrong_codes']

type FactorWrites = Pick<
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
export const factorWrites = ({ update, write }: UsersTable): FactorWrites => ({
  storePendingFactor: (account, { secret, expiresAt, byPasskey }, now) =>
    write(account, now, {
      set: {
        totp_pending_secret: secret,
        totp_pending_expires: expiresAt.toISOString(),
        ...(byPasskey && { totp_pending_by_passkey: true }),
      },
      remove: byPasskey ? [] : ['totp_pending_by_passkey'],
      version: account.tokenVersion,
    }),

  setFactor(account, { secret, lastStep, recoveryCodes }, change, now, kept) {
    const raised = raising(account, change, kept)
    const factor = { totp_secret: secret, totp_last_step: lastStep, recovery_codes: new Set(recoveryCodes) }
    return write(account, now, {
      ...raised,
      set: { ...raised.set, ...factor },
      remove: pending,
      conditions: ['totp_pending_secret = :totp_secret', ...raised.conditions],
      mark: [account.factor === null ? 'factor_set_up_by' : 'factor_changed_by', change.mark],
    })
  },

  removeFactor: (account, change, now, kept) =>
    write(account, now, {
      ...raising(account, change, kept),
      remove: ['totp_secret', 'totp_last_step', 'recovery_codes', ...pending],
      mark: ['factor_changed_by', change.mark],
    }),

  replaceRecoveryCodes: (account, codes, now) =>
    write(account, now, {
      set: { recovery_codes: new Set(codes) },
      version: account.tokenVersion,
      conditions: ['attribute_exists(totp_secret)'],
    }),

  spendRecoveryCode: (account, hash, mark, now) =>
    write(account, now, {
      remove: ['wrong_codes'],
      take: ['recovery_codes', hash],
      version: account.tokenVersion,
      conditions: ['contains(recovery_codes, :code)'],
      values: { ':code': hash },
      mark: ['recovery_code_used_by', mark],
    }),

  spendCode: (account, step, mark, now) =>
    write(account, now, {
      set: { totp_last_step: step },
      remove: ['wrong_codes'],
      version: account.tokenVersion,
      conditions: ['totp_last_step < :totp_last_step'],
      mark: ['totp_used_by', mark],
    }),

  async addWrongCode(account, id, now) {
    const updated = await update(account, now, {
      add: ['wrong_codes', id],
      version: account.tokenVersion,
      conditions: ['(attribute_not_exists(wrong_codes) OR size(wrong_codes) < :most OR contains(wrong_codes, :wrong))'],
      values: { ':most': wrongCodesInARow, ':wrong': id },
    })
    return updated?.wrongCodes ?? null
  },

  async returnWrongCode(account, id, now) {
    await write(account, now, {
      take: ['wrong_codes', id],
      conditions: ['contains(wrong_codes, :wrong)'],
      values: { ':wrong': id },
    })
  },
})
