import type { Account } from '../../../accounts/account/account.ts'
import { type AccountItem, toAccount } from '../../../accounts/account/attributes.ts'
import type { Writes } from '../../../accounts/account/writes.ts'
import type { Change } from '../../../accounts/change/change.ts'
import { wrongCodesInARow } from '../../../accounts/factor/factor.ts'
import { type Identity, identityKey, toIdentityItems } from '../../../accounts/identity/identity.ts'
import { maxPasskeys, type Passkey, toPasskeyItems } from '../../../accounts/passkey/passkey.ts'
import { maxSessions } from '../../../accounts/session/room.ts'
import type { Session } from '../../../accounts/session/session.ts'
import { toSessionItem } from '../../../accounts/session/session.ts'
import type { OneTimeToken } from '../../../accounts/token/token.ts'
import { accountKinds } from '../../../shared/base/families.ts'
import { pseudonym } from '../../../shared/base/limits/counters.ts'
import { openable } from '../../support/service/openable.ts'

/** Every kind of call of the store of accounts, each with the items before it. */

/** An operation of a store, named by its peculiarity. */
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
const ada = {
  email: 'ada@example.com',
  id: 'ada',
  name: 'Ada',
  password_hash: 'old hash',
  is_admin: false,
  is_verified: true,
  token_version: 3,
  created_at: at(minutes(-900)),
  updated_at: at(minutes(-800)),
  ...{ sessions: {}, passkeys: {}, identities: {}, changes: {} },
} satisfies AccountItem as AccountItem
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
/** Invited, with a link. */
const invited: AccountItem = { ...eve, is_verified: false, invited_until: at(minutes(10)) }

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
  application: null,
  scope: null,
  isBrowser: false,
  through: null,
  isTab: false,
  ...changed,
})
const sessionsOf = (...ids: string[]) => ({
  sessions: Object.fromEntries(ids.map(id => [id, toSessionItem(session(id))])),
})
/** An account with these sessions. */
const holding = (...ids: string[]): AccountItem => ({ ...ada, ...sessionsOf(...ids) })
const most = Array.from({ length: maxSessions }, (_, i) => `session ${i}`)
const phone = session('phone', { current: 1, parent: 0, label: 'Phone' })
const tablet = session('tablet')
const ofShop = session('shop', { application: 'shop', scope: ['openid', 'offline_access'] })
const ofBrowser = session('browser', { isBrowser: true })
const throughBrowser = { ...ofShop, through: ofBrowser.id }
/** A refresh of the session, and its end. */
const rotation = { before: tablet, after: { ...tablet, current: 3, parent: 2, rotatedAt: now } }
const ending = { before: tablet, after: null }
const endingAll = { ...ending, needsAllAsRead: true }
/** The session that stays after a change of the password. */
const kept = { before: tablet, after: { ...tablet, secretHash: 'new secret hash', salt: 'new salt', version: 4 } }

const account = (item: AccountItem, changed: Partial<Account> = {}): Account => ({ ...toAccount(item), ...changed })
const token = (hash: string, requestedAt = now): OneTimeToken => ({ hash, requestedAt, expiresAt: minutes(60) })
const clients = [{ hash: 'remote', at: minutes(-1) }]
const change = { passwordHash: 'new hash', mark: 'mark', clients }
const acceptance = { ...change, name: null }
const newcomer = {
  ...account(ada),
  email: openable('new@example.com'),
  id: 'new',
  createdAt: now,
  verification: token('a hash'),
}

/** A secret as the key has encrypted it. */
const bytes = (first: number): Uint8Array => Uint8Array.from([first, 2, 3])
const factor = { secret: bytes(1), lastStep: 7, recoveryCodes: ['one', 'two', 'three'] }
const waiting = { secret: bytes(1), expiresAt: minutes(15), byPasskey: false }
const pendingItem = { totp_pending_secret: bytes(1), totp_pending_expires: at(minutes(15)) }
const setUp: AccountItem = { ...ada, ...pendingItem }
const protectedAda: AccountItem = {
  ...ada,
  totp_secret: bytes(1),
  totp_last_step: 7,
  recovery_codes: new Set(factor.recoveryCodes),
}
const fullOfWrongCodes: AccountItem = {
  ...protectedAda,
  wrong_codes: new Set(Array.from({ length: wrongCodesInARow }, (_, i) => `wrong ${i}`)),
}

/** A counting passkey with an id. */
const passkey = (id: string, changed: Partial<Passkey> = {}): Passkey => ({
  id,
  publicKey: bytes(7),
  transports: ['internal'],
  signCount: 5,
  backupEligible: false,
  backedUp: false,
  label: 'Phone',
  createdAt: minutes(-20),
  lastUsedAt: null,
  ...changed,
})
const handle = { passkey_handle: 'handle', passkey_rp_id: 'example.com' }
const withHandle: AccountItem = { ...ada, ...handle }
const passkeysOf = (...ids: string[]) => ({ ...handle, passkeys: toPasskeyItems(ids.map(id => passkey(id))) })
/** An account with these passkeys. */
const keyed = (...ids: string[]): AccountItem => ({ ...ada, ...passkeysOf(...ids) })
const tenKeys = Array.from({ length: maxPasskeys }, (_, i) => `key ${i}`)
const use = { signCount: 6, backedUp: false, isCounted: true, lastUsedAt: new Date('2026-03-01') }

/** An identity of a subject at a provider. */
const identity = (subject: string): Identity => {
  const issuer = 'https://provider.example'
  return {
    key: identityKey(issuer, subject),
    issuer,
    subject,
    email: `${subject}@example.org`,
    connectedAt: minutes(-20),
  }
}
const identitiesOf = (...subjects: string[]) => ({ identities: toIdentityItems(subjects.map(identity)) })
/** An account with these identities. */
const identified = (...subjects: string[]): AccountItem => ({ ...ada, ...identitiesOf(...subjects) })
const { verification: _, ...identifiedNewcomer } = newcomer

/** A change that is made now, of which Ada's mailbox is told. */
const made = (changed: Partial<Change> = {}): Change => ({
  ...{ hash: 'notice', kind: 'provider', email: ada.email, at: now, hasLink: true, language: null },
  ...changed,
})
const changeItem = { kind: 'factor', email: ada.email, at: at(now), link: true } as const
/** Changes of before, each a minute after the other, of which a mailbox was told. */
const changedBefore = (kinds: readonly Change['kind'][], email = ada.email, from = minutes(-30)) => {
  const times = kinds.map((_, i) => at(new Date(from.getTime() + i * 60_000)))
  const items = kinds.map(
    (kind, i) => [`${kind} ${i}`, { kind, email, at: times[i] ?? '', link: true as const }] as const,
  )
  return { changes: Object.fromEntries(items), changes_at: times.at(-1) ?? '' }
}
const connection = { identity: identity('one'), read: null, change: made() }
/** The same over an entry that counts as none. */
const takeover = { ...connection, read: 'gone' }

