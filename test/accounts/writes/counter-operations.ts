import type { DeletionMarks } from '../../../accounts/address/deletion-marks.ts'
import type { SetupLinks } from '../../../accounts/factor/setup-link.ts'
import { type CountedGuess, type Counters, pseudonym } from '../../../shared/base/limits/counters.ts'
import { listed, now } from './account-operations.ts'

/** Every kind of call of the store of counters, each with the items before it. */

const resetsAt = new Date(now.getTime() + 60_000)
const expires = resetsAt.getTime() / 1000
const earlier = now.getTime() - 5000
const key = 'request#1'
const linkKey = 'factor#1'
const counted = (n: number) => [{ key, n, expires }]
const members = (...names: string[]) => [{ key, members: new Set(names), expires }]
const made = (ids: string[]) => new Set(ids.map((id, i) => `${earlier + i}#${id}`))
const guesses = (all: string[], pair: string[]) => [
  { key, guesses: made(all), ...(pair.length > 0 && { pair: made(pair) }), expires },
]
const limits = { perPair: 2, perAddress: 3, resetsAt }
const guess = (id: string, at = now): CountedGuess => ({ key, pair: 'pair', at, id })
/** A guess that an item has already. */
const held = (id: string, i = 0) => guess(id, new Date(earlier + i))

type Store = Counters & SetupLinks

type Table = Record<keyof Store, Record<string, [before: readonly object[], run: (store: Store) => Promise<unknown>]>>

const link = { id: 'ada', tokenVersion: 3, expiresAt: resetsAt }
const linked = (more: object = {}) => [
  { key: linkKey, id: 'ada', token_version: 3, expires_at: resetsAt.toISOString(), expires, ...more },
]
const spent = linked({ spent_by: 'mark' })

const table: Table = {
  storeSetupLink: {
    'the first': [[], s => s.storeSetupLink(linkKey, link)],
    'one that was used': [spent, s => s.storeSetupLink(linkKey, link)],
  },
  findSetupLink: {
    'a link': [linked(), s => s.findSetupLink(linkKey)],
    'one that was used': [spent, s => s.findSetupLink(linkKey)],
  },
  spendSetupLink: {
    'a link': [linked(), s => s.spendSetupLink(linkKey, 'mark')],
    'one that another has used': [spent, s => s.spendSetupLink(linkKey, 'other')],
    'one by the same write again': [spent, s => s.spendSetupLink(linkKey, 'mark')],
    'one that is not there': [[], s => s.spendSetupLink(linkKey, 'mark')],
  },
  take: {
    'the first': [[], s => s.take(key, { limit: 2, resetsAt })],
    'the last within the limit': [counted(1), s => s.take(key, { limit: 2, resetsAt })],
    'one over the limit': [counted(2), s => s.take(key, { limit: 2, resetsAt })],
    'another, which moves no expiry': [
      counted(1),
      s => s.take(key, { limit: 5, resetsAt: new Date(resetsAt.getTime() + 1) }),
    ],
    'in a part of a second, which counts as a whole': [
      [],
      s => s.take(key, { limit: 2, resetsAt: new Date(resetsAt.getTime() + 1) }),
    ],
  },
  giveBack: {
    'one of two': [counted(2), s => s.giveBack(key)],
    'one of none': [counted(0), s => s.giveBack(key)],
  },
  takeOnce: {
    'the first': [[], s => s.takeOnce(key, 'a', { limit: 2, resetsAt })],
    'the last within the limit': [members('a'), s => s.takeOnce(key, 'b', { limit: 2, resetsAt })],
    'one over the limit': [members('a', 'b'), s => s.takeOnce(key, 'c', { limit: 2, resetsAt })],
    'one that is there, at the limit': [members('a', 'b'), s => s.takeOnce(key, 'b', { limit: 2, resetsAt })],
    'one that begins like one that is there': [members('ab', 'b'), s => s.takeOnce(key, 'a', { limit: 2, resetsAt })],
  },
  members: {
    'of a set': [members('a', 'b'), async s => (await s.members(key)).sort()],
  },
  takeGuess: {
    'the first': [[], s => s.takeGuess(guess('a'), limits)],
    'the last of a pair': [guesses(['a'], ['a']), s => s.takeGuess(guess('b'), limits)],
    'one over the limit of a pair': [guesses(['a', 'b'], ['a', 'b']), s => s.takeGuess(guess('c'), limits)],
    'one over the limit of an address': [guesses(['a', 'b', 'c'], ['a']), s => s.takeGuess(guess('d'), limits)],
    'one that is there, at both limits': [guesses(['a', 'b', 'c'], ['a', 'b']), s => s.takeGuess(held('b', 1), limits)],
  },
  returnGuess: {
    'one of two': [guesses(['a', 'b'], ['a', 'b']), s => s.returnGuess(held('a'))],
    'the last of all': [guesses(['a'], ['a']), s => s.returnGuess(held('a'))],
    'one of an address that is not there': [[], s => s.returnGuess(held('a'))],
  },
  forgiveGuess: {
    'of a pair among others': [guesses(['a', 'b'], ['a']), s => s.forgiveGuess(held('a'))],
    'the last of all': [guesses(['a'], ['a']), s => s.forgiveGuess(held('a'))],
    'of an address that is not there': [[], s => s.forgiveGuess(held('a'))],
  },
  clear: {
    'a counter': [counted(1), s => s.clear(key)],
  },
}

export const counterOperations = listed(table)

const email = 'ada@example.com'
const minute = 60_000
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString()
/** The mark of an id, or of an address. */
const marked = (by: 'id' | 'address', attributes: object) => [
  { key: `deleted-${by}#${pseudonym(by === 'id' ? 'ada' : email)}`, ...attributes, expires },
]
const day = 24 * 60 * minute
const left = marked('address', { deleted_at: ago(2 * minute), moved_at: ago(minute) })
const former = marked('id', { marks: new Set([`${ago(day)} 5`, `${ago(2 * day)} 9`]) })
type MarkReads = Pick<DeletionMarks, 'find' | 'unmarkLeft'>

const marks: Record<
  keyof MarkReads,
  Record<string, [before: readonly object[], run: (store: MarkReads) => Promise<unknown>]>
> = {
  find: {
    'a deletion of an id': [marked('id', { deleted_at: ago(minute), token_version: 3 }), s => s.find('id', 'ada', now)],
    'a deletion at an address, and a later move': [left, s => s.find('email', email, now)],
    'one that is over': [marked('id', { deleted_at: ago(400 * day), token_version: 3 }), s => s.find('id', 'ada', now)],
    'those that an earlier version left in a set': [former, s => s.find('id', 'ada', now)],
  },
  unmarkLeft: {
    'an address that the account left': [left, s => s.unmarkLeft(email, [now, new Date(now.getTime() - minute)])],
    'an address that another has left since': [left, s => s.unmarkLeft(email, [now])],
  },
}

export const markOperations = listed(marks).map(each => ({ ...each, name: `deletion marks, ${each.name}` }))
