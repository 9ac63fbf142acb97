import type { Session } from './session.ts'

/** Milliseconds in which the token before the newest still gets the newest: tabs share a token, and clients retry after a lost answer. */
export const grace = 60_000

/**
 * The outcome for a genuine token. `rotated`: the next token, in a session whose new state must be written first.
 * `same`, `shared`: the newest token again. `reused`: nothing, and the session ends.
 */
export type Verdict = { is: 'rotated'; next: Session } | { is: 'same' | 'shared' | 'reused' }

/**
 * Judges a genuine token by its serial (RFC 9700 §4.14.2, refresh token rotation).
 *
 * The token before the newest always gets a token: its owner may have lost the answer, or been away. After the grace
 * period the newest is replaced, because somebody else may have it; the token before it stays the same. Any older token
 * was replayed, by two parties who did not know of each other.
 */
export function judge(session: Session, serial: number, now: Date): Verdict {
  const isYoung = now.getTime() - session.rotatedAt.getTime() < grace
  const next = { ...session, current: session.current + 1, rotatedAt: now }
  if (serial === session.current) return isYoung ? { is: 'same' } : { is: 'rotated', next: { ...next, parent: serial } }
  if (serial === session.parent) return isYoung ? { is: 'shared' } : { is: 'rotated', next }
  return { is: 'reused' }
}
