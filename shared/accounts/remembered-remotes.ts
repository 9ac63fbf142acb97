import { createHmac } from 'node:crypto'
import type { Account, RememberedRemote } from './account.ts'

/** Home, office, phone, and two more. */
export const rememberedRemotes = 5

const day = 24 * 60 * 60 * 1000
const lifetime = 90 * day

const hashRemote = ({ id }: Pick<Account, 'id'>, remote: string): string =>
  createHmac('sha256', id).update(remote).digest('base64url')

const entryOf = (account: Account, remote: string): RememberedRemote | undefined =>
  account.remotes.find(({ hash }) => hash === hashRemote(account, remote))

/** Whether somebody has logged in to the account from there within the last 90 days. */
export function isRemembered(account: Account, remote: string, now: Date): boolean {
  const at = entryOf(account, remote)?.at
  return at !== undefined && now.getTime() - at.getTime() < lifetime
}

/** What an account remembers after a login; null when that is written already: once a day is enough. */
export function withRemote(account: Account, remote: string, now: Date): RememberedRemote[] | null {
  const known = entryOf(account, remote)
  if (known && now.getTime() - known.at.getTime() < day) return null
  const others = account.remotes.filter(other => other !== known)
  return [{ hash: hashRemote(account, remote), at: now }, ...others].slice(0, rememberedRemotes)
}

/** What an account still remembers once its password or its tokens are replaced: the remote that it was done from. */
export function onlyRemote(account: Account, remote: string): RememberedRemote[] {
  const known = entryOf(account, remote)
  return known ? [known] : []
}
