import type { CountedGuess, Counters } from '../../base/limits/counters.ts'
import { minute, type Policy, windowOf } from '../../base/limits/windows.ts'
import { logError } from '../../base/log.ts'
import type { System } from '../../base/system.ts'
import type { Account, Accounts } from '../account.ts'
import { refuseGuess } from '../guesses.ts'
import { wrongCodesInARow } from './factor.ts'
import { refuseFactor, refuseLost } from './factor-refusal.ts'

/**
 * Limits on codes, by account, wherever they come from: six digits can be guessed (NIST SP 800-63B-4 §3.2.2, OWASP ASVS
 * 6.3.1). Recovery codes cannot, and are not counted. No setting lifts these limits.
 */

/** Wrong codes. With `wrongCodesInARow`, a stranger who has the password guesses right at three of 10,000 accounts. */
export const codeLimit: Policy = { limit: 5, seconds: 15 * minute }

export type CodeDeps = Pick<System, 'now' | 'randomBytes' | 'log'> & { accounts: Accounts; counters: Counters }

/** Bytes of the id of a counted code: no two of an account's last hundred are ever equal. */
const idBytes = 9

/** What keys of codes begin with in the table of counters. */
export const codePrefix = 'code#'

/** A counter of guesses also has a limit per address, which codes do not need. */
const noLimit = Number.MAX_SAFE_INTEGER

/**
 * Counts a code as wrong, in its window and in a row, and then checks it, so that codes that are sent in parallel cannot
 * exceed a limit. A code whose check fails is not counted, nor is one that was used already: an outage must not lock
 * anybody out. A right one clears both counts; the one in a row in the very write that uses the code.
 *
 * @param check null for a wrong code
 * @param whenLast runs after the last wrong code that a window admits
 * @throws {DomainError} `codes-disabled`, `too-many-requests`, `wrong-code`, `unavailable`, `invalid-access-token` when
 *   the account is gone or its token version changed meanwhile, and whatever `check` throws
 */
export async function countCode<T>(
  deps: CodeDeps,
  account: Account,
  check: () => Promise<T | null>,
  whenLast: () => Promise<unknown>,
): Promise<T> {
  if (account.wrongCodes >= wrongCodesInARow) throw refuseFactor(deps, account, 'codes-disabled')
  const { guess, isLast } = await takeFromWindow(deps, account)
  const giveBack = async () => {
    const calls = [deps.counters.returnGuess(guess), deps.accounts.returnWrongCode(account, guess.id, deps.now())]
    await Promise.all(calls.map(call => call.catch(cause => logError(deps, cause))))
  }
  let right: T | null
  try {
    if (!(await deps.accounts.addWrongCode(account, guess.id, deps.now()))) {
      throw await refuseLost(deps, account, 'codes-disabled')
    }
    right = await check()
  } catch (error) {
    await giveBack()
    throw error
  }
  if (right === null) {
    if (isLast) await whenLast().catch(cause => logError(deps, cause))
    throw refuseFactor(deps, account, 'wrong-code')
  }
  await deps.counters.forgiveGuess(guess).catch(cause => logError(deps, cause))
  return right
}

/** Counts a code in its window. A call of its own takes the last place: so its caller knows that it was the last. */
async function takeFromWindow(
  deps: CodeDeps,
  { id: accountId }: Account,
): Promise<{ guess: CountedGuess; isLast: boolean }> {
  const now = deps.now()
  const { index, resetsAt } = windowOf(codeLimit, now)
  const id = Buffer.from(deps.randomBytes(idBytes)).toString('base64url')
  const guess = { key: `${codePrefix}${accountId}#${index}`, pair: 'codes', at: now, id }
  const take = (perPair: number) => deps.counters.takeGuess(guess, { perPair, perAddress: noLimit, resetsAt })
  try {
    if ((await take(codeLimit.limit - 1)) === null) return { guess, isLast: false }
    const refusal = await take(codeLimit.limit)
    if (refusal === null) return { guess, isLast: true }
    throw refuseGuess(deps, refusal.newest, 'wrong-codes', 'codes', codeLimit, 'wrong codes for this account')
  } catch (error) {
    // It may be counted all the same.
    await deps.counters.returnGuess(guess).catch(cause => logError(deps, cause))
    throw error
  }
}