/** The entry of an address. */
const addressEntry = ({ email, id }: Pick<AccountItem, 'email' | 'id'>) => ({
  key: `${accountKinds.Addresses}${email}`,
  id,
})
/** The entry of an identity. */
const entry = (subject: string, { id }: Pick<AccountItem, 'id'> = ada) => ({
  key: `${accountKinds.Identities}${identity(subject).key}`,
  id,
})
/** An account without what leads to it. */
const alone = (item: AccountItem) => ({ key: `${accountKinds.Accounts}${item.id}`, ...item })
/** An item as it is, or an account with the entries that lead to it. */
const stored = (item: object): object[] => {
  if ('key' in item) return [item]
  const { id, email, identities } = item as AccountItem
  const entries = Object.keys(identities).map(key => ({ key: `${accountKinds.Identities}${key}`, id }))
  return [alone(item as AccountItem), addressEntry({ email, id }), ...entries]
}

/** Ada's account at the new address that her link proves. */
const elsewhere = 'lovelace@example.com'
const pending = {
  email_verification_token: 'verification hash',
  email_verification_expires: at(minutes(10)),
  email_verification_requested_at: at(minutes(-10)),
  email_verification_to: elsewhere,
}
const leaving: AccountItem = { ...ada, ...pending }
const move = {
  to: openable(elsewhere),
  hash: 'verification hash',
  clients,
  change: made({ kind: 'email' }),
}
/** The mark that a move left at an address. */
const leftMark = (email: string, movedAt: Date) => ({
  key: `deleted-address#${pseudonym(email)}`,
  moved_at: at(movedAt),
  expires: 1,
})

/** Ada's account at another address, whose former mailbox can undo that. */
const moved: AccountItem = { ...ada, email: elsewhere, ...changedBefore(['email']) }
const takeback = {
  email: elsewhere,
  reset: token('a hash'),
  change: made({ hash: 'undone', kind: 'undone', hasLink: false }),
  entry: null,
  yielding: null,
}
/** The undoing of the first change of an account. */
const undoing = (item: AccountItem) => {
  const [undone = made()] = account(item).changes
  return { ...takeback, email: undone.email, undone, keepsFactor: false, passkeys: [], language: null }
}
/** With a link that resets, and undo links at two mailboxes. */
const withLinks: AccountItem = {
  ...eve,
  changes: {
    ...changedBefore(['email'], 'former@example.com').changes,
    ...changedBefore(['passkey', 'provider'], eve.email).changes,
  },
  changes_at: at(minutes(-29)),
}
/** Ada's account where it was, with a link that undoes a passkey. */
const inPlace: AccountItem = { ...ada, ...changedBefore(['passkey', 'provider']) }
const thiefs = {
  ...sessionsOf('tablet'),
  ...passkeysOf('one'),
  totp_secret: bytes(1),
  totp_last_step: 7,
  recovery_codes: new Set(['one']),
  remembered_remotes: [],
  ...pending,
}
/** Somebody at the address to which that comes back. */
const stranger: AccountItem = { ...ada, id: 'stranger', is_verified: false }
const yielding = (reason: 'invited' | 'provider' | 'unverified', changed: Partial<AccountItem> = {}) => {
  const item = { ...stranger, ...changed }
  return { item, over: { entry: item.id, yielding: { account: account(item), reason } } }
}
const unverified = yielding('unverified')
const invitee = yielding('invited', { password_hash: '*', invited_until: at(minutes(10)) })
const opened = yielding('provider', { password_hash: '*', is_verified: true, ...identitiesOf('stranger') })

/** Each write of each noun. */
type Name = { [M in keyof Writes]: `${M}.${keyof Writes[M] & string}` }[keyof Writes]

type Table = Record<Name, Record<string, [before: readonly object[], run: (store: Writes) => Promise<unknown>]>>

