import { type Key, keyIn } from '../../shared/base/families.ts'
import type { CountedGuess, Counters } from '../../shared/base/limits/counters.ts'
import { type GuessLimit, refuseGuess, takeGuess } from '../../shared/base/limits/guess-limit.ts'
import { day, minute, type Policy, windowOf } from '../../shared/base/limits/windows.ts'
import { logError } from '../../shared/base/log.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account, AccountReads } from '../account/account.ts'
import { wrongCodesInARow } from './factor.ts'
import { refuseFactor, refuseLost } from './refusal.ts'
import type { FactorWrites } from './writes.ts'

/**
 * Limits on codes, by account, wherever they come from: six digits can be guessed (NIST SP 800-63B-4 §3.2.2, OWASP ASVS
 * 6.3.1). Recovery codes cannot, and are not counted. No setting lifts these limits.
 */

/** Wrong codes. With `wrongCodesInARow`, a stranger with the password guesses right at three of 10,000 accounts. */
export const codeLimit: Policy = { limit: 5, seconds: 15 * minute }

const wrongCodes: GuessLimit = {
  name: 'wrong-codes',
  policy: codeLimit,
  reason: 'codes',
  what: 'wrong codes for this account',
}

export type CodeDeps = Pick<System, 'now' | 'randomBytes' | 'log'> & {
  accounts: AccountReads
  factors: Pick<FactorWrites, 'addWrongCode' | 'returnWrongCode'>
  counters: Pick<Counters<'Codes'>, 'takeGuess' | 'returnGuess' | 'forgiveGuess'>
}

/** Bytes of the id of a counted code: an account's last hundred never collide. */
const idBytes = 9

/** Resets of the password that clear the window: a mailbox alone must not buy more guesses. */
export const windowsCleared: Policy = { limit: 1, seconds: day }

/** Counters of guesses also have a limit per address, which codes do not need. */
const noLimit = Number.MAX_SAFE_INTEGER

/**
 * Counts a code as wrong, in its window and in a row, before checking it, so that parallel codes cannot exceed a limit.
 * A code whose check fails, or that was used before, is uncounted: an outage must lock nobody out. A right code clears
 * both counts; the count in a row is cleared by the write that uses the code.
 *
 * @param check null for a wrong code
 * @param whenMany runs after the last wrong code of a window, and after each wrong code from that many in a row: so a
 *   guesser below the limit of a window is noticed too
 * @throws {DomainError} `codes-disabled`, `too-many-requests`, `wrong-code`, `unavailable`, `invalid-access-token` when
 *   the account is gone or its token version changed meanwhile, and whatever `check` throws
 */
export async function countCode<T>(
  deps: CodeDeps,
  account: Account,
  check: () => Promise<T | null>,
  whenMany: () => Promise<unknown>,
): Promise<T> {
  if (account.wrongCodes >= wrongCodesInARow) throw refuseFactor(deps, account, 'codes-disabled')
  const { guess, isLast } = await takeFromWindow(deps, account)
  const giveBack = async () => {
    const calls = [deps.counters.returnGuess(guess), deps.factors.returnWrongCode(account, guess.id, deps.now())]
    await Promise.all(calls.map(call => call.catch(cause => logError(deps, cause))))
  }
  let inARow: number | null
  let right: T | null
  try {
    inARow = await deps.factors.addWrongCode(account, guess.id, deps.now())
    if (inARow === null) throw await refuseLost(deps, account, 'codes-disabled')
    right = await check()
  } catch (error) {
    await giveBack()
    throw error
  }
  if (right === null) {
    if (isLast || inARow >= codeLimit.limit) await whenMany().catch(cause => logError(deps, cause))
    throw refuseFactor(deps, account, 'wrong-code')
  }
  await deps.counters.forgiveGuess(guess).catch(cause => logError(deps, cause))
  return right
}

/** Counts a code in its window. A separate call takes the last place, which tells its caller that it was the last. */
async function takeFromWindow(
  deps: CodeDeps,
  { id: accountId }: Account,
): Promise<{ guess: CountedGuess<'Codes'>; isLast: boolean }> {
  const now = deps.now()
  const { resetsAt } = windowOf(codeLimit, now)
  const id = Buffer.from(deps.randomBytes(idBytes)).toString('base64url')
  const guess = { key: windowKey(accountId, now), pair: 'codes', at: now, id }
  const take = (perPair: number) => takeGuess(deps, guess, { perPair, perAddress: noLimit, resetsAt })
  if ((await take(codeLimit.limit - 1)) === null) return { guess, isLast: false }
  const refusal = await take(codeLimit.limit)
  if (refusal === null) return { guess, isLast: true }
  throw refuseGuess(deps, wrongCodes, refusal)
}

const windowKey = (accountId: string, now: Date): Key<'Codes'> =>
  keyIn('Codes', accountId, windowOf(codeLimit, now).index)

/** Clears the window of an owner after a password reset, once a day. */
export async function forgiveCodes(
  { counters, now }: Pick<CodeDeps, 'now'> & { counters: Pick<Counters<'Codes'>, 'take' | 'clear'> },
  { id, factor }: Pick<Account, 'id' | 'factor'>,
): Promise<void> {
  if (factor === null) return
  const { index, resetsAt } = windowOf(windowsCleared, now())
  const ceiling = { limit: windowsCleared.limit, resetsAt }
  const count = await counters.take(keyIn('Codes', id, 'reset', index), ceiling)
  if (count !== null) await counters.clear(windowKey(id, now()))
}
