import { createHash } from 'node:crypto'
import type { Config } from '../../shared/base/config.ts'
import { day } from '../../shared/base/limits/windows.ts'
import type { System } from '../../shared/base/system.ts'
import type { SessionList } from './shapes.ts'

/** A session: one device on which a person stays logged in. */
export interface Session {
  id: string
  /** SHA-256 of the secret that all its refresh tokens carry, in base64url. */
  secretHash: string
  /** In base64url. It never leaves the item, because with it anybody could make the next token. */
  salt: string
  /** The serial of its newest token. Serials only grow. */
  current: number
  /** The serial that the newest token replaced; 0 at first. */
  parent: number
  /** When `current` was made. */
  rotatedAt: Date
  createdAt: Date
  /** When its owner last entered the password or used a passkey. */
  authTime: Date
  /** The methods of the login (RFC 8176). */
  amr: readonly string[]
  /** The account's token version at its opening: raising it ends the session. */
  version: number
  /** The device's name, from the application. */
  label: string | null
  /** The id of the client that has its refresh tokens; null when they are this service's own. */
  application: string | null
  /** The scope of the client's grant; null without one. */
  scope: readonly string[] | null
  /** Whether its refresh token is a browser's cookie, to stay logged in across applications. */
  isBrowser: boolean
  /** The id of the browser session behind the client's login; null without one, which may have ended earlier. */
  through: string | null
  /** Whether a tab of the account page opened it for itself. */
  isTab: boolean
}

/** The members of an account that its sessions depend on. */
export interface Holder {
  tokenVersion: number
  sessions: readonly Session[]
}

/** The settings that end sessions: their lifetimes, the time of a revocation of all, and whether a second factor is required. */
export type SessionRules = Pick<Config, 'secondFactor' | 'sessionDays' | 'sessionIdleDays' | 'tokensNotBefore'>

/** 128 bits, as OWASP's Session Management Cheat Sheet asks for ("Session ID Entropy": at least 64). */
const idBytes = 16

/** Bytes of a secret and of a salt: 256 bits, so that no slow hash is needed. */
const secretBytes = 32

const draw = (deps: Pick<System, 'randomBytes'>, bytes: number): string =>
  Buffer.from(deps.randomBytes(bytes)).toString('base64url')

const daysAfter = (time: Date, days: number): number => time.getTime() + days * day * 1000

/** Rounds down to the second, the resolution of access tokens. */
const wholeSecond = (milliseconds: number): Date => new Date(Math.floor(milliseconds / 1000) * 1000)

/** The latest end of a session, however often it is refreshed. */
export const lastEndOf = ({ createdAt }: Session, { sessionDays }: SessionRules): Date =>
  wholeSecond(daysAfter(createdAt, sessionDays))

/** When a session ends if it is not refreshed. */
export const endOf = (session: Session, rules: SessionRules): Date =>
  wholeSecond(
    Math.min(daysAfter(session.createdAt, rules.sessionDays), daysAfter(session.rotatedAt, rules.sessionIdleDays)),
  )

/** Whether a session is active. Raising the account's token version ends all of them. */
export const isActive = (session: Session, { tokenVersion }: Holder, rules: SessionRules, now: Date): boolean =>
  session.version === tokenVersion &&
  now < endOf(session, rules) &&
  (rules.tokensNotBefore === null || session.createdAt >= rules.tokensNotBefore) &&
  (rules.secondFactor !== 'required' || session.amr.includes('mfa'))

/** The active session of an id, or null. */
export function findActive(holder: Holder, id: string, rules: SessionRules, now: Date): Session | null {
  const session = holder.sessions.find(one => one.id === id)
  return session && isActive(session, holder, rules, now) ? session : null
}

/** The active sessions: the current one first, then the most recently used. */
export const listSessions = (holder: Holder, current: string | undefined, rules: SessionRules, now: Date): Session[] =>
  holder.sessions
    .filter(session => isActive(session, holder, rules, now))
    .sort(
      (a, b) => Number(b.id === current) - Number(a.id === current) || b.rotatedAt.getTime() - a.rotatedAt.getTime(),
    )

/** @param sessions in the order of the answer */
export const sessionListView = (
  sessions: readonly Session[],
  current: string | undefined,
  rules: SessionRules,
): SessionList => ({
  sessions: sessions.map(session => ({
    id: session.id,
    label: session.label,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.rotatedAt.toISOString(),
    expires_at: endOf(session, rules).toISOString(),
    is_current: session.id === current,
    application: session.application,
    browser: session.isBrowser,
    through: session.through,
  })),
})

