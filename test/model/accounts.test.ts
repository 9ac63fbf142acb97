import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type NewAccount, noPassword } from '../../accounts/account/account.ts'
import { toItem, tokenItem } from '../../accounts/account/attributes.ts'
import type { Session } from '../../accounts/session/session.ts'
import { hashToken, oneTimeToken, type TokenKind } from '../../accounts/token/token.ts'
import { createHarness } from '../support/service/harness.ts'
import { openable } from '../support/service/openable.ts'
import { ModelAccounts } from './accounts.ts'

/** Whether the model of the table of accounts, on which mails are explored, behaves like the real one. */

const harness = createHarness()
const base = Date.parse('2026-03-01T12:00:00Z')

const email = fc.constantFrom('ada@example.com', 'bob@example.com')
const id = fc.constantFrom('1', '2')
const moment = fc.integer({ min: 0, max: 3 }).map(n => new Date(base + n * 20 * 60_000))
const token = fc.constantFrom('a', 'b', 'c')
const kind = fc.constantFrom<TokenKind>('verification', 'reset')
const mark = fc.constantFrom('first mark', 'second mark')
const version = fc.nat({ max: 2 })
/** Now and then something is not as it was. */
const rarely = fc.constantFrom(false, false, false, true)
const session = fc
  .record({
    id: fc.constantFrom('phone', 'tablet', 'desk'),
    current: fc.integer({ min: 1, max: 2 }),
    through: fc.constantFrom(null, null, 'phone', 'tablet'),
  })
  .map(
    ({ id, current, through }): Session => ({
      ...{ id, current, secretHash: 'hash', salt: 'salt', parent: current - 1, amr: ['pwd'], version: 0, label: null },
      ...{ application: null, scope: null, isBrowser: false, through, isTab: false },
      ...{ rotatedAt: new Date(base), createdAt: new Date(base), authTime: new Date(base) },
    }),
  )
/** Whether the account was read before its phone had a session. */
const isEarly = rarely
const removed = fc.uniqueArray(fc.constantFrom('phone', 'tablet', 'desk'), { maxLength: 2 })
const anyCommand = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), email, id, token, at: moment }),
  fc.record({
    do: fc.constant('storeToken' as const),
    email,
    id,
    kind,
    token,
    at: moment,
    to: fc.option(email, { nil: undefined }),
  }),
  fc.record({ do: fc.constant('spend' as const), email, id, kind, token, mark, at: moment }),
  fc.record({
    do: fc.constant('changePassword' as const),
    email,
    id,
    version,
    mark,
    at: moment,
    session,
    isKept: fc.boolean(),
  }),
  fc.record({ do: fc.constant('addSession' as const), email, id, version, at: moment, session, removed, isEarly }),
  fc.record({
    do: fc.constant('changeSession' as const),
    email,
    id,
    version,
    at: moment,
    session,
    removed,
    isEarly,
    ends: fc.boolean(),
    needsAllAsRead: fc.boolean(),
  }),
  fc.record({ do: fc.constant('logOutEverywhere' as const), email, id, version, mark, at: moment }),
  fc.record({ do: fc.constant('rememberClients' as const), email, id, version, at: moment }),
  fc.record({ do: fc.constant('lock' as const), email, id, at: moment }),
  fc.record({ do: fc.constant('revoke' as const), email, id, at: moment }),
  fc.record({ do: fc.constant('delete' as const), email, id, version }),
  fc.record({
    do: fc.constant('replaceHash' as const),
    email,
    old: fc.constantFrom('', 'x', 'y'),
    hash: fc.constantFrom('x', 'y'),
  }),
  fc.record({
    do: fc.constant('rename' as const),
    email,
    version,
    name: fc.constantFrom('', 'Ada'),
  }),
  fc.record({ do: fc.constant('findByToken' as const), email, kind, token }),
)
/** Mostly the existing account's. */
const invitee = {
  email: fc.constantFrom('ada@example.com', 'ada@example.com', 'bob@example.com'),
  id: fc.constantFrom('1', '1', '1', '2'),
  token: fc.constantFrom('a', 'a', 'b'),
  at: moment,
}
const given = { name: fc.constantFrom(null, 'Ada'), roles: fc.constantFrom([], ['editor']) }
/** An invitation read with another expiry. */
const until = fc.oneof({ arbitrary: fc.constant(undefined), weight: 3 }, moment)
/** Writes that open accounts by invitations, or change, spend or block these. */
const anyInvitation = fc.oneof(
  fc.record({ do: fc.constant('add' as const), ...invitee, ...given }),
  { arbitrary: fc.record({ do: fc.constant('inviteAgain' as const), ...invitee, ...given, until }), weight: 3 },
  {
    arbitrary: fc.record({
      ...{ do: fc.constant('accept' as const), ...invitee, mark, name: given.name, until },
      isLate: rarely,
    }),
    weight: 4,
  },
  fc.record({ do: fc.constant('insert' as const), ...invitee }),
  {
    arbitrary: fc.record({
      ...{ do: fc.constant('storeToken' as const), ...invitee, kind: fc.constant('reset' as const) },
      ...{ to: fc.constantFrom(undefined), until: fc.oneof(fc.constant(undefined), moment) },
    }),
    weight: 4,
  },
  fc.record({ do: fc.constant('spend' as const), ...invitee, kind, mark }),
  fc.record({ do: fc.constant('lock' as const), ...invitee }),
  fc.record({ do: fc.constant('revoke' as const), ...invitee }),
  fc.record({ do: fc.constant('delete' as const), ...invitee, version }),
)
type Inviting = typeof anyInvitation extends fc.Arbitrary<infer C> ? C : never
type Command = Inviting | (typeof anyCommand extends fc.Arbitrary<infer C> ? C : never)

