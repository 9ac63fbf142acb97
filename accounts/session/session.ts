import { createHash } from 'node:crypto'
import type { Config } from '../../shared/base/config.ts'
import { day } from '../../shared/base/limits/windows.ts'
import type { System } from '../../shared/base/system.ts'

/** A session: one device on which a person stays logged in. */
export interface Session {
  id: string
  /** SHA-256 of the secret that all its refresh tokens carry, in base64url. */
  secretHash: string
  /** Whoever knows it can make the next token: it never leaves the item. In base64url. */
  salt: string
  /** The serial of its newest token. Serials only grow. */
  current: number
  /** The serial that the newest token replaced; 0, nobody's, at first. */
  parent: number
  /** When `current` was made. */
  rotatedAt: Date
  createdAt: Date
  /** When its owner last entered the password or used a passkey. */
  authTime: Date
  /** How the owner logged in (RFC 8176). */
  amr: readonly string[]
  /** The account's token version when it was opened: it ends with that version. */
  version: number
  /** What the application calls the device. */
  label: string | null
  /** The id of the client whose refresh tokens it has; null when they are this service's own. */
  application: string | null
  /** What the client was granted; null without one. */
  scope: readonly string[] | null
  /** Whether a browser has its refresh token as a cookie, to stay logged in across applications. */
  isBrowser: boolean
  /** The id of the browser session by which its person was logged in to the client; null without one. It may outlive that. */
  through: string | null
}

/** The members of an account that decide about its sessions. */
interface Holder {
  tokenVersion: number
  sessions: readonly Session[]
}

/** Whose a session is: this service's own, an application's, or a browser's. */
type Kind = Pick<Session, 'application' | 'isBrowser'>

/** The settings that end sessions: how long they last, when they were all revoked, whether they need a second factor. */
export type SessionRules = Pick<Config, 'secondFactor' | 'sessionDays' | 'sessionIdleDays' | 'tokensNotBefore'>

/** Sessions of an account. With all of them its item stays under 8 KB. */
export const maxSessions = 10

/** Sessions of one application, and of browsers, among those: who asks for one at each visit must not push phones out. */
export const maxAlike = 3

/** 128 bits, as OWASP's Session Management Cheat Sheet asks for ("Session ID Entropy": at least 64). */
const idBytes = 16

/** Bytes of a secret and of a salt: 256 bits, so that no slow hash is needed. */
const secretBytes = 32

const draw = (deps: Pick<System, 'randomBytes'>, bytes: number): string =>
  Buffer.from(deps.randomBytes(bytes)).toString('base64url')

const daysAfter = (time: Date, days: number): number => time.getTime() + days * day * 1000

/** Rounds down to the second: access tokens have no finer times. */
const wholeSecond = (milliseconds: number): Date => new Date(Math.floor(milliseconds / 1000) * 1000)

/** When a session ends at the latest, however often it is refreshed. */
export const lastEndOf = ({ createdAt }: Session, { sessionDays }: SessionRules): Date =>
  wholeSecond(daysAfter(createdAt, sessionDays))

/** When a session ends if it is not refreshed. */
export const endOf = (session: Session, rules: SessionRules): Date =>
  wholeSecond(
    Math.min(daysAfter(session.createdAt, rules.sessionDays), daysAfter(session.rotatedAt, rules.sessionIdleDays)),
  )

/** Whether nothing has ended a session. Whatever raises the account's token version ends all of them. */
export const isActive = (session: Session, { tokenVersion }: Holder, rules: SessionRules, now: Date): boolean =>
  session.version === tokenVersion &&
  now < endOf(session, rules) &&
  (rules.tokensNotBefore === null || session.createdAt >= rules.tokensNotBefore) &&
  (rules.secondFactor !== 'required' || session.amr.includes('mfa'))

/** The session of an id, unless it has ended. */
export function findActive(holder: Holder, id: string, rules: SessionRules, now: Date): Session | null {
  const session = holder.sessions.find(one => one.id === id)
  return session && isActive(session, holder, rules, now) ? session : null
}

/** The sessions that have not ended: the current one first, then the last used first. */
export const listSessions = (holder: Holder, current: string | undefined, rules: SessionRules, now: Date): Session[] =>
  holder.sessions
    .filter(session => isActive(session, holder, rules, now))
    .sort(
      (a, b) => Number(b.id === current) - Number(a.id === current) || b.rotatedAt.getTime() - a.rotatedAt.getTime(),
    )

/** The ids of sessions that have ended, and still are on the item: the next write of its sessions removes them. */
export const endedIds = (holder: Holder, rules: SessionRules, now: Date): string[] =>
  holder.sessions.filter(session => !isActive(session, holder, rules, now)).map(({ id }) => id)

/** The ids of the sessions that applications got through a browser's. */
export const idsThrough = ({ sessions }: Holder, { id }: Session): string[] =>
  sessions.filter(({ through }) => through === id).map(one => one.id)

/** Whether a session is one of those of which an account has three at most: an application's, or a browser's. */
export const isOfFew = ({ application, isBrowser }: Kind): boolean => application !== null || isBrowser

/**
 * The ids that make room for one more session: those that have ended, and if that is not enough the least recently used. A
 * session of an application or of a browser takes the place of one of its own kind, while there is one.
 */
export function makeRoom(holder: Holder, added: Kind, rules: SessionRules, now: Date): string[] {
  const ended = endedIds(holder, rules, now)
  const active = holder.sessions
    .filter(({ id }) => !ended.includes(id))
    .sort((a, b) => a.rotatedAt.getTime() - b.rotatedAt.getTime())
  const isAlike = (one: Kind) =>
    isOfFew(added) && one.application === added.application && one.isBrowser === added.isBrowser
  const alike = active.filter(isAlike)
  const excess = Math.max(0, active.length - maxSessions + 1, alike.length - maxAlike + 1)
  const inTurn = [...alike, ...active.filter(one => !isAlike(one))]
  return [...ended, ...inTurn.slice(0, excess).map(({ id }) => id)]
}

/**
 * A session that begins now, and the secret of its refresh tokens.
 *
 * @param special what it has that a session of this service's own has not
 */
export function newSession(
  deps: Pick<System, 'now' | 'randomBytes'>,
  { tokenVersion }: Holder,
  label: string | null,
  { authTime, amr }: Pick<Session, 'authTime' | 'amr'>,
  special: Partial<Pick<Session, 'application' | 'scope' | 'isBrowser' | 'through'>> = {},
): { session: Session; secret: string } {
  const id = draw(deps, idBytes)
  const now = deps.now()
  const times = { rotatedAt: now, createdAt: now, authTime }
  const { secret, ...keys } = newKeys(deps)
  const serials = { current: 1, parent: 0 }
  const own = { application: null, scope: null, isBrowser: false, through: null }
  const session = { id, ...keys, ...serials, ...times, amr, version: tokenVersion, label, ...own, ...special }
  return { session, secret }
}

/**
 * A session that goes on after its owner changed the password or the second factor. It has a new secret, so that copies of
 * its older tokens no longer work.
 */
export function renewed(
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
})

export const toSessions = (items: Record<string, SessionItem> = {}): Session[] =>
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
  }))

/** A session as it was read and as it is to be, or null if it ends. The write fails if another one came in between. */
export interface SessionChange {
  before: Session
  after: Session | null
  /** Whether it fails also when another session has come or gone in between. */
  needsAllAsRead?: boolean
}
