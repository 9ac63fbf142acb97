import type { Grant, Grants } from '../../../accounts/application/grant.ts'
import { listed, now } from './account-operations.ts'

/** Every kind of call of the store of grants, each with the items before it. */

const key = 'grant#1'

const grant: Grant = {
  client: 'shop',
  redirect: 'https://shop.example.com/callback',
  challenge: 'challenge',
  nonce: 'nonce',
  scope: ['openid', 'email'],
  id: 'ada',
  version: 3,
  authTime: now,
  amr: ['pwd'],
  browserSession: null,
  createdAt: now,
}

const kept = (more: object = {}) => [
  {
    ...{ key, client: 'shop', redirect: grant.redirect, challenge: 'challenge', nonce: 'nonce', scope: 'openid email' },
    ...{ id: 'ada', token_version: 3, auth_time: now.toISOString(), amr: ['pwd'] },
    ...{ browser_session: null, created_at: now.toISOString(), expires: 1, ...more },
  },
]
const spent = kept({ spent_by: 'mark', session: 'session' })
const reused = kept({ spent_by: 'mark', session: 'session', reused: true })

const table: Record<
  keyof Grants,
  Record<string, [before: readonly object[], run: (store: Grants) => Promise<unknown>]>
> = {
  store: {
    'one that was used': [spent, s => s.store(key, grant)],
    'a grant of a browser session, without a nonce': [
      [],
      s => s.store(key, { ...grant, nonce: null, browserSession: 'browser' }),
    ],
  },
  find: {
    'one that is good': [kept(), s => s.find(key)],
    'one that is not there': [[], s => s.find(key)],
  },
  spend: {
    'one that is good': [kept(), s => s.spend(key, 'mark', null)],
    'one for a session': [kept(), s => s.spend(key, 'mark', 'session')],
    'one that another has used': [spent, s => s.spend(key, 'other', 'other')],
    'one by the same write again': [spent, s => s.spend(key, 'mark', 'session')],
    'one that was presented again': [reused, s => s.spend(key, 'mark', 'session')],
    'one that is not there': [[], s => s.spend(key, 'mark', null)],
  },
  markReused: {
    'one that was used': [spent, s => s.markReused(key)],
    'one that is good': [kept(), s => s.markReused(key)],
  },
}

export const grantOperations = listed(table).map(each => ({ ...each, name: `grants, ${each.name}` }))
