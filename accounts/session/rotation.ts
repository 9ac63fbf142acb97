import type { Session } from './session.ts'

/**
 * Milliseconds in which the token before the newest still gets the newest: tabs share a token, and clients repeat a
 * request whose answer was lost.
 */
export const grace = 60_000

/**
 * What a genuine token gets. `rotated`: the next token, in a session whose new state must be written first. `same`,
 * `shared`: the newest token again. `reused`: nothing, and the session ends.
 */
export type Verdict = { is: 'rotated'; next: Session } | { is: 'same' | 'shared' | 'reused' }

/**
 * Decides what a genuine token gets, by its serial (RFC 9700 §4.14.2, refresh token rotation).
 *
 * The token before the newest always gets one: its owner may have lost the answer, or been away. If it comes late the
 * newest is replaced, because somebody else may have that; it itself stays the one before. Any older token has been used
 * twice, by two who did not know of each other.
 */
export function judge(session: Session, serial: number, now: Date): Verdict {
  const isYoung = now.getTime() - session.rotatedAt.getTime() < grace
  const next = { ...session, current: session.current + 1, rotatedAt: now }
  if (serial === session.current) return isYoung ? { is: 'same' } : { is: 'rotated', next: { ...next, parent: serial } }
  if (serial === session.parent) return isYoung ? { is: 'shared' } : { is: 'rotated', next }
  return { is: 'reused' }
}
