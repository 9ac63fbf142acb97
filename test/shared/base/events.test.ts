import { expect, test } from 'vitest'
import type { AuthEvent } from '../../../shared/base/system.ts'
import { leaksOf } from '../../support/service/log-law.ts'

/** What the harness's check of each log entry finds. */

const account_id = '01890000-0000-7000-8000-000000000000'
const event = 'login-failed'
const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

test.each([
  ['an address', { event, account_id: 'ada@example.com' }],
  ['an address', { error: 'MessageRejected', message: 'Not verified: ada@example.com' }],
  ['a password', { event, reason: 'hunter2' }],
  ['a password', { error: 'Error', message: 'correct horse is no hash' }],
  ['a name', { event, account_id, name: 'Ada' }],
  ['an access token', { error: 'Error', message: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIx.c2ln' }],
  ['a one-time token', { event, account_id: 'dGhpcyBpcyBhIHRva2VuIG9mIDMyIHJhbmRvbSBieXQ' }],
  ['a hash of a token', { error: 'Error', message: 'no item', cause: { error: 'Error', message: `of ${hash}` } }],
  ['a hash of a password', { error: 'Error', message: '$2b$10$N9qo8uLOickgx2ZMRZoMye' }],
  ['a reason of another event', { event: 'registered', reason: 'credentials' }],
  ['a text for a time', { event: 'slow', milliseconds: 1100, KMS: 'hunter2' }],
  ['a member that is no time', { event: 'slow', milliseconds: 1100, account_id }],
  ['an event that does not exist', { event: 'looked-at' }],
])('%s is found in %j', (_, entry) => {
  expect(leaksOf(entry as AuthEvent<string>)).not.toEqual([])
})
