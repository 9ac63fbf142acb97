import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { expiringItems, toSeconds } from '../../shared/aws/expiring-items.ts'
import { ttlAttribute } from '../../shared/base/families.ts'
import type { Updating } from '../../shared/base/row.ts'
import type { Account, TokenChange } from '../account/account.ts'
import { type AccountChange, type AccountStore, joined, takenBy } from '../account/attributes.ts'
import type { Change } from '../change/change.ts'
import { storeChange } from '../change/changes.ts'
import type { SessionChange } from '../session/session.ts'
import { raiseVersion } from '../session/writes.ts'
import { type PendingFactor, type SecondFactor, wrongCodesInARow } from './factor.ts'
import type { SetupLinks } from './setup-link.ts'

/** A pending secret and the count of wrong codes: a new factor begins without them. */
const pending = ['totp_pending_secret', 'totp_pending_expires', 'totp_pending_by_passkey', 'wrong_codes']

/** The writes of second factors. Few logins need them. */
export const factorWrites = ({ update, write }: AccountStore) => ({
  /** False when the account is gone or its token version has changed. */
  storePending: (account: Account, { secret, expiresAt, byPasskey }: PendingFactor, now: Date): Promise<boolean> =>
    write(account, now, {
      set: {
        totp_pending_secret: secret,
        totp_pending_expires: expiresAt.toISOString(),
        ...(byPasskey && { totp_pending_by_passkey: true }),
      },
      remove: byPasskey ? [] : ['totp_pending_by_passkey'],
      version: account.tokenVersion,
    }),

  /**
   * Activates a pending factor and raises the token version. False when the account is gone, or its token version or
   * pending factor has changed.
   *
   * @param told the change, where it is the first factor: its owner gets an undo link
   * @param kept as for `change` of a password
   */
  set(
    account: Account,
    { secret, lastStep, recoveryCodes }: SecondFactor,
    change: TokenChange,
    told: Change | null,
    now: Date,
    kept?: SessionChange,
  ): Promise<boolean> {
    const factor = { totp_secret: secret, totp_last_step: lastStep, recovery_codes: new Set(recoveryCodes) }
    const sets = joined(raiseVersion(account, change, kept), {
      set: factor,
      remove: pending,
      conditions: ['totp_pending_secret = :totp_secret'],
    })
    const as: AccountChange = told ? storeChange(account, told) : { mark: ['factor_changed_by', change.mark] }
    return write(account, now, joined(sets, as))
  },

  /** Removes the factor, its recovery codes and a pending secret, and raises the token version, under the same condition. */
  remove: (account: Account, change: TokenChange, now: Date, kept?: SessionChange): Promise<boolean> =>
    write(account, now, {
      ...raiseVersion(account, change, kept),
      remove: takenBy('factor').remove,
      mark: ['factor_changed_by', change.mark],
    }),

  /** False when the account or its factor is gone, or its token version has changed. */
  replaceRecoveryCodes: (account: Account, codes: readonly string[], now: Date): Promise<boolean> =>
    write(account, now, {
      set: { recovery_codes: new Set(codes) },
      version: account.tokenVersion,
      conditions: ['attribute_exists(totp_last_step)'],
    }),

  /**
   * Removes a recovery code and clears the count of wrong codes. False when the code or the account is gone, or its
   * token version has changed.
   */
  spendRecoveryCode: (account: Account, hash: string, mark: string, now: Date): Promise<boolean> =>
    write(account, now, {
      remove: ['wrong_codes'],
      take: ['recovery_codes', hash],
      version: account.tokenVersion,
      conditions: ['contains(recovery_codes, :code)'],
      values: { ':code': hash },
      mark: ['recovery_code_used_by', mark],
    }),

  /**
   * Raises the last step and clears the count of wrong codes. False when the last step is no longer older, the account
   * is gone, or its token version has changed, as it does with a new factor.
   */
  spendCode: (account: Account, step: number, mark: string, now: Date): Promise<boolean> =>
    write(account, now, {
      set: { totp_last_step: step },
      remove: ['wrong_codes'],
      version: account.tokenVersion,
      conditions: ['totp_last_step < :totp_last_step'],
      mark: ['totp_used_by', mark],
    }),

  /**
   * Counts a code as wrong.
   *
   * @param id of the code, so that a retry is not counted again
   * @returns the wrong codes in a row; null when that would be too many, the account is gone or its token version has changed
   */
  async addWrongCode(account: Account, id: string, now: Date): Promise<number | null> {
    const updated = await update(account, now, {
      add: ['wrong_codes', id],
      version: account.tokenVersion,
      conditions: ['(attribute_not_exists(wrong_codes) OR size(wrong_codes) < :most OR contains(wrong_codes, :wrong))'],
      values: { ':most': wrongCodesInARow, ':wrong': id },
    })
    return updated?.wrongCodes ?? null
  },

  /** Uncounts a wrong code. */
  async returnWrongCode(account: Account, id: string, now: Date): Promise<void> {
    await write(account, now, {
      take: ['wrong_codes', id],
      conditions: ['contains(wrong_codes, :wrong)'],
      values: { ':wrong': id },
    })
  },
})

export type FactorWrites = ReturnType<typeof factorWrites>

/** Which AWS action each call takes, as the row's grants name it. */
export type FactorCalls = {
  [Call in Exclude<keyof FactorWrites, 'storePending' | 'set' | 'remove'>]: Updating<'codes'>
} & {
  storePending: Updating<'ways in'>
  set: Updating<'ways in' | 'codes' | 'changes' | 'sessions'>
  remove: Updating<'ways in' | 'codes' | 'sessions'>
}

/** Which AWS action each call of `SetupLinks` takes. */
export interface SetupLinkCalls {
  storeSetupLink: 'SetupLinks:UpdateItem'
  findSetupLink: 'SetupLinks:GetItem'
  spendSetupLink: 'SetupLinks:UpdateItem'
}

interface LinkItem {
  id: string
  token_version: number
  expires_at: string
  spent_by?: string
}

/** Links to set up second factors, in the table of counters. */
export function setupLinkStore(db: DynamoDBDocumentClient, table: string): SetupLinks {
  const { find, spend, update } = expiringItems(db, table)
  return {
    async storeSetupLink(key, { id, tokenVersion, expiresAt }) {
      const stored = await update(key, {
        UpdateExpression: 'SET id = :id, token_version = :version, expires_at = :at, #expires = :expires',
        ConditionExpression: 'attribute_not_exists(spent_by)',
        ExpressionAttributeValues: {
          ':id': id,
          ':version': tokenVersion,
          ':at': expiresAt.toISOString(),
          ':expires': toSeconds(expiresAt),
        },
        ExpressionAttributeNames: { '#expires': ttlAttribute },
      })
      return stored !== null
    },

    async findSetupLink(key) {
      const item = await find<LinkItem>(key)
      if (!item || item.spent_by !== undefined) return null
      return { id: item.id, tokenVersion: item.token_version, expiresAt: new Date(item.expires_at) }
    },

    spendSetupLink: (key, mark) => spend(key, 'id', mark),
  }
}
