import type { Account, NewAccount, ProfileChange, RememberedClient } from '../../accounts/account/account.ts'
import { noPassword } from '../../accounts/account/account.ts'
import { type AccountItem, toAccount, toItem } from '../../accounts/account/attributes.ts'
import { nextChangeAt } from '../../accounts/change/changes.ts'
import type { Acceptance, PasswordChange } from '../../accounts/password/writes.ts'
import { kindOf, maxSessions } from '../../accounts/session/room.ts'
import type { Session, SessionChange } from '../../accounts/session/session.ts'
import type { OneTimeToken, TokenKind } from '../../accounts/token/token.ts'

/** Stored in place of a revoked password, which somebody else may know. */
const voided = ({ passwordHash: former, formerPasswordHash }: Account) => ({
  passwordHash: noPassword,
  formerPasswordHash: former === noPassword ? formerPasswordHash : former,
})

const idsOf = (sessions: readonly Session[]) => String(sessions.map(({ id }) => id).sort())

/** Like `structuredClone` for plain objects and arrays, in a tenth of the time. Unchanging values, such as times, are shared. */
export function cloned<T>(value: T): T {
  if (Array.isArray(value)) return value.map(cloned) as T
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  const copy = { ...value }
  for (const member in copy) if (typeof copy[member] === 'object') copy[member] = cloned(copy[member])
  return copy
}

/**
 * The table of accounts as pure functions over a map: small enough to be explored completely. A test compares it with the real store.
 * No address changes here.
 */
export class ModelAccounts {
  readonly byId = new Map<string, Account>()
  /** Idempotency tokens on accounts, by kind. */
  readonly #marks = new WeakMap<Account, Record<string, string>>()

  find(id: string): Account | null {
    return cloned(this.byId.get(id) ?? null)
  }

  findByEmail(email: string): Account | null {
    return cloned(this.at(email) ?? null)
  }

  /** The account at an address. No copy. */
  at(email: string): Account | undefined {
    return [...this.byId.values()].find(account => account.email === email)
  }

  findByToken(kind: TokenKind, hash: string): Account | null {
    const holder = [...this.byId.values()].find(({ tokens }) => tokens[kind].hash === hash)
    return cloned(holder ?? null)
  }

  insert({ verification, ...account }: NewAccount): boolean {
    return this.add(toItem(account, account.createdAt, verification))
  }

  changeProfile(account: Account, { name }: ProfileChange): Account | null {
    const present = this.#sameVersion(account)
    if (!present) return null
    if (name !== undefined) present.name = name
    return cloned(present)
  }

  replaceHash(account: Account, hash: string): boolean {
    const present = this.#same(account)
    if (!present || present.passwordHash !== account.passwordHash) return false
    present.passwordHash = hash
    return true
  }

  storeToken(
    kind: TokenKind,
    account: Account,
    token: OneTimeToken,
    _now?: Date,
    { to, lists = [] }: { to?: string | undefined; lists?: readonly string[] } = {},
  ): boolean {
    const present = this.#atAddress(account)
    const held = present?.tokens[kind]
    const isHeld = held?.hash === token.hash && held.requestedAt?.getTime() === token.requestedAt.getTime()
    const isOutdated = held?.requestedAt && held.requestedAt >= token.requestedAt && !isHeld
    if (!present || isOutdated || (kind === 'verification' && to === undefined && present.isVerified)) return false
    const invited = kind === 'reset' ? account.invitedUntil : null
    if (invited && present.invitedUntil?.getTime() !== invited.getTime()) return false
    present.tokens[kind] = cloned(token)
    if (to !== undefined || kind === 'verification') present.pendingEmail = to ?? null
    if (kind === 'reset' || lists.length > 0) present.resetLists = lists
    return true
  }

  spendVerificationToken(account: Account, hash: string, mark: string, now: Date): boolean {
    const present = this.#spend('verification', account, hash, now)
    if (present) present.isVerified = true
    return this.#leave('verification', account, mark, present)
  }

