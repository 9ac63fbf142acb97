import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { changeOf, expiringItems, toSeconds } from '../../shared/aws/expiring-items.ts'
import type { Write } from '../../shared/aws/transactions.ts'
import { type Key, keyIn, ttlAttribute } from '../../shared/base/families.ts'
import { pseudonym } from '../../shared/base/limits/counters.ts'
import { day } from '../../shared/base/limits/windows.ts'
import type { Account } from '../account/account.ts'

/**
 * Days for which a deletion leaves a mark, so that an import of an older file does not bring the account back. Longer
 * than a year, for which such files are kept.
 */
export const markDays = 400

const lifetime = markDays * day * 1000

/** A deletion, or for an address also a move that left it. */
export interface DeletionMark {
  at: Date
  /** The version of the account's last access tokens; 0 where only the address is known. */
  tokenVersion: number
}

interface MarkItem {
  deleted_at?: string
  token_version?: number
  moved_at?: string
  /** Each a time and a token version, in marks from before 0.5.0. */
  marks?: Set<string>
}

const keyOf = {
  id: (id: string) => keyIn('DeletionMarks', 'id', pseudonym(id)),
  email: (email: string) => keyIn('DeletionMarks', 'address', pseudonym(email)),
} as const

/**
 * Marks of deletions by id and by address, in the table of counters. The writes that make them are part of the deletion's or the move's
 * transaction; each replaces the one before, so that nobody can fill an item.
 *
 * @param table its name, read on use: few functions with accounts write marks
 */
export function deletionMarks(db: DynamoDBDocumentClient, table: () => string) {
  const read = (key: string) => expiringItems(db, table()).find<MarkItem>(key)

  const set = (key: Key<'DeletionMarks'>, at: Date, attributes: Partial<MarkItem>): Write => {
    const all = Object.entries({ ...attributes, [ttlAttribute]: toSeconds(new Date(at.getTime() + lifetime)) })
    return changeOf(table(), key, {
      UpdateExpression: `SET ${all.map(([name]) => `#${name} = :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(all.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(all.map(([name, value]) => [`:${name}`, value])),
    })
  }

  return {
    /** Marks the id of an account as deleted. */
    markId: ({ id, tokenVersion }: Pick<Account, 'id' | 'tokenVersion'>, at: Date): Write =>
      set(keyOf.id(id), at, { deleted_at: at.toISOString(), token_version: tokenVersion }),

    /** Marks the address of a deleted account. */
    markAddress: (email: string, at: Date): Write => set(keyOf.email(email), at, { deleted_at: at.toISOString() }),

    /** Marks an address that an account leaves: an import of an older file brings no account back there. The id gets no mark. */
    markLeft: (email: string, at: Date): Write => set(keyOf.email(email), at, { moved_at: at.toISOString() }),

    /** Removes the mark of an account's own move from the address to which it returns. @param moves when it left it */
    async unmarkLeft(email: string, moves: readonly Date[]): Promise<Write[]> {
      const key = keyOf.email(email)
      const movedAt = (await read(key))?.moved_at
      if (!moves.some(at => at.toISOString() === movedAt)) return []
      const isSame = { ConditionExpression: 'moved_at = :moved', ExpressionAttributeValues: { ':moved': movedAt } }
      return [changeOf(table(), key, { UpdateExpression: 'REMOVE moved_at', ...isSame })]
    },

    /** The last deletion of an id or at an address, with the highest token version; null where no mark is left. */
    async find(by: keyof typeof keyOf, text: string, now: Date): Promise<DeletionMark | null> {
      const { deleted_at, moved_at, token_version = 0, marks = [] } = (await read(keyOf[by](text))) ?? {}
      const former = [...marks].map(mark => mark.split(' '))
      const times = [deleted_at, moved_at, ...former.map(([at]) => at)]
        .flatMap(text => (text === undefined ? [] : [new Date(text).getTime()]))
        .filter(time => time + lifetime > now.getTime())
      if (times.length === 0) return null
      const tokenVersion = Math.max(token_version, ...former.map(([, version]) => Number(version)))
      return { at: new Date(Math.max(...times)), tokenVersion }
    },
  }
}

export type DeletionMarks = ReturnType<typeof deletionMarks>
