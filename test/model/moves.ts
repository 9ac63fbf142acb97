import { isDeepStrictEqual } from 'node:util'
import type { Account } from '../../shared/accounts/account.ts'
import type { EmailChange, EmailHistory, Undoable, Undoing, UndoneSpan } from '../../shared/accounts/email-change.ts'
import { noPassword } from '../../shared/accounts/passwords/password-hash.ts'
import { lifetimes } from '../../shared/accounts/tokens/one-time-token.ts'
import type { ModelAccounts } from './accounts.ts'

/** What a transaction forgets to check: a mutation. */
export interface Forgotten {
  /** That nobody has the new address. */
  free?: boolean
  /** That nothing has changed but the token version. */
  time?: boolean
  /** The token version. */
  version?: boolean
  /** That an account that gives way to a returning one is not verified. */
  unverified?: boolean
}

type Outcome = 'done' | 'taken' | 'lost'

/** The transactions that move accounts, as pure functions over the model of the users table. A test holds it against the real store. */
export class ModelMoves {
  readonly #accounts: ModelAccounts
  readonly #forgotten: Forgotten
  readonly moved = new Map<string, EmailHistory>()
  /** By mark. */
  readonly done = new Map<string, { id: string; from: string; to: string }>()
  readonly undoable = new Map<string, Undoable>()

  constructor(accounts: ModelAccounts, forgotten: Forgotten = {}) {
    this.#accounts = accounts
    this.#forgotten = forgotten
  }

  find(id: string): EmailHistory | null {
    return structuredClone(this.moved.get(id) ?? null)
  }

  isDone(mark: string): boolean {
    return this.done.has(mark)
  }

  findUndoable(hash: string): Undoable | null {
    return structuredClone(this.undoable.get(hash) ?? null)
  }

  /** The whole of a move, as the store does it. */
  move(account: Account, move: EmailChange): Outcome {
    const item = this.read(account)
    const isHeld = item?.tokens.verification.hash === move.hash
    return item && isHeld ? this.commitMove(item, move, this.find(account.id)?.undone ?? []) : this.#lost(move)
  }

  undo(account: Account, undoing: Undoing): Outcome {
    const item = this.read(account)
    return item && !this.isLate(item, undoing) ? this.commitUndo(item, undoing) : this.#lost(undoing)
  }

  /** Whether a newer reset link has been stored since the undoing's was drawn. */
  isLate({ tokens }: Account, { reset }: Undoing): boolean {
    return Number(tokens.reset.requestedAt) > reset.requestedAt.getTime()
  }

  #lost({ mark }: Pick<EmailChange, 'mark'>): Outcome {
    return this.isDone(mark) ? 'done' : 'lost'
  }

  /** The account as it is before a transaction; null when it is not the one that the caller has read. */
  read({ email, id, tokenVersion }: Account): Account | null {
    const present = this.#accounts.find(email)
    return present?.id === id && present.tokenVersion === tokenVersion ? present : null
  }

  commitMove(item: Account, { to, mark, isUndoable, at }: EmailChange, undone: readonly UndoneSpan[]): Outcome {
    const present = this.#present(item)
    const isFree = this.#forgotten.free || !this.#accounts.byEmail.has(to)
    if (!present || !isFree) return this.isDone(mark) ? 'done' : isFree ? 'lost' : 'taken'
    const { verification, reset } = present.tokens
    this.#trace(present, to, mark, undone)
    if (isUndoable) {
      const expiresAt = new Date(at.getTime() + lifetimes.undo)
      this.undoable.set(mark, { id: item.id, email: item.email, tokenVersion: item.tokenVersion, at, expiresAt })
    }
    this.#leave(present, item, to)
    present.tokens = { verification: gone(verification), reset: gone(reset) }
    return 'done'
  }

  commitUndo(item: Account, { hash, email, reset, undone, mark, at }: Undoing): Outcome {
    const present = this.#present(item)
    const isAway = item.email !== email
    const holder = this.#accounts.byEmail.get(email)
    const isFree = !isAway || !holder?.isVerified || this.#forgotten.unverified === true
    if (!present || !isFree || !this.undoable.has(hash)) {
      if (this.isDone(mark)) return 'done'
      return isFree ? 'lost' : 'taken'
    }
    const { verification } = present.tokens
    const requestedAt = new Date(Math.max(at.getTime(), Number(verification.requestedAt)))
    this.undoable.delete(hash)
    this.#trace(present, email, mark, undone)
    this.#leave(present, item, email)
    present.passwordHash = noPassword
    present.tokens = {
      verification: { ...gone(verification), requestedAt },
      reset: structuredClone(reset),
    }
    return 'done'
  }

  #trace({ id, email: from }: Account, to: string, mark: string, undone: readonly UndoneSpan[]): void {
    this.moved.set(id, structuredClone({ email: to, undone }))
    this.done.set(mark, { id, from, to })
  }

  /** What is put at the other address is a copy of what was read. */
  #leave(present: Account, item: Account, to: string): void {
    const { byEmail } = this.#accounts
    byEmail.delete(present.email)
    Object.assign(present, structuredClone(item), { email: to, isVerified: true, tokenVersion: item.tokenVersion + 1 })
    Object.assign(present, { pendingEmail: null, sessions: [], clients: [] })
    byEmail.set(to, present)
  }

  /** The account, if it is as it was read. */
  #present(item: Account): Account | null {
    const { version, time } = this.#forgotten
    const present = this.#accounts.byEmail.get(item.email)
    if (present?.id !== item.id) return null
    if (!version && present.tokenVersion !== item.tokenVersion) return null
    const isSame = isDeepStrictEqual({ ...present, sessions: [] }, { ...item, sessions: [] })
    return isSame || time || version ? present : null
  }
}

const gone = ({ requestedAt }: Account['tokens']['reset']) => ({ hash: null, expiresAt: null, requestedAt })
