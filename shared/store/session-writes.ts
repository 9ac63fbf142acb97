import type { Accounts, SessionChange } from '../accounts/account.ts'
import { maxSessions, type Session } from '../accounts/sessions/session.ts'
import { toSessionItem } from './session-item.ts'
import type { UsersTable } from './users-table.ts'

/** The condition that a session is still what was read, with its names and values. */
const isAsRead = ({ id, secretHash, current }: Session) => ({
  condition: 'sessions.#session.secret_hash = :secret AND sessions.#session.#current = :current',
  names: { '#session': id, '#current': 'current' },
  values: { ':secret': secretHash, ':current': current },
})

/** What a change of the password adds, which keeps one session. */
export const keeping = ({ before, after }: SessionChange) => {
  const { condition, names, values } = isAsRead(before)
  const sessions = after ? { [after.id]: toSessionItem(after) } : {}
  return {
    set: ['sessions = :sessions'],
    condition: ` AND ${condition}`,
    names,
    values: { ...values, ':sessions': sessions },
  }
}

/** The paths of some sessions in an expression, with their names. */
const pathsOf = (ids: readonly string[]) => ({
  paths: ids.map((_, i) => `sessions.#removed${i}`),
  names: Object.fromEntries(ids.map((id, i) => [`#removed${i}`, id])),
})

/** The writes of single sessions. */
export const sessionWrites = (update: UsersTable['update']): Pick<Accounts, 'addSession' | 'changeSession'> => ({
  async addSession(account, session, removed, now) {
    const { paths, names } = pathsOf(removed)
    const version = { ':version': account.tokenVersion }
    // DynamoDB refuses to set a member of a map that is not there.
    const updated = await (account.sessions.length === 0
      ? update(account, now, {
          set: ['sessions = :sessions'],
          condition: 'token_version = :version AND (attribute_not_exists(sessions) OR size(sessions) = :none)',
          values: { ...version, ':sessions': { [session.id]: toSessionItem(session) }, ':none': 0 },
        })
      : update(account, now, {
          set: ['sessions.#session = :session'],
          remove: paths,
          condition: `token_version = :version AND (${[
            'size(sessions) < :most',
            ...paths.map(path => `attribute_exists(${path})`),
          ].join(' OR ')})`,
          values: { ...version, ':session': toSessionItem(session), ':most': maxSessions },
          names: { ...names, '#session': session.id },
        }))
    return updated !== null
  },

  async changeSession(account, { before, after }, removed, now) {
    const { paths, names } = pathsOf(removed)
    const read = isAsRead(before)
    const updated = await update(account, now, {
      ...(after && { set: ['sessions.#session = :session'] }),
      remove: after ? paths : ['sessions.#session', ...paths],
      condition: `token_version = :version AND ${read.condition}`,
      values: {
        ':version': account.tokenVersion,
        ...read.values,
        ...(after && { ':session': toSessionItem(after) }),
      },
      names: { ...read.names, ...names },
    })
    return updated !== null
  },
})