  spendResetToken(account: Account, hash: string, { mark, ...change }: PasswordChange, now: Date): boolean {
    const same = this.#same(account)
    const isAsRead = same?.invitedUntil === null && Number(same.changedAt) === Number(account.changedAt)
    const present = isAsRead ? this.#spend('reset', account, hash, now) : null
    if (present) {
      const tokenVersion = present.tokenVersion + 1
      Object.assign(present, { ...cloned(change), passwordChangedAt: now, formerPasswordHash: null, tokenVersion })
      Object.assign(present, { isVerified: present.isVerified || account.resetVerifies, resetVerifies: false })
      present.changedAt = nextChangeAt(account, now)
    }
    return this.#leave('password', account, mark, present)
  }

  spendInvitation(account: Account, hash: string, { mark, name, ...change }: Acceptance, now: Date): boolean {
    const isSame = this.#same(account)?.invitedUntil?.getTime() === account.invitedUntil?.getTime()
    const present = account.invitedUntil && isSame ? this.#spend('reset', account, hash, now) : null
    if (present) {
      const tokenVersion = present.tokenVersion + 1
      Object.assign(present, { ...cloned(change), passwordChangedAt: now, name: name ?? present.name, tokenVersion })
      Object.assign(present, { isVerified: true, invitedUntil: null, pendingEmail: null, formerPasswordHash: null })
      present.resetVerifies = false
      const { requestedAt } = present.tokens.verification
      present.tokens.verification = { hash: null, expiresAt: null, requestedAt }
    }
    return this.#leave('password', account, mark, present)
  }

  changePassword(account: Account, { mark, ...change }: PasswordChange, now: Date, kept?: SessionChange): boolean {
    const current = kept ? this.#sameSession(account, kept) : this.#sameVersion(account)
    const requestedAt = new Date(Math.max(now.getTime(), Number(account.tokens.reset.requestedAt)))
    const present = current && Number(current.tokens.reset.requestedAt) <= requestedAt.getTime() ? current : null
    if (present) {
      Object.assign(present, { ...cloned(change), passwordChangedAt: now, tokenVersion: present.tokenVersion + 1 })
      if (kept?.after) present.sessions = [cloned(kept.after)]
      present.tokens.reset = { hash: null, expiresAt: null, requestedAt }
    }
    return this.#leave('password', account, mark, present)
  }

  logOutEverywhere(account: Account, { mark, clients }: Omit<PasswordChange, 'passwordHash'>): boolean {
    const present = this.#sameVersion(account)
    if (present) Object.assign(present, { clients: cloned(clients), tokenVersion: present.tokenVersion + 1 })
    return this.#leave('log-out', account, mark, present)
  }

  rememberClients(account: Account, clients: readonly RememberedClient[]): Account | null {
    const present = this.#sameVersion(account)
    if (present) present.clients = cloned([...clients])
    return cloned(present)
  }

  addSession(account: Account, session: Session, removed: readonly string[]): boolean {
    const present = this.#sameVersion(account)
    if (!present) return false
    const held = present.sessions
    const isFirst = account.sessions.length === 0
    const isThere = (id: string) => held.some(one => one.id === id)
    const isCounted = kindOf(session) !== 'own'
    const hasRoom = isCounted
      ? idsOf(held) === idsOf(account.sessions)
      : held.length < maxSessions || removed.some(isThere)
    const isThrough = session.through === null || isThere(session.through)
    const isRoom = isThrough && (isFirst ? held.length === 0 : hasRoom)
    // DynamoDB's map has no order but that of ids.
    if (isRoom) this.#setSessions(present, [session], [...removed, session.id])
    return isRoom
  }

  changeSession(account: Account, change: SessionChange, removed: readonly string[]): boolean {
    const { before, after, needsAllAsRead } = change
    const found = this.#sameSession(account, change)
    const present = found && (!needsAllAsRead || idsOf(found.sessions) === idsOf(account.sessions)) ? found : null
    if (present) this.#setSessions(present, after ? [after] : [], [...removed, before.id])
    return present !== null
  }

