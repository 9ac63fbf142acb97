import type { Session } from './session.ts'

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
