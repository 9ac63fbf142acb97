import { expect, test } from 'vitest'
import { makeEachOnce } from '../support/once.ts'
import { explore } from './explore.ts'
import { MailSystem, type Scenario } from './mail-system.ts'

/**
 * Every request that writes an account or sends a mail, with the worker, explored completely: each outside call may
 * fail, each process may die before and after each of its calls, and messages are delivered repeatedly in any order.
 *
 * The domain's own code runs with the product's own writes, over a queue with SQS's guarantees, and tables that another test
 * compares with the real ones.
 */

makeEachOnce()

const verified = { isRegistered: true, isVerified: true }

test.each<[string, Scenario, number]>([
  ['a registration', { requests: ['register'], clicks: 1 }, 2],
  ['two registrations of one address', { requests: ['register', 'register'] }, 1],
  ['a registration and a request for another link', { requests: ['register', 'verification'] }, 1],
  [
    'two requests for a verification link',
    { isRegistered: true, requests: ['verification', 'verification'], clicks: 1 },
    1,
  ],
  ['two forgotten passwords', { isRegistered: true, requests: ['reset', 'reset'], clicks: 1 }, 1],
  ['requests for links of both kinds', { isRegistered: true, requests: ['verification', 'reset'] }, 1],
  ['a forgotten password, with a cap of one mail', { isRegistered: true, requests: ['reset'], cap: 1 }, 3],
  ['two workers at once', { isRegistered: true, requests: ['reset', 'reset'], workers: 2 }, 1],
  ['a changed password', { ...verified, requests: ['change'] }, 2],
  ['two changes at once', { ...verified, requests: ['change', 'change'] }, 1],
  ['a change and a forgotten password', { ...verified, requests: ['change', 'reset'] }, 1],
  ['a change and a reset', { ...verified, hasReset: true, requests: ['change'], clicks: 1 }, 1],
  [
    'a change and a forgotten password of a clock that runs ahead',
    { ...verified, requests: ['reset', 'change'], ahead: 'reset', clicks: 1 },
    1,
  ],
  ['a change, with two workers for its notices', { ...verified, requests: ['change'], workers: 2 }, 2],
  ['a deletion', { ...verified, requests: ['delete'] }, 2],
  ['two deletions at once', { ...verified, requests: ['delete', 'delete'] }, 1],
  ['a deletion and a change', { ...verified, requests: ['delete', 'change'] }, 1],
  ['a deletion and a registration of its address', { ...verified, requests: ['delete', 'register'] }, 1],
  ['a lock and a forgotten password', { isRegistered: true, requests: ['lock', 'reset'], workers: 2 }, 1],
  ['a lock and a registration', { requests: ['register', 'lock'] }, 1],
  ['a lock, a change and a reset', { ...verified, hasReset: true, requests: ['lock', 'change'], clicks: 1 }, 0],
  ['a revocation and a forgotten password', { isRegistered: true, requests: ['revoke', 'reset'], clicks: 1 }, 1],
  ['a revocation, a change and a reset', { ...verified, hasReset: true, requests: ['revoke', 'change'], clicks: 1 }, 0],
  ['a revocation and a request for a link', { isRegistered: true, requests: ['revoke', 'verification'], clicks: 1 }, 0],
  ['an invitation', { requests: ['invite'], clicks: 1 }, 1],
  ['two invitations of one address', { requests: ['invite', 'invite'] }, 1],
  ['an invitation and a registration', { requests: ['invite', 'register'] }, 0],
  ['an acceptance and a second invitation', { isInvited: true, requests: ['invite'], clicks: 1 }, 1],
  ['a second invitation and a forgotten password', { isInvited: true, requests: ['invite', 'reset'] }, 1],
  ['an acceptance and a forgotten password', { isInvited: true, requests: ['reset'], clicks: 1 }, 1],
  ['the token of an invitation as a reset’s', { isInvited: true, requests: ['reset'], clicks: 1, misuses: true }, 1],
  [
    'an invitation that is taken back, and another',
    { isInvited: true, requests: ['take back', 'invite'], clicks: 1 },
    0,
  ],
  ['an invitation that is taken back', { isInvited: true, requests: ['take back', 'reset'], clicks: 1 }, 0],
  ['an invitation that is revoked', { isInvited: true, requests: ['revoke', 'reset'], clicks: 1 }, 0],
  ['an invitation that is revoked, and another', { isInvited: true, requests: ['revoke', 'invite'], clicks: 1 }, 0],
  ['an invitation of an account that is locked', { isInvited: true, requests: ['lock', 'reset'], clicks: 1 }, 0],
  ...(['take back', 'revoke', 'lock'] as const).flatMap((act): [string, Scenario, number][] => [
    [`an acceptance, and at once “${act}”`, { isInvited: true, requests: [act], clicks: 1 }, 1],
    [
      `a forgotten password of an invited account, and at once “${act}”`,
      { isInvited: true, requests: [act, 'reset'] },
      1,
    ],
    [`a second invitation, and at once “${act}”`, { isInvited: true, requests: [act, 'invite'] }, 1],
  ]),
  ['an account whose address is not verified', { isRegistered: true, requests: ['change', 'change', 'delete'] }, 1],
])('the invariants of mail hold for %s', async (_, scenario, faults) => {
  const { states } = await explore(() => new MailSystem(scenario), { faults })
  expect(states).toBeGreaterThan(100)
})