  #setSessions(present: Account, added: readonly Session[], removed: readonly string[]): void {
    present.sessions = [...present.sessions.filter(({ id }) => !removed.includes(id)), ...cloned([...added])]
  }

  delete(account: Account): boolean {
    const present = this.#sameVersion(account)
    return present?.email === account.email && this.byId.delete(account.id)
  }

  /** The reads and writes of an operator's invitation. */
  findItem(email: string): AccountItem | null {
    const found = this.at(email)
    if (!found) return null
    const { invitedUntil, lockedAt, tokens } = found
    return {
      ...toItem(found, found.createdAt),
      ...(invitedUntil && { invited_until: invitedUntil.toISOString() }),
      ...(lockedAt && { locked_at: lockedAt.toISOString() }),
      ...(tokens.reset.hash && { password_reset_token: tokens.reset.hash }),
      ...(tokens.reset.requestedAt && { password_reset_requested_at: tokens.reset.requestedAt.toISOString() }),
    }
  }

  add(item: AccountItem): boolean {
    if (this.byId.has(item.id) || this.at(item.email)) return false
    // Drops attributes that models do not use.
    this.byId.set(item.id, toAccount(item))
    return true
  }

  changeInvitation({ email, id, invited_until }: AccountItem, set: Partial<AccountItem>): boolean {
    const present = this.#atAddress({ id, email })
    if (!present) return false
    const { invitedUntil, name, roles, language, tokens } = toAccount({
      ...this.findItem(email),
      ...set,
    } as AccountItem)
    const { reset } = tokens
    if (present.invitedUntil?.toISOString() !== invited_until) return false
    if (Number(present.tokens.reset.requestedAt) >= Number(reset.requestedAt)) return false
    Object.assign(present, { invitedUntil, name, roles, language, tokens: { ...present.tokens, reset } })
    return true
  }

  /** As in operators' commands; false when the account is gone. */
  lock(account: Account, now: Date): boolean {
    const present = this.#atAddress(account)
    if (present) {
      Object.assign(present, { lockedAt: present.lockedAt ?? now, tokenVersion: present.tokenVersion + 1 })
    }
    return present !== null
  }

  revoke(account: Account, now: Date): boolean {
    const present = this.#atAddress(account)
    if (!present) return false
    Object.assign(present, { ...voided(present), clients: [], tokenVersion: present.tokenVersion + 1 })
    const { verification, reset } = present.tokens
    const times = [verification.requestedAt, reset.requestedAt].map(Number)
    const requestedAt = new Date(Math.max(now.getTime(), ...times))
    const none = { hash: null, expiresAt: null, requestedAt }
    present.tokens = { verification: none, reset: none }
    present.pendingEmail = null
    present.invitedUntil &&= now
    present.changedAt = nextChangeAt(present, now)
    return true
  }

  /** Stores an idempotency token of a kind on an account. @returns whether it is there, from this write or an earlier attempt of it */
  #leave(kind: string, account: Account, mark: string, written: Account | null): boolean {
    if (written) {
      this.#marks.set(written, { ...this.#marks.get(written), [kind]: mark })
      if (kind === 'password') written.passwordChangedBy = mark
    }
    const present = this.#same(account)
    return present !== null && this.#marks.get(present)?.[kind] === mark
  }

  #same({ id }: Account): Account | null {
    return this.byId.get(id) ?? null
  }

  #atAddress({ id, email }: Pick<Account, 'id' | 'email'>): Account | null {
    const present = this.byId.get(id)
    return present?.email === email ? present : null
  }

  #sameVersion(account: Account): Account | null {
    const present = this.#same(account)
    return present?.tokenVersion === account.tokenVersion ? present : null
  }

  #sameSession(account: Account, { before }: SessionChange): Account | null {
    const present = this.#sameVersion(account)
    const held = present?.sessions.find(({ id }) => id === before.id)
    return held?.secretHash === before.secretHash && held.current === before.current ? present : null
  }

  #spend(kind: TokenKind, account: Account, hash: string, now: Date): Account | null {
    const present = this.#same(account)
    const held = present?.tokens[kind]
    if (!present || !held?.expiresAt || held.hash !== hash || held.expiresAt <= now) return null
    if (kind === 'verification' && present.pendingEmail !== null) return null
    present.tokens[kind] = { hash: null, expiresAt: null, requestedAt: held.requestedAt }
    return present
  }
}
