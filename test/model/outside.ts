import type { Account } from '../../accounts/account/account.ts'
import type { Writes } from '../../accounts/account/writes.ts'
import { hashPassword } from '../../accounts/password/hash.ts'
import type { PasswordWrites } from '../../accounts/password/writes.ts'
import { readConfig } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { ada } from '../support/service/people.ts'
import { variables } from '../support/stack/variables.ts'
import type { ModelAccounts } from './accounts.ts'
import type { Step } from './explore.ts'

/** Parts of a modelled outside world. */

export const start = Date.parse('2026-03-01T12:00:00Z')

export const clientAddress = '203.0.113.7'

/** Defaults of the settings that a model does not name. */
export const usual = { ...readConfig(variables), bcryptCost: 4 }

/** Of Ada's password. */
export const passwordHash = await hashPassword({ randomBytes: size => Buffer.alloc(size), config: usual }, ada.password)

export const refuse = (): never => {
  throw new DomainError('unavailable')
}

export const unused = (): never => {
  throw new Error('this scenario does not use it')
}

/** The effect of a transaction: its repeat, with the same request token, is answered as the first. */
export function transaction<T>(effect: () => T): () => T {
  let answer: { given: T } | undefined
  return () => {
    answer ??= { given: effect() }
    return answer.given
  }
}

/** A dependency with only these members: any other one throws. */
export const only = <T extends object>(used: Partial<T>): T =>
  new Proxy(used, { get: (target, member) => Reflect.get(target, member) ?? unused }) as T

/** The writes of a world, none of which it uses. */
export const noWrites: Writes = {
  accounts: only({}),
  tokens: only({}),
  sessions: only({}),
  factors: only({}),
  passkeys: only({}),
  identities: only({}),
  passwords: only({}),
  addresses: only({}),
}

/**
 * The writes that set a password.
 *
 * @param written called for each write, with its idempotency token and the hash of the spent token
 */
export function passwordWrites(
  table: ModelAccounts,
  step: Step,
  written: (account: Account, mark: string, spent?: string) => void,
): Pick<PasswordWrites, 'change' | 'reset' | 'accept'> {
  return {
    change: (account, change, at) =>
      step(
        'UpdateItem (change)',
        () => {
          const isWritten = table.changePassword(account, change, at)
          if (isWritten) written(account, change.mark)
          return isWritten
        },
        refuse,
      ),
    reset: (account, hash, change, at) =>
      step(
        'UpdateItem (reset)',
        () => {
          const isSpent = table.spendResetToken(account, hash, change, at)
          if (isSpent) written(account, change.mark, hash)
          return isSpent
        },
        refuse,
      ),
    accept: (account, hash, change, at) =>
      step(
        'UpdateItem (accept)',
        () => {
          const isSpent = table.spendInvitation(account, hash, change, at)
          // The link has proved the address.
          if (isSpent) written({ ...account, isVerified: true }, change.mark, hash)
          return isSpent
        },
        refuse,
      ),
  }
}
