import type { Account, Accounts } from '../../../shared/accounts/account.ts'
import type { Session } from '../../../shared/accounts/sessions/session.ts'
import type { OneTimeToken } from '../../../shared/accounts/tokens/one-time-token.ts'
import { type AccountItem, toAccount } from '../../../shared/store/account-item.ts'
import { toSessionItem } from '../../../shared/store/session-item.ts'

/** Every kind of call of the store of accounts, each with what lies in the table before it. */

/** An operation of a store: its name says what is particular about it. */
export interface Operation<Store> {
  name: string
  /** The items before it. */
  before: readonly object[]
  run(store: Store): Promise<unknown>
}

export const now = new Date('2026-03-01T12:00:00.000Z')
const minutes = (count: number): Date => new Date(now.getTime() + count * 60_000)
const at = (time: Date): string => time.toISOString()

/** Verified, without links. */
const ada: AccountItem = {
  email: 'ada@example.com',
  id: 'ada',
  name: 'Ada',
  password_hash: 'old hash',
  is_admin: false,
  is_verified: true,
  token_version: 3,
  created_at: at(minutes(-900)),
  updated_at: at(minutes(-800)),
}
/** With a link that verifies. */
const bob: AccountItem = {
  ...ada,
  email: 'bob@example.com',
  id: 'bob',
  is_verified: false,
  email_verification_token: 'verification hash',
  email_verification_expires: at(minutes(10)),
  email_verification_requested_at: at(minutes(-10)),
}
/** With a link that resets. */
const eve: AccountItem = {
  ...ada,
  email: 'eve@example.com',
  id: 'eve',
  password_reset_token: 'reset hash',
  password_reset_expires: at(minutes(10)),
  password_reset_requested_at: at(minutes(-10)),
}
const everybody = [ada, bob, eve]

const session = (id: string, changed: Partial<Session> = {}): Session => ({
  id,
  secretHash: 'secret hash',
  salt: 'salt',
  current: 2,
  parent: 1,
  rotatedAt: minutes(-5),
  createdAt: minutes(-10),
  authTime: minutes(-10),
  amr: ['pwd'],
  version: 3,
  label: null,
  ...changed,
})
/** Somebody with sessions of some ids. */
const holding = (...ids: string[]): AccountItem => ({
  ...ada,
  sessions: Object.fromEntries(ids.map(id => [id, toSessionItem(session(id))])),
})
const ten = Array.from({ length: 10 }, (_, i) => `session ${i}`)
const phone = session('phone', { current: 1, parent: 0, label: 'Phone' })
const tablet = session('tablet')
/** A refresh of the session, and its end. */
const rotation = { before: tablet, after: { ...tablet, current: 3, parent: 2, rotatedAt: now } }
const ending = { before: tablet, after: null }
/** What goes on after a change of the password. */
const kept = { before: tablet, after: { ...tablet, secretHash: 'new secret hash', salt: 'new salt', version: 4 } }

const account = (item: AccountItem, changed: Partial<Account> = {}): Account => ({ ...toAccount(item), ...changed })
const token = (hash: string, requestedAt = now): OneTimeToken => ({ hash, requestedAt, expiresAt: minutes(60) })
const clients = [{ hash: 'remote', at: minutes(-1) }]
const change = { passwordHash: 'new hash', mark: 'mark', clients }
const newcomer = {
  ...account(ada),
  email: 'new@example.com',
  id: 'new',
  createdAt: now,
  verification: token('a hash'),
}

type Table = Record<
  keyof Accounts,
  Record<string, [before: readonly object[], run: (store: Accounts) => Promise<unknown>]>
>

