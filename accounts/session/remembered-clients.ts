import { createHmac } from 'node:crypto'
import { day } from '../../shared/base/limits/windows.ts'
import { logError } from '../../shared/base/log.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account, RememberedClient } from '../account/account.ts'
import type { SessionWrites } from './writes.ts'

/** Home, office, phone, and two more. */
export const rememberedClients = 5

/** Milliseconds until a client is forgotten, from its last login or mailed link. */
const lifetime = 90 * day * 1000

/** Milliseconds after which another login from there is written: once a day is enough. */
const renewal = day * 1000

const hashAddress = ({ id }: Pick<Account, 'id'>, clientAddress: string): string =>
  createHmac('sha256', id).update(clientAddress).digest('base64url')

const entryOf = (account: Account, clientAddress: string): RememberedClient | undefined =>
  account.clients.find(({ hash }) => hash === hashAddress(account, clientAddress))

/** Whether the account remembers the client. */
export function isRemembered(account: Account, clientAddress: string, now: Date): boolean {
  const at = entryOf(account, clientAddress)?.at
  return at !== undefined && now.getTime() - at.getTime() < lifetime
}

export type RememberingDeps = Pick<System, 'now' | 'log'> & { sessions: Pick<SessionWrites, 'remember'> }

/** Remembers the caller. If that fails, the login still holds, and the next one tries again. */
export async function rememberClient(deps: RememberingDeps, account: Account, clientAddress: string): Promise<void> {
  const now = deps.now()
  const clients = withClient(account, clientAddress, now)
  if (clients === null) return
  try {
    await deps.sessions.remember(account, clients, now)
  } catch (error) {
    logError(deps, error)
  }
}

/** The clients to remember after a login; null when nothing needs to be written. */
function withClient(account: Account, clientAddress: string, now: Date): RememberedClient[] | null {
  const known = entryOf(account, clientAddress)
  if (known && now.getTime() - known.at.getTime() < renewal) return null
  const others = account.clients.filter(other => other !== known)
  return [...callerAlone(account, clientAddress, now), ...others].slice(0, rememberedClients)
}

/**
 * The clients to remember after a mailed link replaced the password or the address: the caller, known or not, so that
 * strangers' guesses do not lock the owner out of the next login.
 */
export const callerAlone = (account: Account, clientAddress: string, now: Date): RememberedClient[] => [
  { hash: hashAddress(account, clientAddress), at: now },
]

/** The clients to remember after a logged-in caller revoked the tokens: the caller, if known. */
export function onlyClient(account: Account, clientAddress: string): RememberedClient[] {
  const known = entryOf(account, clientAddress)
  return known ? [known] : []
}
