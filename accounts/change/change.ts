import { lifetimes } from '../token/token.ts'

/**
 * Changes of an account of which its owner is told: the proof that the worker waits for, and the only place of undo links, which so
 * end with the account.
 */

/** What was changed. The last two have no undo link. */
export const changeKinds = ['email', 'factor', 'passkey', 'provider', 'undone', 'moved-by-operator'] as const
type ChangeKind = (typeof changeKinds)[number]

export interface Change {
  /** SHA-256 of its notice's token, in hexadecimal. */
  hash: string
  kind: ChangeKind
  /** The mailbox that is told. */
  email: string
  /** Later than every other's of the account. */
  at: Date
  /** Whether the notice's link undoes it. */
  hasLink: boolean
  /** The former language that notices used then; null where they used the account's own. */
  language: string | null
}

/** A change in its account's map, by its hash. */
export interface ChangeItem {
  kind: ChangeKind
  email: string
  at: string
  link?: true
  language?: string
}

export const toChangeItem = ({ kind, email, at, hasLink, language }: Change): ChangeItem => ({
  kind,
  email,
  at: at.toISOString(),
  ...(hasLink && { link: true }),
  ...(language !== null && { language }),
})

export const toChanges = (items: Record<string, ChangeItem>): Change[] =>
  Object.entries(items)
    .map(([hash, { kind, email, at, link = false, language = null }]) => ({
      hash,
      kind,
      email,
      at: new Date(at),
      hasLink: link,
      language,
    }))
    .sort((one, other) => one.at.getTime() - other.at.getTime())

/** Milliseconds for which a change is kept: as long as its link works. A message about it is among the dead letters by then. */
const keptFor = lifetimes.undo

export const isLiving = (change: Change, now: Date): boolean => now.getTime() - change.at.getTime() < keptFor

/** The changes whose undo links work. */
export const undoable = ({ changes }: { changes: readonly Change[] }, now: Date): Change[] =>
  changes.filter(change => change.hasLink && isLiving(change, now))

/** What is looked at of an account. */
export interface Guarded {
  changes: readonly Change[]
  factor: object | null
}

/** The change that set up the factor in force; undefined without one, or where it was set up before the last seven days. */
export const setUpOf = ({ changes, factor }: Guarded): Change | undefined =>
  factor === null ? undefined : changes.findLast(({ kind }) => kind === 'factor')

/** The same while its undo link works. */
export function undoableSetUp(account: Guarded, now: Date): Change | null {
  const setUp = setUpOf(account)
  return setUp?.hasLink && isLiving(setUp, now) ? setUp : null
}
