import type { Configured } from '../../shared/base/config.ts'
import type { Account } from '../account/account.ts'
import { announce } from '../mail/announcements.ts'
import type { MailQueue } from '../mail/queue.ts'
import { drawToken } from '../token/token.ts'
import { type CodeDeps, countCode } from './code-limits.ts'
import { readCode } from './codes.ts'
import type { FactorKey, SecondFactor } from './factor.ts'
import { refuseFactor, refuseLost } from './refusal.ts'
import { findStep } from './totp.ts'
import type { FactorWrites } from './writes.ts'

export type FactorDeps = CodeDeps &
  Configured<'mailFrom'> & {
    factors: Pick<FactorWrites, 'spendCode' | 'spendRecoveryCode'>
    factorKey: Pick<FactorKey, 'decrypt'>
    queueMail: MailQueue
  }

/**
 * Requires the second factor of an account that has one, after its password.
 *
 * @param typed undefined where the owner sent nothing; blanks count as nothing
 * @throws {DomainError} `second-factor-required`, `codes-disabled`, `too-many-requests`, `wrong-code`, `used-code`,
 *   `unavailable`, and `invalid-access-token` when the account is gone or its token version changed meanwhile
 */
export async function requireFactor(
  deps: FactorDeps,
  account: Account,
  factor: SecondFactor,
  typed: string | undefined,
): Promise<void> {
  if (typed === undefined || typed.trim() === '') throw refuseFactor(deps, account, 'second-factor-required')
  const code = readCode(typed)
  if (code?.is === 'recovery') return spendRecoveryCode(deps, account, factor, code.hash)
  const check = async () => code && spendCode(deps, account, factor, code.digits)
  await countCode(deps, account, check, () => announce(deps, 'password-known', account))
}

/** Uses a recovery code, which works once and enables codes again. Its owner is told. */
async function spendRecoveryCode(deps: FactorDeps, account: Account, factor: SecondFactor, hash: string) {
  if (!factor.recoveryCodes.includes(hash)) throw refuseFactor(deps, account, 'wrong-code')
  const mark = await announce(deps, 'recovery-code-used', account)
  if (!(await deps.factors.spendRecoveryCode(account, hash, mark, deps.now()))) {
    throw await refuseLost(deps, account, 'wrong-code')
  }
  deps.log({ event: 'recovery-code-used', account_id: account.id })
}

/** Uses a code of the app. @returns null when it is wrong */
async function spendCode(deps: FactorDeps, account: Account, factor: SecondFactor, digits: string) {
  const secret = await deps.factorKey.decrypt(account.id, factor.secret)
  const step = findStep(secret, digits, factor.lastStep, deps.now())
  if (step === 'used') throw refuseFactor(deps, account, 'used-code')
  if (step === null) return null
  if (await deps.factors.spendCode(account, step, drawToken(deps), deps.now())) return step
  throw await refuseLost(deps, account, 'used-code')
}
