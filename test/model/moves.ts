import { isDeepStrictEqual } from 'node:util'
import type { Account } from '../../accounts/account/account.ts'
import type { Undoable } from '../../accounts/address/address.ts'
import type { EmailChange, EmailHistory, Takeback, Undoing, UndoneSpan } from '../../accounts/address/change.ts'
import { lifetimes } from '../../accounts/token/token.ts'
import { cloned, type ModelAccounts, voided } from './accounts.ts'

/** Checks that a transaction omits: a mutation. */
export interface Forgotten {
  /** That nobody has the new address. */
  free?: boolean
  /** That nothing has changed but the token version. */
  time?: boolean
  /** The token version. */
  version?: boolean
  /** That a replaced account is unverified. */
  unverified?: boolean
}

type Outcome = 'done' | 'taken' | 'lost'

/** The transactions that move accounts, as pure functions over the model of the users table. A test compares them with the real store. */
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
    return cloned(this.moved.get(id) ?? null)
  }

  isDone(mark: string): boolean {
    return this.done.has(mark)
  }

  findUndoable(hash: string): Undoable | null {
    return cloned(this.undoable.get(hash) ?? null)
  }

  /** A whole move, as in the store. */
  move(account: Account, move: EmailChange): Outcome {
    const item = this.read(account)
    const isHeld = item?.tokens.verification.hash === move.hash
    return item && isHeld ? this.commitMove(item, move, this.find(account.id)?.undone ?? []) : this.#lost(move)
  }

  undo(account: Account, undoing: Undoing): Outcome {
    if (account.email === undoing.email) return this.commitUndoInPlace(account, undoing)
    const item = this.read(account)
    return item && !this.isLate(item, undoing) ? this.commitUndo(item, undoing) : this.#lost(undoing)
  }

  moveByOperator(account: Account, takeback: Takeback): Outcome {
    const item = this.read(account)
    return item && !this.isLate(item, takeback) ? this.commitMoveByOperator(item, takeback) : this.#lost(takeback)
  }

  /** Whether a newer reset link has been stored since the undo's was drawn. */
  isLate({ tokens }: Account, { reset }: Takeback): boolean {
    return Number(tokens.reset.requestedAt) > reset.requestedAt.getTime()
  }

  #lost({ mark }: Pick<EmailChange, 'mark'>): Outcome {
    return this.isDone(mark) ? 'done' : 'lost'
  }

  /** The account before a transaction; null unless it is as the caller has read it. */
  read({ email, id, tokenVersion }: Account): Account | null {
    const present = this.#accounts.find(email)
    return present?.id === id && present.tokenVersion === tokenVersion ? present : null
  }

  commitMove(
    item: Account,
    { to, clients, mark, isUndoable, at }: EmailChange,
    undone: readonly UndoneSpan[],
  ): Outcome {
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
    present.clients = cloned([...clients])
    return 'done'
  }

  commitUndo(item: Account, { hash, ...takeback }: Undoing): Outcome {
    const outcome = this.#takeBack(item, takeback, this.undoable.has(hash))
    if (outcome === 'done') this.undoable.delete(hash)
    return outcome
  }

  commitMoveByOperator(item: Account, takeback: Takeback): Outcome {
    const isRepeat = this.isDone(takeback.mark)
    const outcome = this.#takeBack(item, takeback, true)
    const moved = this.#accounts.byEmail.get(takeback.email)
    if (outcome === 'done' && !isRepeat && moved) Object.assign(moved, { isVerified: false, resetVerifies: true })
    return outcome
  }

  #takeBack(item: Account, { email, reset, undone, mark, at }: Takeback, isOpen: boolean): Outcome {
    const present = this.#present(item)
    const holder = this.#accounts.byEmail.get(email)
    const isHeld = holder?.resetVerifies || (holder?.isVerified && !this.#forgotten.unverified)
    const isFree = !isHeld
    if (!present || !isFree || !isOpen) {
      if (this.isDone(mark)) return 'done'
      return isFree ? 'lost' : 'taken'
    }
    const { verification } = present.tokens
    this.#trace(present, email, mark, undone)
    this.#leave(present, item, email)
    Object.assign(present, voided(present))
    this.#giveBack(present, verification.requestedAt, reset, at)
    return 'done'
  }

  commitUndoInPlace(account: Account, { hash, email, reset, undone, mark, at }: Undoing): Outcome {
    const present = this.read(account)
    const { requestedAt } = account.tokens.verification
    const isLate =
      Number(present?.tokens.reset.requestedAt) > reset.requestedAt.getTime() ||
      Number(present?.tokens.verification.requestedAt) > Math.max(at.getTime(), Number(requestedAt))
    if (isLate || !this.undoable.has(hash) || !this.revokeAccess(account)) return this.#lost({ mark })
    this.undoable.delete(hash)
    this.#trace(account, email, mark, undone)
    const written = this.#accounts.byEmail.get(email) as Account
    written.isVerified = true
    this.#giveBack(written, requestedAt, reset, at)
    return 'done'
  }

  revokeAccess(account: Account): boolean {
    const present = this.#accounts.byEmail.get(account.email)
    if (present?.id !== account.id || present.tokenVersion !== account.tokenVersion) return false
    const { verification, reset } = present.tokens
    Object.assign(present, voided({ ...present, passwordHash: account.passwordHash }))
    Object.assign(present, { tokenVersion: account.tokenVersion + 1, pendingEmail: null, sessions: [], clients: [] })
    Object.assign(present, { resetVerifies: false, tokens: { verification: gone(verification), reset: gone(reset) } })
    return true
  }

  #giveBack(present: Account, verifiedAt: Date | null, reset: Undoing['reset'], at: Date): void {
    const requestedAt = new Date(Math.max(at.getTime(), Number(verifiedAt)))
    present.tokens = { verification: { hash: null, expiresAt: null, requestedAt }, reset: cloned(reset) }
  }

  #trace({ id, email: from }: Account, to: string, mark: string, undone: readonly UndoneSpan[]): void {
    this.moved.set(id, cloned({ email: to, undone }))
    this.done.set(mark, { id, from, to })
  }

  /** The item put at the other address is a copy of the read one. */
  #leave(present: Account, item: Account, to: string): void {
    const { byEmail } = this.#accounts
    byEmail.delete(present.email)
    Object.assign(present, cloned(item), { email: to, isVerified: true, tokenVersion: item.tokenVersion + 1 })
    Object.assign(present, { pendingEmail: null, sessions: [], clients: [], resetVerifies: false })
    byEmail.set(to, present)
  }

  /** The account, if it is as read. */
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
