import { endedIds, type Holder, type Session, type SessionRules } from './session.ts'

/** What a session is for: an application, a browser across applications, a tab of the account page, or any other login of a person's own. */
export type Kind = 'application' | 'browser' | 'tab' | 'own'

/**
 * Sessions of each kind. What others open never ends one of these: agents run on several machines, and clients and pages that open a
 * session at each visit must not push phones out. More of a person's own have the room that the other kinds leave; of those there are
 * no more.
 */
export const shares: Readonly<Record<Kind, number>> = { application: 12, browser: 3, tab: 3, own: 5 }

/** Sessions of an account. With all of them its item is under 9 KB, with the longest labels, ids and name under 16: DynamoDB takes 400. */
export const maxSessions = Object.values(shares).reduce((sum, share) => sum + share)

/** Sessions of one application, so that one with an agent on each machine leaves room for others. */
export const maxOfApplication = 5

/** What tells the kind of a session. */
type OfKind = Pick<Session, 'application' | 'isBrowser' | 'isTab'>

export function kindOf({ application, isBrowser, isTab }: OfKind): Kind {
  if (application !== null) return 'application'
  if (isBrowser) return 'browser'
  return isTab ? 'tab' : 'own'
}

/**
 * Which session gives way to one more; undefined while there is room.
 *
 * Where its application, or its kind, is full, the least used of that. Where the account is full, the least used of the kinds that have
 * more than their share, else of its own kind.
 *
 * @param sessions the least used first
 */
export function findGivingWay<S extends OfKind>(sessions: readonly S[], added: OfKind): S | undefined {
  const kind = kindOf(added)
  const alike = sessions.filter(one => kindOf(one) === kind)
  const ofApplication = kind === 'application' ? alike.filter(one => one.application === added.application) : []
  if (ofApplication.length >= maxOfApplication) return ofApplication[0]
  if (kind !== 'own' && alike.length >= shares[kind]) return alike[0]
  if (sessions.length < maxSessions) return undefined
  const countOf = (counted: Kind) => sessions.filter(one => kindOf(one) === counted).length
  return sessions.find(one => countOf(kindOf(one)) > shares[kindOf(one)]) ?? alike[0]
}

/** The ids to remove for one more session: the ended ones, and while there is no room the ones that give way. */
export function makeRoom(holder: Holder, added: OfKind, rules: SessionRules, now: Date): string[] {
  const removed = endedIds(holder, rules, now)
  let left = holder.sessions
    .filter(({ id }) => !removed.includes(id))
    .sort((a, b) => a.rotatedAt.getTime() - b.rotatedAt.getTime())
  for (let gone = findGivingWay(left, added); gone; gone = findGivingWay(left, added)) {
    removed.push(gone.id)
    left = left.filter(one => one !== gone)
  }
  return removed
}