const table: Table = {
  find: {
    'an account': [everybody, s => s.find(ada.email)],
    'an account with a link': [everybody, s => s.find(bob.email)],
    'an address without an account': [everybody, s => s.find('nobody@example.com')],
    'an account with sessions': [[holding('tablet', 'phone')], s => s.find(ada.email)],
    'in an empty table': [[], s => s.find(ada.email)],
    'an empty address': [everybody, s => s.find('')],
  },
  findByToken: {
    'who holds a verification token': [everybody, s => s.findByToken('verification', 'verification hash')],
    'who holds a reset token': [everybody, s => s.findByToken('reset', 'reset hash')],
    'a token that nobody holds': [everybody, s => s.findByToken('reset', 'no hash')],
    'a token of the other kind': [everybody, s => s.findByToken('reset', 'verification hash')],
    'an empty token': [everybody, s => s.findByToken('reset', '')],
  },
  insert: {
    'an account': [[], s => s.insert(newcomer)],
    'an account without a name': [[], s => s.insert({ ...newcomer, name: null })],
    'an account with an empty name': [[], s => s.insert({ ...newcomer, name: '' })],
    'an address that is taken': [everybody, s => s.insert({ ...newcomer, email: ada.email })],
    'an account that is there already': [everybody, s => s.insert({ ...newcomer, email: ada.email, id: ada.id })],
    'an empty hash of a link': [[], s => s.insert({ ...newcomer, verification: token('') })],
  },
  verify: {
    'an account': [everybody, s => s.verify(account(ada), now)],
    'an account with a link': [everybody, s => s.verify(account(bob), now)],
    'an account of an older version': [everybody, s => s.verify(account(ada, { tokenVersion: 2 }), now)],
    'an account that is gone': [[], s => s.verify(account(ada), now)],
  },
  rename: {
    'an account': [everybody, s => s.rename(account(ada), 'Countess', now)],
    'to no letters at all': [everybody, s => s.rename(account(ada), '', now)],
    'an account of an older version': [everybody, s => s.rename(account(ada, { tokenVersion: 2 }), 'Countess', now)],
    'an account that is gone': [[], s => s.rename(account(ada), 'Countess', now)],
    'an account whose address another has now': [
      everybody,
      s => s.rename(account(ada, { id: 'old' }), 'Countess', now),
    ],
  },
  replaceHash: {
    'of an account': [everybody, s => s.replaceHash(account(ada), 'new hash', now)],
    'that is another meanwhile': [everybody, s => s.replaceHash(account(ada, { passwordHash: 'x' }), 'new hash', now)],
    'of an account that is gone': [[], s => s.replaceHash(account(ada), 'new hash', now)],
  },
  storeToken: {
    'a first verification token': [
      [{ ...ada, is_verified: false }],
      s => s.storeToken('verification', account(ada), token('a hash'), now),
    ],
    'a newer verification token': [everybody, s => s.storeToken('verification', account(bob), token('a hash'), now)],
    'an older verification token': [
      everybody,
      s => s.storeToken('verification', account(bob), token('a hash', minutes(-11)), now),
    ],
    'one of the same moment': [
      everybody,
      s => s.storeToken('verification', account(bob), token('a hash', minutes(-10)), now),
    ],
    'the very token that is there': [
      everybody,
      s => s.storeToken('verification', account(bob), token('verification hash', minutes(-10)), now),
    ],
    'a verification token of a verified account': [
      everybody,
      s => s.storeToken('verification', account(ada), token('a hash'), now),
    ],
    'a reset token that is there already, dated earlier': [
      everybody,
      s => s.storeToken('reset', account(eve), token('reset hash', minutes(-11)), now),
    ],
    'a first reset token': [everybody, s => s.storeToken('reset', account(ada), token('a hash'), now)],
    'a newer reset token': [everybody, s => s.storeToken('reset', account(eve), token('a hash'), now)],
    'an older reset token': [everybody, s => s.storeToken('reset', account(eve), token('a hash', minutes(-11)), now)],
    'of an account that is gone': [[], s => s.storeToken('reset', account(ada), token('a hash'), now)],
    'an empty hash': [everybody, s => s.storeToken('reset', account(ada), token(''), now)],
  },
  spendVerificationToken: {
    'in its time': [everybody, s => s.spendVerificationToken(account(bob), 'verification hash', 'mark', now)],
    'in its last millisecond': [
      everybody,
      s => s.spendVerificationToken(account(bob), 'verification hash', 'mark', new Date(minutes(10).getTime() - 1)),
    ],
    'when it has expired': [
      everybody,
      s => s.spendVerificationToken(account(bob), 'verification hash', 'mark', minutes(10)),
    ],
    'that is another': [everybody, s => s.spendVerificationToken(account(bob), 'no hash', 'mark', now)],
    'of an account without one': [everybody, s => s.spendVerificationToken(account(ada), 'no hash', 'mark', now)],
    'once more by the same write': [
      [{ ...ada, email_verified_by: 'mark' }],
      s => s.spendVerificationToken(account(ada), 'verification hash', 'mark', now),
    ],
    'that another write has spent': [
      [{ ...ada, email_verified_by: 'another' }],
      s => s.spendVerificationToken(account(ada), 'verification hash', 'mark', now),
    ],
    'of an account that is gone': [[], s => s.spendVerificationToken(account(bob), 'verification hash', 'mark', now)],
  },
  spendResetToken: {
    'in its time': [everybody, s => s.spendResetToken(account(eve), 'reset hash', change, now)],
    'and remember nobody': [
      everybody,
      s => s.spendResetToken(account(eve), 'reset hash', { ...change, clients: [] }, now),
    ],
    'when it has expired': [everybody, s => s.spendResetToken(account(eve), 'reset hash', change, minutes(10))],
    'that is another': [everybody, s => s.spendResetToken(account(eve), 'no hash', change, now)],
    'once more by the same write': [
      [{ ...ada, password_changed_by: 'mark' }],
      s => s.spendResetToken(account(ada), 'reset hash', change, now),
    ],
    'of an account that is gone': [[], s => s.spendResetToken(account(eve), 'reset hash', change, now)],
  },
  changePassword: {
    'of an account': [everybody, s => s.changePassword(account(ada), change, now)],
    'of an account with a link that resets': [everybody, s => s.changePassword(account(eve), change, now)],
    'of an account with a link that is dated ahead': [
      [{ ...eve, password_reset_requested_at: at(minutes(1)) }],
      s => s.changePassword(account({ ...eve, password_reset_requested_at: at(minutes(1)) }), change, now),
    ],
    'of an account with a link that was stored meanwhile and is dated ahead': [
      [{ ...eve, password_reset_requested_at: at(minutes(1)) }],
      s => s.changePassword(account(eve), change, now),
    ],
    'of an older version': [everybody, s => s.changePassword(account(ada, { tokenVersion: 2 }), change, now)],
    'once more by the same write': [
      [{ ...ada, token_version: 4, password_changed_by: 'mark' }],
      s => s.changePassword(account(ada), change, now),
    ],
    'of an account that is gone': [[], s => s.changePassword(account(ada), change, now)],
    'and end all sessions but one': [
      [holding('phone', 'tablet')],
      s => s.changePassword(account(holding('phone', 'tablet')), change, now, kept),
    ],
    'by a session that was refreshed meanwhile': [
      [holding('tablet')],
      s => s.changePassword(account(holding('tablet')), change, now, { ...kept, before: { ...tablet, current: 1 } }),
    ],
    'by a session that has ended': [
      [holding('phone')],
      s => s.changePassword(account(holding('tablet')), change, now, kept),
    ],
  },
  logOutEverywhere: {
    'an account': [everybody, s => s.logOutEverywhere(account(ada), change, now)],
    'an account with a link that resets': [everybody, s => s.logOutEverywhere(account(eve), change, now)],
    'an account of an older version': [
      everybody,
      s => s.logOutEverywhere(account(ada, { tokenVersion: 2 }), change, now),
    ],
    'once more by the same write': [
      [{ ...ada, token_version: 4, logged_out_by: 'mark' }],
      s => s.logOutEverywhere(account(ada), change, now),
    ],
  },
  rememberClients: {
    'of an account': [everybody, s => s.rememberClients(account(ada), clients, now)],
    none: [everybody, s => s.rememberClients(account(ada), [], now)],
    'of an older version': [everybody, s => s.rememberClients(account(ada, { tokenVersion: 2 }), clients, now)],
    'of an account that is gone': [[], s => s.rememberClients(account(ada), clients, now)],
  },
  addSession: {
    'the first': [everybody, s => s.addSession(account(ada), phone, [], now)],
    'where one was before': [[holding()], s => s.addSession(account(holding()), phone, [], now)],
    'the first, beside another first': [[holding('tablet')], s => s.addSession(account(ada), phone, [], now)],
    'one more': [[holding('tablet')], s => s.addSession(account(holding('tablet')), phone, [], now)],
    'in place of one that has ended': [
      [holding('tablet', 'old')],
      s => s.addSession(account(holding('tablet', 'old')), phone, ['old'], now),
    ],
    'in place of one that is gone': [
      [holding('tablet')],
      s => s.addSession(account(holding('tablet', 'old')), phone, ['old'], now),
    ],
    'the eleventh': [[holding(...ten)], s => s.addSession(account(holding(...ten)), phone, [], now)],
    'the eleventh, in place of another': [
      [holding(...ten)],
      s => s.addSession(account(holding(...ten)), phone, ['session 0'], now),
    ],
    'the eleventh, in place of one that is gone': [
      [holding(...ten)],
      s => s.addSession(account(holding(...ten)), phone, ['gone'], now),
    ],
    'to an account of an older version': [
      [holding('tablet')],
      s => s.addSession(account(holding('tablet'), { tokenVersion: 2 }), phone, [], now),
    ],
    'the first, to an account of an older version': [
      everybody,
      s => s.addSession(account(ada, { tokenVersion: 2 }), phone, [], now),
    ],
    'to an account that is gone': [[], s => s.addSession(account(ada), phone, [], now)],
  },
  changeSession: {
    'as a refresh does': [
      [holding('tablet', 'old')],
      s => s.changeSession(account(holding('tablet')), rotation, ['old'], null),
    ],
    'of an older secret': [
      [holding('tablet')],
      s =>
        s.changeSession(
          account(holding('tablet')),
          { ...rotation, before: { ...tablet, secretHash: 'other' } },
          [],
          null,
        ),
    ],
    'that was refreshed meanwhile': [
      [holding('tablet')],
      s => s.changeSession(account(holding('tablet')), { ...rotation, before: { ...tablet, current: 1 } }, [], null),
    ],
    'that has ended': [[holding('phone')], s => s.changeSession(account(holding('tablet')), rotation, [], null)],
    'of an account without any': [everybody, s => s.changeSession(account(ada), rotation, [], null)],
    'to end it': [
      [holding('tablet', 'phone', 'old')],
      s => s.changeSession(account(holding('tablet')), ending, ['old'], now),
    ],
    'to end the last': [[holding('tablet')], s => s.changeSession(account(holding('tablet')), ending, [], now)],
    'to end one that has ended': [[holding()], s => s.changeSession(account(holding('tablet')), ending, [], now)],
    'of an account of an older version': [
      [holding('tablet')],
      s => s.changeSession(account(holding('tablet'), { tokenVersion: 2 }), rotation, [], null),
    ],
    'of an account that is gone': [[], s => s.changeSession(account(holding('tablet')), rotation, [], null)],
  },
  delete: {
    'an account': [everybody, s => s.delete(account(ada))],
    'an account of an older version': [everybody, s => s.delete(account(ada, { tokenVersion: 2 }))],
    'an account whose address another has now': [everybody, s => s.delete(account(ada, { id: 'old' }))],
    'an account that is gone': [[], s => s.delete(account(ada))],
  },
}

/** A table of operations as one list. */
export const listed = <Store>(
  operations: Record<string, Record<string, [before: readonly object[], run: (store: Store) => Promise<unknown>]>>,
): Operation<Store>[] =>
  Object.entries(operations).flatMap(([method, cases]) =>
    Object.entries(cases).map(([which, [before, run]]) => ({ name: `${method}: ${which}`, before, run })),
  )

export const accountOperations = listed(table)
