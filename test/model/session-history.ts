import { grace } from '../../accounts/session/rotation.ts'
import type { Session } from '../../accounts/session/session.ts'
import { invariant } from './outside.ts'

/** A request with a refresh token. */
export interface Exchange {
  /** The sender: `owner`, or a thief. */
  by: string
  token: string
  startedAt: number
  /** Whether the session had ended when it was sent. */
  isLate: boolean
  /** The token received, or the code of the refusal; null while it is in progress, or if its server died. */
  answer: { token: string } | { code: string } | null
}

/** The history of one session, and its invariants. */
export class SessionHistory {
  readonly events = new Set<string>()
  /** When tokens were made. */
  readonly made = new Map<string, number>()
  /** Hashes of secrets of past sessions, and of ended ones. */
  readonly #held = new Set<string>()
  readonly #ended = new Set<string>()
  /** What each token got at its last successful use. */
  readonly #got = new Map<string, string>()
  /** The token that each party holds. */
  readonly #holds = new Map<string, string>()
  /** For each two parties, who got tokens in turn since they last held the same one. */
  readonly #turns = new Map<string, string[]>()

  /** Without facts that no longer matter. */
  state(now: number): unknown {
    const isRecent = (token: string) => now - Number(this.made.get(token)) < 2 * grace
    return [
      [...this.events].sort(),
      [...this.made].filter(([token]) => isRecent(token)).map(([token, at]) => [token, now - at]),
      [...this.#ended].sort(),
      [...this.#got].filter(([, answer]) => isRecent(answer)),
      [...this.#holds],
      [...this.#turns],
    ]
  }

  /** @param sessions those in the table now */
  observe(sessions: readonly Session[]): void {
    const present = sessions.map(({ secretHash }) => secretHash)
    for (const hash of this.#held) if (!present.includes(hash)) this.#ended.add(hash)
    for (const hash of present) this.#held.add(hash)
  }

  check(sessions: readonly Session[]): void {
    invariant('a session that has ended stays ended', !sessions.some(({ secretHash }) => this.#ended.has(secretHash)))
  }

  /** A request got a token. */
  answered({ by, token, startedAt, isLate }: Exchange, answer: string, now: number): void {
    if (this.#holds.get(by) !== answer) this.#takeTurn(by, answer)
    this.holds(by, answer)
    invariant('after an end nobody gets a token', !isLate)
    const made = this.made.get(answer)
    invariant('a token that is handed out was made', made !== undefined)
    invariant('a token is handed out within its grace alone', startedAt - Number(made) < grace)
    const before = this.#got.get(token)
    const isRepeated = before !== undefined && now - Number(this.made.get(before)) < grace
    invariant('a repeated call gets the same answer', !isRepeated || before === answer)
    this.#got.set(token, answer)
  }

  /** A party holds a token from now on, or soon, with its answer on the way. @param isNew with a new secret, which required the password */
  holds(party: string, token: string, isNew = false): void {
    this.#holds.set(party, token)
    for (const [other, held] of this.#holds) {
      if (held === token || isNew) this.#turns.delete(pairOf(party, other))
    }
  }

  /** A party got a token: it takes turns with each party that holds another one. */
  #takeTurn(party: string, token: string): void {
    for (const [other, held] of this.#holds) {
      if (other === party || held === token) continue
      const turns = this.#turns.get(pairOf(party, other)) ?? []
      if (turns.at(-1) !== party) this.#turns.set(pairOf(party, other), [...turns, party])
      // Each of the two may get one, however late: after that, the next one is a thief to the other.
      invariant('owner and thief do not go on side by side', turns.length < 2 || turns.at(-1) === party)
    }
  }
}

const pairOf = (...parties: [string, string]): string => parties.sort().join()
