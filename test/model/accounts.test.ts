import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NewAccount } from '../../shared/accounts/account.ts'
import type { Session } from '../../shared/accounts/sessions/session.ts'
import { hashToken, oneTimeToken, type TokenKind } from '../../shared/accounts/tokens/one-time-token.ts'
import { createHarness } from '../support/service/harness.ts'
import { ModelAccounts } from './accounts.ts'

/** Whether the model of the users table, on which the mail is explored, does what the real one does. */

const harness = createHarness()
const base = Date.parse('2026-03-01T12:00:00Z')

const email = fc.constantFrom('ada@example.com', 'bob@example.com')
const id = fc.constantFrom('1', '2')
const moment = fc.integer({ min: 0, max: 3 }).map(n => new Date(base + n * 20 * 60_000))
const token = fc.constantFrom('a', 'b', 'c')
const kind = fc.constantFrom<TokenKind>('verification', 'reset')
const mark = fc.constantFrom('first mark', 'second mark')
const version = fc.nat({ max: 2 })
const session = fc
  .record({ id: fc.constantFrom('phone', 'tablet', 'desk'), current: fc.integer({ min: 1, max: 2 }) })
  .map(
    ({ id, current }): Session => ({
      ...{ id, current, secretHash: 'hash', salt: 'salt', parent: current - 1, amr: ['pwd'], version: 0, label: null },
      ...{ rotatedAt: new Date(base), createdAt: new Date(base), authTime: new Date(base) },
    }),
  )
const removed = fc.uniqueArray(fc.constantFrom('phone', 'tablet', 'desk'), { maxLength: 2 })
const command = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), email, id, token, at: moment }),
  fc.record({ do: fc.constant('storeToken' as const), email, id, kind, token, at: moment }),
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
  fc.record({ do: fc.constant('addSession' as const), email, id, version, at: moment, session, removed }),
  fc.record({
    do: fc.constant('changeSession' as const),
    email,
    id,
    version,
    at: moment,
    session,
    removed,
    ends: fc.boolean(),
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
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

type Real = (typeof harness)['deps']['accounts'] & Pick<(typeof harness)['operator'], 'lock' | 'revoke'>
type Table = { [M in keyof ModelAccounts & keyof Real]: Real[M] }

/** The store, and what operators' commands do to the same table. */
const real = (): Table => ({
  ...harness.deps.accounts,
  lock: (account, now) => harness.operator.lock(account, now),
  revoke: (account, now) => harness.operator.revoke(account, now),
})

async function apply(table: Table, c: Command, i: number): Promise<unknown> {
  // Tokens are random: no two accounts ever hold the same.
  const token = 'token' in c ? `${c.token} of ${c.email}` : ''
  if (c.do === 'insert') return table.insert(newAccount(c.id, c.email, token, c.at))
  if (c.do === 'findByToken') return table.findByToken(c.kind, hashToken(token))
  const account = await table.find(c.email)
  if (account === null) return null
  if (c.do === 'rename') return table.rename({ ...account, tokenVersion: c.version }, c.name, new Date(base))
  if (c.do === 'replaceHash') return table.replaceHash({ ...account, passwordHash: c.old }, c.hash, new Date(base))
  const candidate = { ...account, id: c.id, ...('version' in c && { tokenVersion: c.version }) }
  if (c.do === 'lock') return table.lock(candidate, c.at)
  if (c.do === 'revoke') return table.revoke(candidate, c.at)
  if (c.do === 'delete') return table.delete(candidate)
  const clients = [{ hash: `client ${i}`, at: new Date(base) }]
  if (c.do === 'rememberClients') return table.rememberClients(candidate, clients, c.at)
  if (c.do === 'logOutEverywhere') return table.logOutEverywhere(candidate, { mark: c.mark, clients }, c.at)
  const change = { passwordHash: `hash ${i}`, mark: 'mark' in c ? c.mark : '', clients }
  const next = 'session' in c ? { ...c.session, current: c.session.current + 1 } : null
  // A session is not removed by the write that sets it.
  const others = 'removed' in c ? c.removed.filter(other => other !== c.session.id) : []
  if (c.do === 'addSession') return table.addSession(candidate, c.session, others, c.at)
  if (c.do === 'changeSession') {
    return table.changeSession(
      candidate,
      { before: c.session, after: c.ends ? null : next },
      others,
      c.ends ? c.at : null,
    )
  }
  if (c.do === 'changePassword') {
    return table.changePassword(candidate, change, c.at, c.isKept ? { before: c.session, after: next } : undefined)
  }
  if (c.do === 'storeToken') return table.storeToken(c.kind, candidate, oneTimeToken(c.kind, token, c.at), c.at)
  const hash = hashToken(token)
  if (c.kind === 'verification') return table.spendVerificationToken(candidate, hash, c.mark, c.at)
  return table.spendResetToken(candidate, hash, change, c.at)
}

/** A map has no order. */
const inOrder = (result: unknown): unknown =>
  typeof result === 'object' && result !== null && 'sessions' in result
    ? { ...result, sessions: (result.sessions as Session[]).toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
    : result

const newAccount = (id: string, email: string, token: string, at: Date): NewAccount => ({
  ...{ id, email, name: null, passwordHash: '', isAdmin: false, isVerified: false, tokenVersion: 0, createdAt: at },
  verification: oneTimeToken('verification', token, at),
})

test('the model of the users table and the real one cannot be told apart', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(command, { maxLength: 12 }), async commands => {
        const model = new ModelAccounts()
        for (const [i, c] of commands.entries()) {
          expect(inOrder(await apply(model as unknown as Table, c, i))).toEqual(inOrder(await apply(real(), c, i)))
        }
        for (const address of ['ada@example.com', 'bob@example.com']) {
          expect(inOrder(model.find(address))).toEqual(inOrder(await harness.deps.accounts.find(address)))
        }
      })
      .beforeEach(harness.clear),
    { numRuns: 100 },
  )
})
