import { createHmac } from 'node:crypto'
import { day } from '../../base/limits/windows.ts'
import type { Account, RememberedClient } from '../account.ts'

/** Home, office, phone, and two more. */
export const rememberedClients = 5

/** Milliseconds for which a client is remembered after its last login. */
const lifetime = 90 * day * 1000

/** Milliseconds after which another login from there is written: once a day is enough. */
const renewal = day * 1000

const hashAddress = ({ id }: Pick<Account, 'id'>, clientAddress: string): string =>
  createHmac('sha256', id).update(clientAddress).digest('base64url')

const entryOf = (account: Account, clientAddress: string): RememberedClient | undefined =>
  account.clients.find(({ hash }) => hash === hashAddress(account, clientAddress))

/** Whether a login to the account from there is recent enough to count. */
export function isRemembered(account: Account, clientAddress: string, now: Date): boolean {
  const at = entryOf(account, clientAddress)?.at
  return at !== undefined && now.getTime() - at.getTime() < lifetime
}

/** What an account remembers after a login; null when nothing needs to be written. */
export function withClient(account: Account, clientAddress: string, now: Date): RememberedClient[] | null {
  const known = entryOf(account, clientAddress)
  if (known && now.getTime() - known.at.getTime() < renewal) return null
  const others = account.clients.filter(other => other !== known)
  return [{ hash: hashAddress(account, clientAddress), at: now }, ...others].slice(0, rememberedClients)
}

/** What an account remembers after its password or tokens were replaced: only the client that did it. */
export function onlyClient(account: Account, clientAddress: string): RememberedClient[] {
  const known = entryOf(account, clientAddress)
  return known ? [known] : []
}