type ByOperators = Pick<(typeof harness)['operator'], 'lock' | 'revoke' | 'add' | 'changeInvitation'>
/** The model's writes, by name. */
const writes = () => {
  const { accounts, addresses, passwords, sessions, tokens } = harness.deps
  return {
    ...accounts,
    insert: accounts.open,
    findByToken: tokens.findHolder,
    storeToken: tokens.store,
    spendVerificationToken: addresses.spendToken,
    replaceHash: passwords.replaceHash,
    spendResetToken: passwords.reset,
    spendInvitation: passwords.accept,
    changePassword: passwords.change,
    addSession: sessions.add,
    changeSession: sessions.change,
    logOutEverywhere: sessions.endAll,
    rememberClients: sessions.remember,
  }
}
type Real = ReturnType<typeof writes> & ByOperators & { findItem: (typeof harness)['operator']['find'] }
type Table = { [M in keyof ModelAccounts & keyof Real]: Real[M] }

/** The store, with operators' writes to the same table. */
const real = (): Table => ({
  ...writes(),
  lock: (account, now) => harness.operator.lock(account, now),
  revoke: (account, now) => harness.operator.revoke(account, now),
  findItem: email => harness.operator.find(email),
  add: item => harness.operator.add(item),
  changeInvitation: (item, set, now) => harness.operator.changeInvitation(item, set, now),
})

async function apply(table: Table, command: Command, index: number): Promise<unknown> {
  // Tokens are random: no two accounts ever hold the same.
  const token = 'token' in command ? `${command.token} of ${command.email}` : ''
  if (command.do === 'insert') return table.insert(newAccount(command.id, command.email, token, command.at))
  if (command.do === 'findByToken') return table.findByToken(command.kind, hashToken(token))
  if (command.do === 'add' || command.do === 'inviteAgain') return invite(table, command, token)
  const account = await table.findByEmail(command.email)
  if (account === null) return null
  if (command.do === 'rename')
    return table.changeProfile({ ...account, tokenVersion: command.version }, { name: command.name }, new Date(base))
  if (command.do === 'replaceHash')
    return table.replaceHash({ ...account, passwordHash: command.old }, command.hash, new Date(base))
  const candidate = {
    ...{ ...account, id: command.id },
    ...('version' in command && { tokenVersion: command.version }),
    ...('isEarly' in command && command.isEarly && { sessions: account.sessions.filter(one => one.id !== 'phone') }),
    ...('until' in command && command.until && { invitedUntil: endOf(command.until) }),
  }
  if (command.do === 'lock') return table.lock(candidate, command.at)
  if (command.do === 'revoke') return table.revoke(candidate, command.at)
  if (command.do === 'delete') return table.delete(candidate, new Date(base))
  const clients = [{ hash: `client ${index}`, at: new Date(base) }]
  if (command.do === 'rememberClients') return table.rememberClients(candidate, clients, command.at)
  if (command.do === 'logOutEverywhere')
    return table.logOutEverywhere(candidate, { mark: command.mark, clients }, command.at)
  const change = { passwordHash: `hash ${index}`, mark: 'mark' in command ? command.mark : '', clients }
  const next = 'session' in command ? { ...command.session, current: command.session.current + 1 } : null
  // A write does not remove the session that it sets.
  const others = 'removed' in command ? command.removed.filter(other => other !== command.session.id) : []
  if (command.do === 'addSession') return table.addSession(candidate, command.session, others, command.at)
  if (command.do === 'changeSession') {
    return table.changeSession(
      candidate,
      { before: command.session, after: command.ends ? null : next, needsAllAsRead: command.needsAllAsRead },
      others,
      command.ends ? command.at : null,
    )
  }
  if (command.do === 'changePassword') {
    return table.changePassword(
      candidate,
      change,
      command.at,
      command.isKept ? { before: command.session, after: next } : undefined,
    )
  }
  if (command.do === 'storeToken') {
    return table.storeToken(command.kind, candidate, oneTimeToken(command.kind, token, command.at), command.at, {
      to: command.kind === 'verification' ? command.to : undefined,
    })
  }
  const hash = hashToken(token)
  if (command.do === 'accept') {
    // An account without an invitation had one when it was read.
    const read = { ...candidate, invitedUntil: candidate.invitedUntil ?? endOf(command.at) }
    const at = command.isLate ? endOf(command.at) : command.at
    return table.spendInvitation(read, hash, { ...change, name: command.name }, at)
  }
  if (command.kind === 'verification') return table.spendVerificationToken(candidate, hash, command.mark, command.at)
  return table.spendResetToken(candidate, hash, change, command.at)
}

