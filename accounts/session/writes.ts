import type { Updating } from '../../shared/base/row.ts'
import type { Account, RememberedClient, TokenChange } from '../account/account.ts'
import { type AccountStore, toClients } from '../account/attributes.ts'
import { kindOf, maxSessions } from './room.ts'
import type { SessionChange } from './session.ts'
import { type Session, toSessionItem } from './session.ts'

/** The condition that a session is unchanged. */
const isAsRead = ({ id, secretHash, current }: Session) => ({
  conditions: ['sessions.#session.secret_hash = :secret', 'sessions.#session.#current = :current'],
  names: { '#session': id, '#current': 'current' },
  values: { ':secret': secretHash, ':current': current },
})

/** Common to owners' writes that raise the token version. @param kept the only session that stays */
export function raiseVersion({ tokenVersion }: Account, { clients }: TokenChange, kept?: SessionChange) {
  const read = kept ? isAsRead(kept.before) : { conditions: [], names: {}, values: {} }
  const sessions = kept && { sessions: kept.after ? { [kept.after.id]: toSessionItem(kept.after) } : {} }
  return { ...read, set: { remembered_remotes: toClients(clients), ...sessions }, raises: true, version: tokenVersion }
}

/** The paths of some sessions in an expression, with their names. */
const pathsOf = (ids: readonly string[], name = 'removed') => ({
  paths: ids.map((_, i) => `sessions.#${name}${i}`),
  names: Object.fromEntries(ids.map((id, i) => [`#${name}${i}`, id])),
})

const areThere = (paths: readonly string[]): string[] => paths.map(path => `attribute_exists(${path})`)

/** The condition that an account has exactly the sessions that were read. */
function allAsRead({ sessions }: Account) {
  const { paths, names } = pathsOf(
    sessions.map(({ id }) => id),
    'read',
  )
  return { conditions: ['size(sessions) = :read', ...areThere(paths)], names, values: { ':read': sessions.length } }
}

/** The writes of single sessions. */
export const sessionWrites = ({ update, write }: AccountStore) => ({
  /**
   * Adds a session, and removes others. False when the account is gone, its token version has changed, or it would have
   * more than its most. For a session that is not a person's own also when sessions were added or removed meanwhile; through a browser
   * session also when that has ended.
   */
  add(account: Account, session: Session, removed: readonly string[], now: Date): Promise<boolean> {
    const { paths, names } = pathsOf(removed)
    const item = toSessionItem(session)
    const { through } = session
    const isThrough = through === null ? [] : areThere(['sessions.#through'])
    const ofThrough = through === null ? {} : { '#through': through }
    // Other kinds are counted, and what they end must still be more than the share of its kind.
    const room =
      kindOf(session) === 'own'
        ? {
            conditions: [`(${['size(sessions) < :most', ...areThere(paths)].join(' OR ')})`],
            values: { ':most': maxSessions },
            names: {},
          }
        : allAsRead(account)
    return write(account, now, {
      assign: ['sessions.#session = :session'],
      remove: paths,
      version: account.tokenVersion,
      conditions: [...room.conditions, ...isThrough],
      values: { ':session': item, ...room.values },
      names: { ...names, ...room.names, '#session': session.id, ...ofThrough },
    })
  },

  /**
   * Replaces or removes a session, and removes others. False when the account is gone, or its token version or the
   * session has changed meanwhile.
   *
   * @param now null for a refresh, which does not change the account itself
   */
  change(
    account: Account,
    { before, after, needsAllAsRead }: SessionChange,
    removed: readonly string[],
    now: Date | null,
  ): Promise<boolean> {
    const { paths, names } = pathsOf(removed)
    const read = isAsRead(before)
    const all = needsAllAsRead ? allAsRead(account) : { conditions: [], names: {}, values: {} }
    return write(account, now, {
      assign: after ? ['sessions.#session = :session'] : [],
      remove: after ? paths : ['sessions.#session', ...paths],
      version: account.tokenVersion,
      conditions: [...read.conditions, ...all.conditions],
      values: { ...read.values, ...all.values, ...(after && { ':session': toSessionItem(after) }) },
      names: { ...read.names, ...all.names, ...names },
    })
  },

  /** Raises the token version. False when the account is gone, or its token version or the session that stays has changed. */
  endAll: (account: Account, change: TokenChange, now: Date, kept?: SessionChange): Promise<boolean> =>
    write(account, now, { ...raiseVersion(account, change, kept), mark: ['logged_out_by', change.mark] }),

  /** Null when the account is gone or its token version has changed; nothing is then remembered. */
  remember: (account: Account, clients: readonly RememberedClient[], now: Date): Promise<Account | null> =>
    update(account, now, { set: { remembered_remotes: toClients(clients) }, version: account.tokenVersion }),
})

export type SessionWrites = ReturnType<typeof sessionWrites>

/** Which AWS action each call takes, as the row's grants name it. */
export type SessionCalls = Record<'add' | 'change', Updating<'sessions'>> & Record<'endAll' | 'remember', Updating>
