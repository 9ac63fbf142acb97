import { createHmac } from 'node:crypto'
import { day } from '../base/limits/policy.ts'
import type { Account, RememberedRemote } from './account.ts'

/** Home, office, phone, and two more. */
export const rememberedRemotes = 5

/** Milliseconds for which a remote is remembered after its last login. */
const lifetime = 90 * day * 1000

/** Milliseconds after which another login from there is written: once a day is enough. */
const renewal = day * 1000

const hashRemote = ({ id }: Pick<Account, 'id'>, remote: string): string =>
  createHmac('sha256', id).update(remote).digest('base64url')

const entryOf = (account: Account, remote: string): RememberedRemote | undefined =>
  account.remotes.find(({ hash }) => hash === hashRemote(account, remote))

/** Whether a login to the account from there is recent enough to count. */
export function isRemembered(account: Account, remote: string, now: Date): boolean {
  const at = entryOf(account, remote)?.at
  return at !== undefined && now.getTime() - at.getTime() < lifetime
}

/** What an account remembers after a login; null when nothing needs to be written. */
export function withRemote(account: Account, remote: string, now: Date): RememberedRemote[] | null {
  const known = entryOf(account, remote)
  if (known && now.getTime() - known.at.getTime() < renewal) return null
  const others = account.remotes.filter(other => other !== known)
  return [{ hash: hashRemote(account, remote), at: now }, ...others].slice(0, rememberedRemotes)
}

/** What an account remembers after its password or tokens were replaced: only the remote that did it. */
export function onlyRemote(account: Account, remote: string): RememberedRemote[] {
  const known = entryOf(account, remote)
  return known ? [known] : []
}
