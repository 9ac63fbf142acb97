import { type Key, keyIn } from '../../shared/base/families.ts'
import { type Counters, pseudonym } from '../../shared/base/limits/counters.ts'
import { day } from '../../shared/base/limits/windows.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account } from '../account/account.ts'

/**
 * Days for which a deletion leaves a mark, so that an import of an older file does not bring the account back. Longer
 * than a year, for which such files are kept.
 */
export const markDays = 400

const lifetime = markDays * day * 1000

/**
 * Marks that one item may hold: far less than DynamoDB's 400 KB. Reached only by an address with as many deleted
 * accounts, or as many refused deletions whose marks could not be removed.
 */
const limit = 100

/** A deletion that has happened, or is about to. */
export interface DeletionMark {
  at: Date
  /** The version of the account's last access tokens. */
  tokenVersion: number
}

type MarkCounters = Pick<Counters<'DeletionMarks'>, 'mark' | 'unmark' | 'marks'>

/** The dependencies of calls on marks. */
export interface MarkDeps<Call extends keyof MarkCounters> {
  counters: Pick<MarkCounters, Call>
  now: System['now']
}

const keyOf = {
  id: (id: string) => keyIn('DeletionMarks', 'id', pseudonym(id)),
  email: (email: string) => keyIn('DeletionMarks', 'address', pseudonym(email)),
} as const

/**
 * Marks the id and the address of an account as deleted. The caller then deletes it on condition of the same token
 * version: every deleted account has a mark, even if the deletion's answer is lost.
 *
 * @returns takes the marks away again, for a deletion that was refused
 * @throws {DomainError} `unavailable`
 */
export async function markDeletion(
  { counters, now }: MarkDeps<'mark' | 'unmark'>,
  { id, email, tokenVersion }: Pick<Account, 'id' | 'email' | 'tokenVersion'>,
): Promise<() => Promise<void>> {
  return leave(counters, [keyOf.id(id), keyOf.email(email)], { at: now(), tokenVersion })
}

/**
 * Marks the address that an account leaves as that of a deleted account, so that an import of an older file brings no
 * account back there. The id gets no mark. The caller then moves the account.
 *
 * @returns takes the mark away again, for a change that was refused
 * @throws {DomainError} `unavailable`
 */
export const markFormerEmail = (
  { counters }: Pick<MarkDeps<'mark' | 'unmark'>, 'counters'>,
  { email, tokenVersion }: Pick<Account, 'email' | 'tokenVersion'>,
  at: Date,
): Promise<() => Promise<void>> => leave(counters, [keyOf.email(email)], { at, tokenVersion })

/**
 * Removes the marks that an account has left at an address since a change, when it returns there.
 *
 * @param lastVersion the account's token version when it left its other address
 * @throws {DomainError} `unavailable`
 */
export async function unmarkFormerEmail(
  { counters }: Pick<MarkDeps<'marks' | 'unmark'>, 'counters'>,
  { email, at, tokenVersion }: DeletionMark & Pick<Account, 'email'>,
  lastVersion: number,
): Promise<void> {
  const key = keyOf.email(email)
  const isLeftSince = (mark: DeletionMark) =>
    mark.at >= at && mark.tokenVersion >= tokenVersion && mark.tokenVersion <= lastVersion
  const left = (await counters.marks(key)).filter(text => isLeftSince(markOf(text)))
  await Promise.all(left.map(text => counters.unmark(key, text)))
}

const textOf = ({ at, tokenVersion }: DeletionMark): string => `${at.toISOString()} ${tokenVersion}`

function markOf(text: string): DeletionMark {
  const [at = '', version] = text.split(' ')
  return { at: new Date(at), tokenVersion: Number(version) }
}

async function leave(
  counters: Pick<MarkCounters, 'mark' | 'unmark'>,
  keys: readonly Key<'DeletionMarks'>[],
  marked: DeletionMark,
): Promise<() => Promise<void>> {
  const mark = textOf(marked)
  const resetsAt = new Date(marked.at.getTime() + lifetime)
  await Promise.all(keys.map(key => counters.mark(key, mark, { limit, resetsAt })))
  return async () => {
    await Promise.all(keys.map(key => counters.unmark(key, mark)))
  }
}

/**
 * Finds the mark that deletions of an id or an address have left: the time of the last one, and the highest token version.
 *
 * @throws {DomainError} `unavailable`
 */
export async function findDeletion(
  { counters, now }: MarkDeps<'marks'>,
  by: keyof typeof keyOf,
  text: string,
): Promise<DeletionMark | null> {
  const marks = (await counters.marks(keyOf[by](text))).map(markOf)
  const living = marks.filter(({ at }) => at.getTime() + lifetime > now().getTime())
  if (living.length === 0) return null
  return {
    at: new Date(Math.max(...living.map(({ at }) => at.getTime()))),
    tokenVersion: Math.max(...living.map(({ tokenVersion }) => tokenVersion)),
  }
}
