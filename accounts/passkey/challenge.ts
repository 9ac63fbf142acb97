import { createHash } from 'node:crypto'
import { DomainError } from '../../shared/base/errors.ts'
import { type Key, keyIn } from '../../shared/base/families.ts'
import type { System } from '../../shared/base/system.ts'
import type { ProofPurpose } from './shapes.ts'

/** The purpose of a challenge. A login's serves applications too. */
export type ChallengePurpose = ProofPurpose | 'login' | 'passkeys/confirm'

/** A challenge that a passkey signs: valid once, for one purpose and one account. */
interface Challenge {
  purpose: ChallengePurpose
  /** The account's id; null at a login, where it is unknown. */
  accountId: string | null
  expiresAt: Date
}

/** Challenges in the table of counters, by their hash, so that the table reveals no usable challenge. */
export interface Challenges {
  store(key: Key<'Challenges'>, challenge: Challenge): Promise<void>
  /** Null when there is none, or it was spent. It may have expired. */
  find(key: Key<'Challenges'>): Promise<Challenge | null>
  /** @param mark idempotency token, unique per write @returns false when another request has spent it */
  spend(key: Key<'Challenges'>, mark: string): Promise<boolean>
}

/** Milliseconds: the longest recommended wait for a gesture (WebAuthn Level 3 §15.1). */
const challengeLifetime = 10 * 60 * 1000

/** Bytes: the standard requires at least 16 (§13.4.3). */
const challengeBytes = 32

/** @param text the challenge in base64url */
const challengeKey = (text: string): Key<'Challenges'> =>
  keyIn('Challenges', createHash('sha256').update(text).digest('base64url'))

/** Draws a challenge, in base64url. @throws {DomainError} `unavailable` */
export async function drawChallenge(
  deps: Pick<System, 'now' | 'randomBytes'> & { challenges: Pick<Challenges, 'store'> },
  purpose: ChallengePurpose,
  accountId: string | null,
): Promise<string> {
  const text = Buffer.from(deps.randomBytes(challengeBytes)).toString('base64url')
  const expiresAt = new Date(deps.now().getTime() + challengeLifetime)
  await deps.challenges.store(challengeKey(text), { purpose, accountId, expiresAt })
  return text
}

/**
 * Requires a challenge for this purpose and account.
 *
 * @throws {DomainError} `invalid-passkey-challenge`, `unavailable`
 */
export async function requireChallenge(
  deps: Pick<System, 'now'> & { challenges: Pick<Challenges, 'find'> },
  text: string,
  purpose: ChallengePurpose,
  accountId: string | null,
): Promise<void> {
  const challenge = await deps.challenges.find(challengeKey(text))
  const isGood = challenge?.purpose === purpose && challenge.accountId === accountId && challenge.expiresAt > deps.now()
  if (!isGood) throw new DomainError('invalid-passkey-challenge')
}

/**
 * Spends a challenge: of parallel requests only one goes on.
 *
 * @returns an idempotency token
 * @throws {DomainError} as `requireChallenge`
 */
export async function spendChallenge(
  deps: Pick<System, 'randomBytes'> & { challenges: Pick<Challenges, 'spend'> },
  text: string,
): Promise<string> {
  const mark = Buffer.from(deps.randomBytes(challengeBytes)).toString('base64url')
  if (!(await deps.challenges.spend(challengeKey(text), mark))) throw new DomainError('invalid-passkey-challenge')
  return mark
}