type Invite = Extract<Command, { do: 'add' | 'inviteAgain' }>

async function invite(table: Table, command: Invite, token: string): Promise<unknown> {
  const { email, id, name, roles, at } = command
  const link = oneTimeToken('invitation', token, at)
  const given = { ...(name !== null && { name }), ...(roles.length > 0 && { roles }) }
  const set = { ...given, ...tokenItem('reset', link), invited_until: link.expiresAt.toISOString() }
  if (command.do === 'add') {
    const { verification: _, ...opened } = newAccount(id, email, '', at)
    return table.add({ ...toItem({ ...opened, passwordHash: noPassword }, at), ...set })
  }
  const item = await table.findItem(email)
  // The command refuses an account that is not invited before any write.
  if (item?.invited_until === undefined) return null
  const end = command.until ? endOf(command.until).toISOString() : item.invited_until
  return table.changeInvitation({ ...item, id, invited_until: end }, set, at)
}

/** The expiry of an invitation made at a time. */
const endOf = (at: Date): Date => oneTimeToken('invitation', '', at).expiresAt

/** A map has no order. */
const inOrder = (result: unknown): unknown =>
  typeof result === 'object' && result !== null && 'sessions' in result
    ? { ...result, sessions: (result.sessions as Session[]).toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
    : result

const newAccount = (id: string, email: string, token: string, at: Date): NewAccount => ({
  ...{
    id,
    email: openable(email),
    name: null,
    language: null,
    passwordHash: '',
    isAdmin: false,
    isVerified: false,
    tokenVersion: 0,
    createdAt: at,
  },
  verification: oneTimeToken('verification', token, at),
})

const first: Invite = {
  ...{ do: 'add', email: 'ada@example.com', id: '1', token: 'a', name: null, roles: [] },
  at: new Date(base),
}

test.each<[string, fc.Arbitrary<Command[]>, Command['do'][]]>([
  ['the table of accounts', fc.array(anyCommand, { maxLength: 12 }), ['insert']],
  [
    'invitations',
    fc.array(anyInvitation, { minLength: 4, maxLength: 12 }).map(commands => [first, ...commands]),
    ['add', 'inviteAgain', 'accept'],
  ],
])('the model of %s and the real store cannot be told apart', async (_, lists, succeeding) => {
  const succeeded = new Set<Command['do']>()
  await fc.assert(
    fc
      .asyncProperty(lists, async commands => {
        const model = new ModelAccounts()
        for (const [index, command] of commands.entries()) {
          const outcome = inOrder(await apply(model as unknown as Table, command, index))
          expect([command, outcome]).toEqual([command, inOrder(await apply(real(), command, index))])
          if (outcome === true) succeeded.add(command.do)
        }
        for (const address of ['ada@example.com', 'bob@example.com']) {
          expect(inOrder(model.findByEmail(address))).toEqual(inOrder(await harness.deps.accounts.findByEmail(address)))
        }
      })
      .beforeEach(harness.clear),
    { numRuns: 100 },
  )
  // Without these, the comparison proves nothing.
  expect([...succeeded]).toEqual(expect.arrayContaining(succeeding))
})