/** The ids of ended sessions still on the item: the next write of its sessions removes them. */
export const endedIds = (holder: Holder, rules: SessionRules, now: Date): string[] =>
  holder.sessions.filter(session => !isActive(session, holder, rules, now)).map(({ id }) => id)

/** The ids of the sessions that applications got through a browser session. */
export const idsThrough = ({ sessions }: Holder, { id }: Session): string[] =>
  sessions.filter(({ through }) => through === id).map(one => one.id)

/**
 * A new session, and the secret of its refresh tokens.
 *
 * @param special members that differ from a session of this service's own
 */
export function newSession(
  deps: Pick<System, 'now' | 'randomBytes'>,
  { tokenVersion }: Holder,
  label: string | null,
  { authTime, amr }: Pick<Session, 'authTime' | 'amr'>,
  special: Partial<Pick<Session, 'application' | 'scope' | 'isBrowser' | 'through' | 'isTab'>> = {},
): { session: Session; secret: string } {
  const id = draw(deps, idBytes)
  const now = deps.now()
  const times = { rotatedAt: now, createdAt: now, authTime }
  const { secret, ...keys } = newKeys(deps)
  const serials = { current: 1, parent: 0 }
  const own = { application: null, scope: null, isBrowser: false, through: null, isTab: false }
  const session = { id, ...keys, ...serials, ...times, amr, version: tokenVersion, label, ...own, ...special }
  return { session, secret }
}

/**
 * A session that continues after a change of the password or the second factor, with a new secret, so that copies of
 * its older tokens stop working.
 */
export function renewSession(
  deps: Pick<System, 'now' | 'randomBytes'>,
  session: Session,
  amr: readonly string[],
): { session: Session; secret: string } {
  const now = deps.now()
  const { secret, ...keys } = newKeys(deps)
  const serials = { current: session.current + 1, parent: 0 }
  return {
    session: { ...session, ...keys, ...serials, rotatedAt: now, authTime: now, amr, version: session.version + 1 },
    secret,
  }
}

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

function newKeys(deps: Pick<System, 'randomBytes'>) {
  const secret = draw(deps, secretBytes)
  return { secret, secretHash: hashSecret(secret), salt: draw(deps, secretBytes) }
}

/** A member of `sessions`, under the session's id. */
export interface SessionItem {
  secret_hash: string
  salt: string
  current: number
  parent: number
  rotated_at: string
  created_at: string
  auth_time: string
  amr: string[]
  version: number
  label: string | null
  application?: string
  scope?: string
  browser?: true
  through?: string
  tab?: true
}

export const toSessionItem = (session: Session): SessionItem => ({
  secret_hash: session.secretHash,
  salt: session.salt,
  current: session.current,
  parent: session.parent,
  rotated_at: session.rotatedAt.toISOString(),
  created_at: session.createdAt.toISOString(),
  auth_time: session.authTime.toISOString(),
  amr: [...session.amr],
  version: session.version,
  label: session.label,
  ...(session.application !== null && { application: session.application }),
  ...(session.scope !== null && { scope: session.scope.join(' ') }),
  ...(session.isBrowser && { browser: true }),
  ...(session.through !== null && { through: session.through }),
  ...(session.isTab && { tab: true }),
})

export const toSessions = (items: Record<string, SessionItem>): Session[] =>
  Object.entries(items).map(([id, item]) => ({
    id,
    secretHash: item.secret_hash,
    salt: item.salt,
    current: item.current,
    parent: item.parent,
    rotatedAt: new Date(item.rotated_at),
    createdAt: new Date(item.created_at),
    authTime: new Date(item.auth_time),
    amr: item.amr,
    version: item.version,
    label: item.label,
    application: item.application ?? null,
    scope: item.scope?.split(' ') ?? null,
    isBrowser: item.browser ?? false,
    through: item.through ?? null,
    isTab: item.tab ?? false,
  }))

/** A session as read and its successor, or null to end it. The write fails after a lost race. */
export interface SessionChange {
  before: Session
  after: Session | null
  /** Whether a session added or removed meanwhile fails the write too. */
  needsAllAsRead?: boolean
}
