import type { Account, NewAccount } from '../../shared/accounts/account.ts'
import type { OneTimeToken, TokenKind } from '../../shared/accounts/one-time-token.ts'

/**
 * What the users table does, as pure functions over a map: small enough to be explored completely. A test holds it
 * against the real store.
 */
export class ModelAccounts {
  readonly byEmail = new Map<string, Account>()

  find(email: string): Account | null {
    return structuredClone(this.byEmail.get(email) ?? null)
  }

  findByToken(kind: TokenKind, hash: string): Account | null {
    const holder = [...this.byEmail.values()].find(({ tokens }) => tokens[kind].hash === hash)
    return structuredClone(holder ?? null)
  }

  insert({ verification, ...account }: NewAccount): boolean {
    const present = this.byEmail.get(account.email)
    if (present) return present.id === account.id
    const reset = { hash: null, expiresAt: null, requestedAt: null }
    this.byEmail.set(account.email, structuredClone({ ...account, tokens: { verification, reset } }))
    return true
  }

  rename(account: Account, name: string): Account | null {
    const present = this.#same(account)
    if (!present || present.tokenVersion !== account.tokenVersion) return null
    present.name = name
    return structuredClone(present)
  }

  replaceHash(account: Account, hash: string): boolean {
    const present = this.#same(account)
    if (!present || present.passwordHash !== account.passwordHash) return false
    present.passwordHash = hash
    return true
  }

  storeToken(kind: TokenKind, account: Account, token: OneTimeToken): boolean {
    const present = this.#same(account)
    const held = present?.tokens[kind]
    const isOutdated = held?.requestedAt && held.requestedAt >= token.requestedAt && held.hash !== token.hash
    if (!present || isOutdated || (kind === 'verification' && present.isVerified)) return false
    present.tokens[kind] = structuredClone(token)
    return true
  }

  spendVerificationToken(account: Account, hash: string, now: Date): boolean {
    const present = this.#spend('verification', account, hash, now)
    if (present) present.isVerified = true
    return present !== null
  }

  spendResetToken(account: Account, hash: string, passwordHash: string, now: Date): boolean {
    const present = this.#spend('reset', account, hash, now)
    if (present) Object.assign(present, { passwordHash, tokenVersion: present.tokenVersion + 1 })
    return this.byEmail.get(account.email)?.passwordHash === passwordHash
  }

  #same({ email, id }: Account): Account | null {
    const present = this.byEmail.get(email)
    return present?.id === id ? present : null
  }

  #spend(kind: TokenKind, account: Account, hash: string, now: Date): Account | null {
    const present = this.#same(account)
    const held = present?.tokens[kind]
    if (!present || !held?.expiresAt || held.hash !== hash || held.expiresAt <= now) return null
    present.tokens[kind] = { hash: null, expiresAt: null, requestedAt: held.requestedAt }
    return present
  }
}