const table: Table = {
  'accounts.find': {
    'an account': [everybody, s => s.accounts.find('ada')],
    'an id of no account': [everybody, s => s.accounts.find('nobody')],
  },
  'accounts.findByEmail': {
    'an account': [everybody, s => s.accounts.findByEmail(ada.email)],
    'an address without an account': [everybody, s => s.accounts.findByEmail('nobody@example.com')],
    'an address whose account has another by now': [
      [alone(moved), addressEntry(ada)],
      s => s.accounts.findByEmail(ada.email),
    ],
  },
  'accounts.findIdAt': {
    'an address': [everybody, s => s.accounts.findIdAt(ada.email)],
    'an address without an account': [everybody, s => s.accounts.findIdAt('nobody@example.com')],
  },
  'tokens.findHolder': {
    'who holds a verification token': [everybody, s => s.tokens.findHolder('verification', 'verification hash')],
    'who holds a reset token': [everybody, s => s.tokens.findHolder('reset', 'reset hash')],
    'a token that nobody holds': [everybody, s => s.tokens.findHolder('reset', 'no hash')],
  },
  'accounts.open': {
    'an account': [[], s => s.accounts.open(newcomer)],
    'an address that is taken': [everybody, s => s.accounts.open({ ...newcomer, email: openable(ada.email) })],
    'an id that is taken': [everybody, s => s.accounts.open({ ...newcomer, id: ada.id })],
    'an empty hash of a link': [[], s => s.accounts.open({ ...newcomer, verification: token('') })],
  },
  'addresses.verify': {
    'an account with a link': [everybody, s => s.addresses.verify(account(bob), now)],
    'an account of an older version': [everybody, s => s.addresses.verify(account(ada, { tokenVersion: 2 }), now)],
  },
  'accounts.changeProfile': {
    'an account': [everybody, s => s.accounts.changeProfile(account(ada), { name: 'Countess' }, now)],
    'its language': [everybody, s => s.accounts.changeProfile(account(ada), { language: 'de' }, now)],
    'both, with the language that notices go on using': [
      everybody,
      s =>
        s.accounts.changeProfile(
          account(ada),
          { name: 'Countess', language: 'de', noticesIn: { language: 'en', until: minutes(10) } },
          now,
        ),
    ],
    'its language, of an older version': [
      everybody,
      s => s.accounts.changeProfile(account(ada, { tokenVersion: 2 }), { language: 'de' }, now),
    ],
    'an account of an older version': [
      everybody,
      s => s.accounts.changeProfile(account(ada, { tokenVersion: 2 }), { name: 'Countess' }, now),
    ],
  },
  'passwords.replaceHash': {
    'of an account': [everybody, s => s.passwords.replaceHash(account(ada), 'new hash', now)],
    'that is another meanwhile': [
      everybody,
      s => s.passwords.replaceHash(account(ada, { passwordHash: 'x' }), 'new hash', now),
    ],
  },
  'tokens.store': {
    'a first verification token': [
      [{ ...ada, is_verified: false }],
      s => s.tokens.store('verification', account(ada), token('a hash'), now),
    ],
    'a newer verification token': [everybody, s => s.tokens.store('verification', account(bob), token('a hash'), now)],
    'an older verification token': [
      everybody,
      s => s.tokens.store('verification', account(bob), token('a hash', minutes(-11)), now),
    ],
    'one of the same moment': [
      everybody,
      s => s.tokens.store('verification', account(bob), token('a hash', minutes(-10)), now),
    ],
    'a verification token of a verified account': [
      everybody,
      s => s.tokens.store('verification', account(ada), token('a hash'), now),
    ],
    'a reset token that is there already, dated earlier': [
      everybody,
      s => s.tokens.store('reset', account(eve), token('reset hash', minutes(-11)), now),
    ],
    'an older reset token': [everybody, s => s.tokens.store('reset', account(eve), token('a hash', minutes(-11)), now)],
    'of an account that has another address by now': [
      [moved],
      s => s.tokens.store('reset', account(ada), token('a hash'), now),
    ],
    'to a new address': [
      everybody,
      s => s.tokens.store('verification', account(ada), token('a hash'), now, { to: elsewhere }),
    ],
    'a reset token whose mail lists changes': [
      everybody,
      s => s.tokens.store('reset', account(ada), token('a hash'), now, { lists: ['one', 'two'] }),
    ],
    'one after another whose mail listed changes': [
      [{ ...eve, password_reset_lists: new Set(['one']) }],
      s => s.tokens.store('reset', account(eve), token('a hash'), now),
    ],
    'an empty hash': [everybody, s => s.tokens.store('reset', account(ada), token(''), now)],
    'that of an invitation': [[invited], s => s.tokens.store('reset', account(invited), token('a hash'), now)],
    'that of an invitation which was accepted meanwhile': [
      [eve],
      s => s.tokens.store('reset', account(invited), token('a hash'), now),
    ],
    'that of an invitation which has another end meanwhile': [
      [{ ...invited, invited_until: at(minutes(11)) }],
      s => s.tokens.store('reset', account(invited), token('a hash'), now),
    ],
  },
  'addresses.spendToken': {
    'in its time': [everybody, s => s.addresses.spendToken(account(bob), 'verification hash', 'mark', now)],
    'in its last millisecond': [
      everybody,
      s => s.addresses.spendToken(account(bob), 'verification hash', 'mark', new Date(minutes(10).getTime() - 1)),
    ],
    'when it has expired': [
      everybody,
      s => s.addresses.spendToken(account(bob), 'verification hash', 'mark', minutes(10)),
    ],
    'that is another': [everybody, s => s.addresses.spendToken(account(bob), 'no hash', 'mark', now)],
    'once more by the same write': [
      [{ ...ada, email_verified_by: 'mark' }],
      s => s.addresses.spendToken(account(ada), 'verification hash', 'mark', now),
    ],
  },
  'passwords.reset': {
    'after a password that was voided': [
      [{ ...eve, former_password_hash: 'former hash' }],
      s => s.passwords.reset(account(eve), 'reset hash', change, now),
    ],
    'of an account that an operator has moved': [
      [{ ...eve, is_verified: false, reset_verifies: true }],
      s => s.passwords.reset(account(eve, { resetVerifies: true }), 'reset hash', change, now),
    ],
    'when it has expired': [everybody, s => s.passwords.reset(account(eve), 'reset hash', change, minutes(10))],
    'once more by the same write': [
      [{ ...ada, password_changed_by: 'mark' }],
      s => s.passwords.reset(account(ada), 'reset hash', change, now),
    ],
    'and remove passkeys': [
      [{ ...eve, ...passkeysOf('one', 'two') }],
      s => s.passwords.reset(account(eve), 'reset hash', change, now),
    ],
    'and keep passkeys': [
      [{ ...eve, ...passkeysOf('one', 'two') }],
      s => s.passwords.reset(account(eve), 'reset hash', { ...change, keepsPasskeys: true }, now),
    ],
    'that is an invitation’s': [[invited], s => s.passwords.reset(account(eve), 'reset hash', change, now)],
    'and remove identities, with their entries': [
      [{ ...eve, ...identitiesOf('one', 'two') }],
      s => s.passwords.reset(account({ ...eve, ...identitiesOf('one', 'two') }), 'reset hash', change, now),
    ],
    'and remove one that was connected since, whose entry stays and counts as none': [
      [{ ...eve, ...identitiesOf('one') }],
      s => s.passwords.reset(account(eve), 'reset hash', change, now),
    ],
    'and remove none, because they were disconnected since': [
      [eve],
      s => s.passwords.reset(account({ ...eve, ...identitiesOf('one') }), 'reset hash', change, now),
    ],
    'and leave an entry that leads to another': [
      [{ ...eve, ...identitiesOf('one') }, entry('one')],
      s => s.passwords.reset(account({ ...eve, ...identitiesOf('one') }), 'reset hash', change, now),
    ],
    'that is another, of an account with an identity': [
      [{ ...eve, ...identitiesOf('one') }],
      s => s.passwords.reset(account({ ...eve, ...identitiesOf('one') }), 'no hash', change, now),
    ],
    'and keep what its mail listed': [
      [{ ...eve, ...identitiesOf('one') }],
      s =>
        s.passwords.reset(
          account({ ...eve, ...identitiesOf('one') }),
          'reset hash',
          { ...change, keepsPasskeys: true, keepsListed: true },
          now,
        ),
    ],
    'and void undo links, but those of other mailboxes': [
      [withLinks],
      s => s.passwords.reset(account(withLinks), 'reset hash', change, now),
    ],
    'while a change is made': [
      [{ ...withLinks, changes_at: at(minutes(-1)) }],
      s => s.passwords.reset(account(withLinks), 'reset hash', change, now),
    ],
    'while the first change is made': [[withLinks], s => s.passwords.reset(account(eve), 'reset hash', change, now)],
  },
  'passwords.accept': {
    'with another name': [
      [invited],
      s => s.passwords.accept(account(invited), 'reset hash', { ...acceptance, name: 'Countess' }, now),
    ],
    'of an account with a link that verifies': [
      [{ ...bob, ...invited }],
      s => s.passwords.accept(account(invited), 'reset hash', acceptance, now),
    ],
    'when it has expired': [
      [invited],
      s => s.passwords.accept(account(invited), 'reset hash', acceptance, minutes(10)),
    ],
    'that is another': [[invited], s => s.passwords.accept(account(invited), 'no hash', acceptance, now)],
    'that has another end meanwhile': [
      [{ ...invited, invited_until: at(minutes(11)) }],
      s => s.passwords.accept(account(invited), 'reset hash', acceptance, now),
    ],
    'that is a reset’s': [[eve], s => s.passwords.accept(account(invited), 'reset hash', acceptance, now)],
    'once more by the same write': [
      [{ ...ada, email: eve.email, id: eve.id, password_changed_by: 'mark' }],
      s => s.passwords.accept(account(invited), 'reset hash', acceptance, now),
    ],
  },
  'passwords.change': {
    'of an account with a link that resets': [everybody, s => s.passwords.change(account(eve), change, now)],
    'of an account with a link that was stored meanwhile and is dated ahead': [
      [{ ...eve, password_reset_requested_at: at(minutes(1)) }],
      s => s.passwords.change(account(eve), change, now),
    ],
    'once more by the same write': [
      [{ ...ada, token_version: 4, password_changed_by: 'mark' }],
      s => s.passwords.change(account(ada), change, now),
    ],
    'and end all sessions but one': [
      [holding('phone', 'tablet')],
      s => s.passwords.change(account(holding('phone', 'tablet')), change, now, kept),
    ],
    'by a session that was refreshed meanwhile': [
      [holding('tablet')],
      s => s.passwords.change(account(holding('tablet')), change, now, { ...kept, before: { ...tablet, current: 1 } }),
    ],
    'by a session that has ended': [
      [holding('phone')],
      s => s.passwords.change(account(holding('tablet')), change, now, kept),
    ],
  },
  'sessions.endAll': {
    'an account': [everybody, s => s.sessions.endAll(account(ada), change, now)],
    'an account of an older version': [
      everybody,
      s => s.sessions.endAll(account(ada, { tokenVersion: 2 }), change, now),
    ],
    'once more by the same write': [
      [{ ...ada, token_version: 4, logged_out_by: 'mark' }],
      s => s.sessions.endAll(account(ada), change, now),
    ],
  },
  'sessions.remember': {
    'of an account': [everybody, s => s.sessions.remember(account(ada), clients, now)],
    'of an older version': [everybody, s => s.sessions.remember(account(ada, { tokenVersion: 2 }), clients, now)],
  },
  'sessions.add': {
    'the first': [everybody, s => s.sessions.add(account(ada), phone, [], now)],
    'in place of one that has ended': [
      [holding('tablet', 'old')],
      s => s.sessions.add(account(holding('tablet', 'old')), phone, ['old'], now),
    ],
    'in place of one that is gone': [
      [holding('tablet')],
      s => s.sessions.add(account(holding('tablet', 'old')), phone, ['old'], now),
    ],
    'one too many': [[holding(...most)], s => s.sessions.add(account(holding(...most)), phone, [], now)],
    'one too many, in place of one that is gone': [
      [holding(...most)],
      s => s.sessions.add(account(holding(...most)), phone, ['gone'], now),
    ],
    'to an account of an older version': [
      [holding('tablet')],
      s => s.sessions.add(account(holding('tablet'), { tokenVersion: 2 }), phone, [], now),
    ],
    'of an application, the first': [everybody, s => s.sessions.add(account(ada), ofShop, [], now)],
    'of an application, while another was added': [
      [holding('tablet', 'phone')],
      s => s.sessions.add(account(holding('tablet')), ofShop, [], now),
    ],
    'of an application, in place of others': [
      [holding(...most)],
      s => s.sessions.add(account(holding(...most)), ofShop, ['session 0', 'session 1'], now),
    ],
    'of a browser, in place of one that is gone': [
      [holding('tablet', 'phone')],
      s => s.sessions.add(account(holding('tablet', 'old')), ofBrowser, ['old'], now),
    ],
    'that came through a browser’s': [
      [holding('tablet', 'browser')],
      s => s.sessions.add(account(holding('tablet', 'browser')), throughBrowser, [], now),
    ],
    'that came through a browser’s, in place of that': [
      [holding('tablet', 'browser')],
      s => s.sessions.add(account(holding('tablet', 'browser')), throughBrowser, ['browser'], now),
    ],
    'that came through a browser’s, in whose place another is': [
      [holding('tablet', 'phone')],
      s => s.sessions.add(account(holding('tablet', 'browser')), throughBrowser, [], now),
    ],
    'that came through a browser’s, where none is left': [
      [holding()],
      s => s.sessions.add(account(holding()), throughBrowser, [], now),
    ],
  },
  'sessions.change': {
    'as a refresh does': [
      [holding('tablet', 'old')],
      s => s.sessions.change(account(holding('tablet')), rotation, ['old'], null),
    ],
    'of an older secret': [
      [holding('tablet')],
      s =>
        s.sessions.change(
          account(holding('tablet')),
          { ...rotation, before: { ...tablet, secretHash: 'other' } },
          [],
          null,
        ),
    ],
    'that was refreshed meanwhile': [
      [holding('tablet')],
      s => s.sessions.change(account(holding('tablet')), { ...rotation, before: { ...tablet, current: 1 } }, [], null),
    ],
    'to end it': [
      [holding('tablet', 'phone', 'old')],
      s => s.sessions.change(account(holding('tablet')), ending, ['old'], now),
    ],
    'to end the last': [[holding('tablet')], s => s.sessions.change(account(holding('tablet')), ending, [], now)],
    'to end one that has ended': [[holding()], s => s.sessions.change(account(holding('tablet')), ending, [], now)],
    'to end it, while all are as read': [
      [holding('tablet', 'phone', 'old')],
      s => s.sessions.change(account(holding('tablet', 'phone', 'old')), endingAll, ['old'], now),
    ],
    'to end it, while another was added': [
      [holding('tablet', 'phone', 'old')],
      s => s.sessions.change(account(holding('tablet', 'old')), endingAll, ['old'], now),
    ],
    'to end it, while another took the place of one': [
      [holding('tablet', 'phone')],
      s => s.sessions.change(account(holding('tablet', 'old')), endingAll, ['old'], now),
    ],
    'of an account of an older version': [
      [holding('tablet')],
      s => s.sessions.change(account(holding('tablet'), { tokenVersion: 2 }), rotation, [], null),
    ],
  },
  'factors.storePending': {
    'the first': [everybody, s => s.factors.storePending(account(ada), waiting, now)],
    'of an account of an older version': [
      everybody,
      s => s.factors.storePending(account(ada, { tokenVersion: 2 }), waiting, now),
    ],
  },
  'factors.set': {
    'the first': [[setUp], s => s.factors.set(account(setUp), factor, change, made({ kind: 'factor' }), now)],
    'in place of another, keeping a session': [
      [{ ...protectedAda, ...pendingItem, ...sessionsOf('tablet', 'phone'), wrong_codes: new Set(['one']) }],
      s => s.factors.set(account({ ...protectedAda, ...sessionsOf('tablet') }), factor, change, null, now, kept),
    ],
    'that is not the pending one any more': [
      [setUp],
      s => s.factors.set(account(setUp), { ...factor, secret: bytes(9) }, change, null, now),
    ],
    'the first, again, by a repeated write': [
      [{ ...protectedAda, token_version: 4, changes: { notice: changeItem }, changes_at: at(now) }],
      s => s.factors.set(account(setUp), factor, change, made({ kind: 'factor' }), now),
    ],
    'another, again, by a repeated write': [
      [{ ...protectedAda, token_version: 4, factor_changed_by: 'mark' }],
      s => s.factors.set(account(setUp), factor, change, null, now),
    ],
    'beside a change that is dated later': [
      [{ ...setUp, changes_at: at(minutes(1)) }],
      s => s.factors.set(account(setUp), factor, change, made({ kind: 'factor' }), now),
    ],
    'of an account of an older version': [
      [setUp],
      s => s.factors.set(account(setUp, { tokenVersion: 2 }), factor, change, null, now),
    ],
  },
  'factors.remove': {
    'of an account': [[protectedAda], s => s.factors.remove(account(protectedAda), change, now)],
    'with a pending one and wrong codes, keeping a session': [
      [{ ...protectedAda, ...pendingItem, ...sessionsOf('tablet', 'phone'), wrong_codes: new Set(['one']) }],
      s => s.factors.remove(account({ ...protectedAda, ...sessionsOf('tablet') }), change, now, kept),
    ],
    'again, by a repeated write': [
      [{ ...ada, token_version: 4, factor_changed_by: 'mark' }],
      s => s.factors.remove(account(protectedAda), change, now),
    ],
    'of an account of an older version': [
      [protectedAda],
      s => s.factors.remove(account(protectedAda, { tokenVersion: 2 }), change, now),
    ],
  },
  'passkeys.findHolder': {
    'who has it': [[withHandle, bob], s => s.passkeys.findHolder('handle')],
    'that nobody has': [[withHandle, bob], s => s.passkeys.findHolder('another')],
  },
  'passkeys.storeHandle': {
    'the first': [everybody, s => s.passkeys.storeHandle(account(ada), 'handle', 'example.com', now)],
    'beside another request': [[withHandle], s => s.passkeys.storeHandle(account(ada), 'another', 'example.com', now)],
    'of another domain, whose passkeys go': [
      [keyed('one')],
      s => s.passkeys.storeHandle(account(keyed('one')), 'handle', 'example.org', now),
    ],
    'of another domain, once more by the same write': [
      [{ ...keyed('one'), passkey_rp_id: 'example.org' }],
      s => s.passkeys.storeHandle(account(keyed('one')), 'handle', 'example.org', now),
    ],
    'of an account of an older version': [
      everybody,
      s => s.passkeys.storeHandle(account(ada, { tokenVersion: 2 }), 'handle', 'example.com', now),
    ],
  },
  'passkeys.add': {
    'the first': [
      [withHandle],
      s => s.passkeys.add(account(withHandle), passkey('one'), made({ kind: 'passkey' }), now),
    ],
    'one that is there': [
      [keyed('one')],
      s => s.passkeys.add(account(keyed('one')), passkey('one', { label: 'Other' }), made({ kind: 'passkey' }), now),
    ],
    'once more by the same write': [
      [{ ...keyed('one'), changes: { notice: { ...changeItem, kind: 'passkey' } }, changes_at: at(now) }],
      s => s.passkeys.add(account(withHandle), passkey('one'), made({ kind: 'passkey' }), now),
    ],
    'beside a change that is dated later': [
      [{ ...withHandle, changes_at: at(minutes(1)) }],
      s => s.passkeys.add(account(withHandle), passkey('one'), made({ kind: 'passkey' }), now),
    ],
    'with one change that is too old': [
      [{ ...withHandle, ...changedBefore(['email'], ada.email, minutes(-7 * 24 * 60)) }],
      s =>
        s.passkeys.add(
          account({ ...withHandle, ...changedBefore(['email'], ada.email, minutes(-7 * 24 * 60)) }),
          passkey('one'),
          made({ kind: 'passkey' }),
          now,
        ),
    ],
    'whose change gives way': [
      [{ ...withHandle, ...changedBefore(Array(20).fill('provider')) }],
      s =>
        s.passkeys.add(
          account({ ...withHandle, ...changedBefore(Array(20).fill('provider')) }),
          passkey('one'),
          made({ kind: 'passkey' }),
          now,
        ),
    ],
    'the eleventh': [
      [keyed(...tenKeys)],
      s => s.passkeys.add(account(keyed(...tenKeys)), passkey('one'), made({ kind: 'passkey' }), now),
    ],
    'to an account of an older version': [
      [keyed('two')],
      s => s.passkeys.add(account(keyed('two'), { tokenVersion: 2 }), passkey('one'), made({ kind: 'passkey' }), now),
    ],
  },
  'passkeys.rename': {
    'one of some': [[keyed('one', 'two')], s => s.passkeys.rename(account(keyed('one', 'two')), 'one', 'Other', now)],
    'that is gone': [[keyed('two')], s => s.passkeys.rename(account(keyed('one')), 'one', 'Other', now)],
    'of an account of an older version': [
      [keyed('one')],
      s => s.passkeys.rename(account(keyed('one'), { tokenVersion: 2 }), 'one', 'Other', now),
    ],
  },
  'passkeys.remove': {
    'one of some': [[keyed('one', 'two')], s => s.passkeys.remove(account(keyed('one', 'two')), 'one', change, now)],
    'the last, keeping a session': [
      [{ ...keyed('one'), ...sessionsOf('tablet', 'phone') }],
      s => s.passkeys.remove(account({ ...keyed('one'), ...sessionsOf('tablet') }), 'one', change, now, kept),
    ],
    'that is gone': [[keyed('two')], s => s.passkeys.remove(account(keyed('one')), 'one', change, now)],
    'once more by the same write': [
      [{ ...keyed('two'), token_version: 4, passkey_removed_by: 'mark' }],
      s => s.passkeys.remove(account(keyed('one', 'two')), 'one', change, now),
    ],
    'of an account of an older version': [
      [keyed('one')],
      s => s.passkeys.remove(account(keyed('one'), { tokenVersion: 2 }), 'one', change, now),
    ],
  },
  'passkeys.noteUse': {
    'with a higher count': [[keyed('one')], s => s.passkeys.noteUse(account(keyed('one')), 'one', use, 'mark', now)],
    'with a count that was reached': [
      [keyed('one')],
      s => s.passkeys.noteUse(account(keyed('one')), 'one', { ...use, signCount: 5 }, 'mark', now),
    ],
    'where nothing counts': [
      [keyed('one')],
      s => s.passkeys.noteUse(account(keyed('one')), 'one', { ...use, signCount: 0, isCounted: false }, 'mark', now),
    ],
    'once more by the same write': [
      [{ ...withHandle, passkeys: toPasskeyItems([passkey('one', { signCount: 6 })]), passkey_used_by: 'mark' }],
      s => s.passkeys.noteUse(account(keyed('one')), 'one', use, 'mark', now),
    ],
    'of one that is gone': [
      [keyed('two')],
      s => s.passkeys.noteUse(account(keyed('one')), 'one', { ...use, isCounted: false }, 'mark', now),
    ],
    'of an account of an older version': [
      [keyed('one')],
      s => s.passkeys.noteUse(account(keyed('one'), { tokenVersion: 2 }), 'one', use, 'mark', now),
    ],
  },
  'factors.replaceRecoveryCodes': {
    'of a factor': [[protectedAda], s => s.factors.replaceRecoveryCodes(account(protectedAda), ['four', 'five'], now)],
    'of a factor that is gone': [
      [ada],
      s => s.factors.replaceRecoveryCodes(account(protectedAda), ['four', 'five'], now),
    ],
    'of an account of an older version': [
      [protectedAda],
      s => s.factors.replaceRecoveryCodes(account(protectedAda, { tokenVersion: 2 }), ['four'], now),
    ],
  },
  'factors.spendRecoveryCode': {
    'one of some, and with it the wrong codes': [
      [{ ...protectedAda, wrong_codes: new Set(['one', 'two']) }],
      s => s.factors.spendRecoveryCode(account(protectedAda), 'one', 'mark', now),
    ],
    'that was used': [[protectedAda], s => s.factors.spendRecoveryCode(account(protectedAda), 'four', 'mark', now)],
    'again, by a repeated write': [
      [{ ...protectedAda, recovery_code_used_by: 'mark' }],
      s => s.factors.spendRecoveryCode(account(protectedAda), 'four', 'mark', now),
    ],
  },
  'factors.spendCode': {
    'of a newer step, and with it the wrong codes': [
      [{ ...protectedAda, wrong_codes: new Set(['one', 'two']) }],
      s => s.factors.spendCode(account(protectedAda), 8, 'mark', now),
    ],
    'of the last step': [[protectedAda], s => s.factors.spendCode(account(protectedAda), 7, 'mark', now)],
    'again, by a repeated write': [
      [{ ...protectedAda, totp_last_step: 8, totp_used_by: 'mark' }],
      s => s.factors.spendCode(account(protectedAda), 8, 'mark', now),
    ],
    'of an account of an older version': [
      [protectedAda],
      s => s.factors.spendCode(account(protectedAda, { tokenVersion: 2 }), 8, 'mark', now),
    ],
  },
  'factors.addWrongCode': {
    'the first': [[protectedAda], s => s.factors.addWrongCode(account(protectedAda), 'one', now)],
    'one over the limit': [[fullOfWrongCodes], s => s.factors.addWrongCode(account(protectedAda), 'one', now)],
    'one that is there, at the limit': [
      [fullOfWrongCodes],
      s => s.factors.addWrongCode(account(protectedAda), 'wrong 0', now),
    ],
  },
  'factors.returnWrongCode': {
    'one of some': [
      [{ ...protectedAda, wrong_codes: new Set(['one', 'two']) }],
      s => s.factors.returnWrongCode(account(protectedAda), 'one', now),
    ],
    'one that is not there': [[protectedAda], s => s.factors.returnWrongCode(account(protectedAda), 'one', now)],
  },
  'accounts.delete': {
    'an account': [everybody, s => s.accounts.delete(account(ada), now)],
    'an account of an older version': [everybody, s => s.accounts.delete(account(ada, { tokenVersion: 2 }), now)],
    'an account whose address leads to another': [
      [alone(ada), addressEntry({ ...bob, email: ada.email })],
      s => s.accounts.delete(account(ada), now),
    ],
    'an account with identities': [
      [identified('one', 'two'), entry('three', bob)],
      s => s.accounts.delete(account(identified('one', 'two')), now),
    ],
    'an account with an identity that was connected since, whose entry stays and counts as none': [
      [identified('one', 'two')],
      s => s.accounts.delete(account(identified('one')), now),
    ],
    'an account whose identity was disconnected since': [
      [ada],
      s => s.accounts.delete(account(identified('one')), now),
    ],
    'an account whose identity leads to another': [
      [identified('one'), entry('one', bob)],
      s => s.accounts.delete(account(identified('one')), now),
    ],
    'an account with an identity, of an older version': [
      [identified('one')],
      s => s.accounts.delete(account(identified('one'), { tokenVersion: 2 }), now),
    ],
  },
  'addresses.move': {
    'and end sessions and links': [
      [{ ...leaving, ...sessionsOf('tablet'), password_reset_token: 'reset hash', remembered_remotes: [] }],
      s => s.addresses.move(account(leaving), move, now),
    ],
    'to a taken address': [[leaving, { ...bob, email: elsewhere }], s => s.addresses.move(account(leaving), move, now)],
    'by another link': [[leaving], s => s.addresses.move(account(leaving), { ...move, hash: 'no hash' }, now)],
    'when the link has expired': [[leaving], s => s.addresses.move(account(leaving), move, minutes(10))],
    'of an account of an older version': [
      [leaving],
      s => s.addresses.move(account(leaving, { tokenVersion: 2 }), move, now),
    ],
    'beside a change that is dated later': [
      [{ ...leaving, changes_at: at(minutes(1)) }],
      s => s.addresses.move(account(leaving), move, now),
    ],
  },
  'addresses.undo': {
    'of a move': [[moved], s => s.addresses.undo(account(moved), undoing(moved), now)],
    'of a move, with the mark that it left': [
      [moved, leftMark(ada.email, minutes(-30))],
      s => s.addresses.undo(account(moved), undoing(moved), now),
    ],
    'of a move, beside the mark of another': [
      [moved, leftMark(ada.email, minutes(-20))],
      s => s.addresses.undo(account(moved), undoing(moved), now),
    ],
    'once more by the same write': [
      [{ ...inPlace, changes: { undone: { kind: 'undone', email: ada.email, at: at(now) } } }],
      s => s.addresses.undo(account(inPlace), undoing(inPlace), now),
    ],
    'with all that a thief added since': [
      [{ ...inPlace, ...thiefs, token_version: 9 }],
      s => s.addresses.undo(account(inPlace), undoing(inPlace), now),
    ],
    'with identities, and their entries': [
      [{ ...inPlace, ...identitiesOf('one', 'two') }],
      s => {
        const item = { ...inPlace, ...identitiesOf('one', 'two') }
        return s.addresses.undo(account(item), undoing(item), now)
      },
    ],
    'which leaves the second factor': [
      [{ ...inPlace, totp_secret: bytes(1), totp_last_step: 7 }],
      s => s.addresses.undo(account(inPlace), { ...undoing(inPlace), keepsFactor: true }, now),
    ],
    'which leaves some passkeys': [
      [{ ...inPlace, ...passkeysOf('one', 'two') }],
      s =>
        s.addresses.undo(
          account({ ...inPlace, ...passkeysOf('one', 'two') }),
          { ...undoing(inPlace), passkeys: [passkey('one')] },
          now,
        ),
    ],
    'which leaves some passkeys, of an account of an older version': [
      [{ ...inPlace, ...passkeysOf('one', 'two'), token_version: 4 }],
      s =>
        s.addresses.undo(
          account({ ...inPlace, ...passkeysOf('one', 'two') }),
          { ...undoing(inPlace), passkeys: [passkey('one')] },
          now,
        ),
    ],
    'with the language of that time': [
      [{ ...inPlace, language: 'fr', language_before: 'de', language_until: at(minutes(10)) }],
      s => s.addresses.undo(account(inPlace), { ...undoing(inPlace), language: 'de' }, now),
    ],
    'of an account without a password': [
      [{ ...inPlace, password_hash: '*', former_password_hash: 'former hash' }],
      s => s.addresses.undo(account(inPlace, { passwordHash: '*' }), undoing(inPlace), now),
    ],
    'of an account that has no password by now': [
      [{ ...inPlace, password_hash: '*' }],
      s => s.addresses.undo(account(inPlace), undoing(inPlace), now),
    ],
    'of an account that has a password by now': [
      [inPlace],
      s => s.addresses.undo(account(inPlace, { passwordHash: '*' }), undoing(inPlace), now),
    ],
    'whose link is gone': [
      [{ ...inPlace, changes: {} }],
      s => s.addresses.undo(account(inPlace), undoing(inPlace), now),
    ],
    'whose link is void': [
      [{ ...inPlace, changes: { 'passkey 0': { kind: 'passkey', email: ada.email, at: at(minutes(-30)) } } }],
      s => s.addresses.undo(account(inPlace), undoing(inPlace), now),
    ],
    'of an account that has moved on': [
      [{ ...moved, email: 'further@example.com' }],
      s => s.addresses.undo(account(moved), undoing(moved), now),
    ],
    'after a link that was asked for later': [
      [{ ...inPlace, password_reset_requested_at: at(minutes(1)) }],
      s => s.addresses.undo(account(inPlace), undoing(inPlace), now),
    ],
    'to an address that is taken meanwhile': [
      [moved, stranger],
      s => s.addresses.undo(account(moved), undoing(moved), now),
    ],
    'to an address whose entry counts as none': [
      [moved, addressEntry({ id: 'gone', email: ada.email })],
      s => s.addresses.undo(account(moved), { ...undoing(moved), entry: 'gone' }, now),
    ],
    'to an address whose entry leads elsewhere by now': [
      [moved, addressEntry({ id: 'other', email: ada.email })],
      s => s.addresses.undo(account(moved), { ...undoing(moved), entry: 'gone' }, now),
    ],
    ...Object.fromEntries(
      Object.entries({
        'an unverified account': unverified,
        'an invitation': invitee,
        'a provider’s account': opened,
      }).flatMap(([what, { item, over }]) => {
        const undo = (s: Writes) => s.addresses.undo(account(moved), { ...undoing(moved), ...over }, now)
        return [
          [`over ${what}`, [[moved, item], undo]],
          [`over ${what} of another version`, [[moved, { ...item, token_version: 4 }], undo]],
        ] as [string, [object[], (s: Writes) => Promise<unknown>]][]
      }),
    ),
    'over an account that is verified by now': [
      [moved, { ...unverified.item, is_verified: true }],
      s => s.addresses.undo(account(moved), { ...undoing(moved), ...unverified.over }, now),
    ],
    'over an account that an operator has moved there': [
      [moved, { ...unverified.item, reset_verifies: true }],
      s => s.addresses.undo(account(moved), { ...undoing(moved), ...unverified.over }, now),
    ],
    'over an invitation that is accepted by now': [
      [moved, stranger],
      s => s.addresses.undo(account(moved), { ...undoing(moved), ...invitee.over }, now),
    ],
    'over a provider’s account that has a password by now': [
      [moved, { ...opened.item, password_hash: 'hash' }],
      s => s.addresses.undo(account(moved), { ...undoing(moved), ...opened.over }, now),
    ],
    'over a provider’s account that had a password': [
      [moved, { ...opened.item, former_password_hash: 'hash' }],
      s => s.addresses.undo(account(moved), { ...undoing(moved), ...opened.over }, now),
    ],
    'over a provider’s account that is an administrator’s by now': [
      [moved, { ...opened.item, is_admin: true }],
      s => s.addresses.undo(account(moved), { ...undoing(moved), ...opened.over }, now),
    ],
  },
  'addresses.moveByOperator': {
    'to a new address': [[inPlace], s => s.addresses.moveByOperator(account(inPlace), takeback, now)],
    'with all that gives access': [
      [{ ...inPlace, ...thiefs, ...identitiesOf('one') }],
      s => s.addresses.moveByOperator(account({ ...inPlace, ...identitiesOf('one') }), takeback, now),
    ],
    'over an unverified account': [
      [ada, { ...unverified.item, email: elsewhere }],
      s =>
        s.addresses.moveByOperator(
          account(ada),
          {
            ...takeback,
            entry: stranger.id,
            yielding: { account: account({ ...stranger, email: elsewhere }), reason: 'unverified' },
          },
          now,
        ),
    ],
    'to an address that is taken meanwhile': [
      [ada, { ...stranger, email: elsewhere }],
      s => s.addresses.moveByOperator(account(ada), takeback, now),
    ],
    'of an account of an older version': [
      [ada],
      s => s.addresses.moveByOperator(account(ada, { tokenVersion: 2 }), takeback, now),
    ],
    'of an account that has moved on': [[moved], s => s.addresses.moveByOperator(account(ada), takeback, now)],
    'of an administrator’s account': [
      [{ ...ada, is_admin: true }],
      s => s.addresses.moveByOperator(account(ada), takeback, now),
    ],
    'of an invited account': [
      [{ ...ada, invited_until: at(minutes(10)) }],
      s => s.addresses.moveByOperator(account(ada), takeback, now),
    ],
    'after a link that was asked for later': [
      [{ ...ada, password_reset_requested_at: at(minutes(1)) }],
      s => s.addresses.moveByOperator(account(ada), takeback, now),
    ],
  },
  'identities.findHolder': {
    'of an account': [[identified('one')], s => s.identities.findHolder(identity('one').key)],
    'that nobody has': [everybody, s => s.identities.findHolder(identity('one').key)],
    'whose entry leads to an account that is gone': [[entry('one')], s => s.identities.findHolder(identity('one').key)],
    'whose entry leads to an account without it': [
      [identified('two'), entry('one')],
      s => s.identities.findHolder(identity('one').key),
    ],
  },
  'identities.open': {
    'at an address that is taken': [
      everybody,
      s => s.identities.open({ ...identifiedNewcomer, email: openable(ada.email) }, connection),
    ],
    'with an id that is taken': [everybody, s => s.identities.open({ ...identifiedNewcomer, id: ada.id }, connection)],
    'while another first login wins': [[identified('one')], s => s.identities.open(identifiedNewcomer, connection)],
    'over an entry that leads elsewhere by now': [[entry('one')], s => s.identities.open(identifiedNewcomer, takeover)],
    'over an entry whose account connects it again': [
      [{ ...identified('one'), id: 'gone' }],
      s => s.identities.open(identifiedNewcomer, takeover),
    ],
  },
  'identities.connect': {
    'the first': [[ada], s => s.identities.connect(account(ada), connection, false, now)],
    'that verifies the address': [[bob], s => s.identities.connect(account(bob), connection, true, now)],
    'one that the account has by now': [
      [identified('one')],
      s => s.identities.connect(account(ada), { ...connection, read: ada.id }, false, now),
    ],
    'a sixth': [
      [identified('a', 'b', 'c', 'd', 'e')],
      s => s.identities.connect(account(identified('a', 'b', 'c', 'd', 'e')), connection, false, now),
    ],
    'that another account has got': [
      [ada, { ...identified('one'), email: bob.email, id: bob.id }],
      s => s.identities.connect(account(ada), connection, false, now),
    ],
    'over its own entry that counts as none': [
      [ada, entry('one')],
      s => s.identities.connect(account(ada), { ...connection, read: ada.id }, false, now),
    ],
    'over an entry whose account is gone': [
      [ada, entry('one', { id: 'gone' })],
      s => s.identities.connect(account(ada), takeover, false, now),
    ],
    'over an entry whose account connects it again': [
      [ada, { ...identified('one'), id: 'gone', email: bob.email }],
      s => s.identities.connect(account(ada), takeover, false, now),
    ],
    'beside a change that is dated later': [
      [{ ...ada, changes_at: at(minutes(1)) }],
      s => s.identities.connect(account(ada), connection, false, now),
    ],
    'to an account of an older version': [
      [ada],
      s => s.identities.connect(account(ada, { tokenVersion: 2 }), connection, false, now),
    ],
  },
  'identities.disconnect': {
    'one of some': [
      [identified('one', 'two')],
      s => s.identities.disconnect(account(identified('one', 'two')), identity('one').key, change, now),
    ],
    'the last, keeping a session': [
      [{ ...holding('tablet', 'phone'), ...identitiesOf('one') }],
      s =>
        s.identities.disconnect(
          account({ ...holding('tablet'), ...identitiesOf('one') }),
          identity('one').key,
          change,
          now,
          kept,
        ),
    ],
    'whose entry is gone': [
      [alone(identified('one'))],
      s => s.identities.disconnect(account(identified('one')), identity('one').key, change, now),
    ],
    'whose entry is gone, once more by the same write': [
      [{ ...ada, token_version: 4, identity_changed_by: 'mark' }],
      s => s.identities.disconnect(account(identified('one')), identity('one').key, change, now),
    ],
    'that is gone': [
      [identified('two')],
      s => s.identities.disconnect(account(identified('one', 'two')), identity('one').key, change, now),
    ],
    'of an account of an older version': [
      [identified('one')],
      s => s.identities.disconnect(account(identified('one'), { tokenVersion: 2 }), identity('one').key, change, now),
    ],
  },
}

/** A table of operations as one list. */
export const listed = <Store>(
  operations: Record<string, Record<string, [before: readonly object[], run: (store: Store) => Promise<unknown>]>>,
): Operation<Store>[] =>
  Object.entries(operations).flatMap(([method, cases]) =>
    Object.entries(cases).map(([which, [before, run]]) => ({ name: `${method}: ${which}`, before, run })),
  )

export const accountOperations = listed(table).map(({ before, ...operation }) => ({
  ...operation,
  before: before.flatMap(stored),
}))
