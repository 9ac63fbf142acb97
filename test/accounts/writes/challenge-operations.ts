import type { Challenges } from '../../../accounts/passkey/challenge.ts'
import { listed, now } from './account-operations.ts'

/** Every kind of call of the store of challenges, each with the items before it. */

const key = 'passkey#1'
const expiresAt = new Date(now.getTime() + 60_000)
const drawn = { purpose: 'change-password', accountId: 'ada', expiresAt } as const
const kept = (more: object = {}) => [
  {
    ...{ key, purpose: drawn.purpose, id: 'ada', expires_at: expiresAt.toISOString() },
    ...{ expires: expiresAt.getTime() / 1000, ...more },
  },
]
const spent = kept({ spent_by: 'mark' })

const table: Record<
  keyof Challenges,
  Record<string, [before: readonly object[], run: (store: Challenges) => Promise<unknown>]>
> = {
  store: {
    'of a login': [[], s => s.store(key, { ...drawn, purpose: 'login', accountId: null })],
    'one that is there': [kept(), s => s.store(key, drawn)],
    'one that was spent': [spent, s => s.store(key, drawn)],
  },
  find: {
    'one that is good': [kept(), s => s.find(key)],
    'one that was spent': [spent, s => s.find(key)],
  },
  spend: {
    'one that is good': [kept(), s => s.spend(key, 'mark')],
    'one that another has spent': [spent, s => s.spend(key, 'other')],
    'one by the same write again': [spent, s => s.spend(key, 'mark')],
    'one that is not there': [[], s => s.spend(key, 'mark')],
  },
}

export const challengeOperations = listed(table).map(each => ({ ...each, name: `challenges, ${each.name}` }))
