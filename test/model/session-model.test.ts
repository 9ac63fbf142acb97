import { expect, test, vi } from 'vitest'
import type { judge, Verdict } from '../../accounts/session/rotation.ts'
import type { Session } from '../../accounts/session/session.ts'
import { needsOf } from '../../api/needs.ts'
import { routes } from '../../api/routes.ts'
import { makeEachOnce } from '../support/once.ts'
import { type Breach, testInvariants } from './campaign.ts'
import type { Scenario } from './session-scenario.ts'
import type { Mutation } from './session-servers.ts'
import { SessionSystem, tick } from './session-system.ts'

/**
 * Everybody who can touch a session, explored completely: tabs that share its token, lost answers, servers that die,
 * retried writes, thieves who copy the token. Time passes while requests run.
 *
 * The domain's own code runs with the product's own writes, over tables that another test compares with the real ones.
 */

makeEachOnce()

/** A mutation's replacement of the rule for genuine tokens. */
const broken = vi.hoisted((): { judge: typeof judge | null } => ({ judge: null }))
vi.mock(import('../../accounts/session/rotation.ts'), async load => {
  const own = await load()
  return { ...own, judge: (...token) => (broken.judge ?? own.judge)(...token) }
})
const rotation = await vi.importActual<{ judge: typeof judge }>('../../accounts/session/rotation.ts')

const browser = { tabs: 2, isLocked: true } as const

const scenarios = {
  'answers that are lost': [{ ...browser, refreshes: 4, ticks: 3, losses: 2 }, 0],
  'servers that die, and writes that are sent twice': [{ ...browser, refreshes: 3, ticks: 3, losses: 1 }, 1],
  'three tabs that ask at once': [{ tabs: 3, refreshes: 3, ticks: 1 }, 0],
  'a change of the password': [{ ...browser, refreshes: 2, ticks: 1, losses: 1, acts: ['change'] }, 1],
  'a logout, and an end by another device': [
    { ...browser, refreshes: 2, ticks: 1, losses: 1, acts: ['log out', 'end'] },
    0,
  ],
  'two logins to an account that has all the sessions it may': [
    { tabs: 1, refreshes: 2, ticks: 1, acts: ['log in', 'log in'], isFull: true },
    0,
  ],
  'a thief': [{ tabs: 1, isLocked: true, refreshes: 2, ticks: 3, hasWholeTicks: true, thieves: 1 }, 0],
  'a thief, and a change of the password': [
    { tabs: 1, isLocked: true, refreshes: 1, ticks: 1, hasWholeTicks: true, thieves: 1, acts: ['change'] },
    0,
  ],
  'two thieves': [{ tabs: 1, isLocked: true, refreshes: 1, ticks: 1, hasWholeTicks: true, thieves: 2, uses: 1 }, 0],
} satisfies Record<string, [Scenario, faults: number]>

/** The outcome of a genuine token, without one of the rules. */
const unless =
  (rule: (session: Session, serial: number, now: Date, verdict: Verdict) => Verdict | null) =>
  (session: Session, serial: number, now: Date): Verdict => {
    const verdict = rotation.judge(session, serial, now)
    return rule(session, serial, now, verdict) ?? verdict
  }

const breaches: Breach<keyof typeof scenarios, Mutation>[] = [
  [
    'strict rotation',
    { judgement: unless(({ current }, serial) => (serial === current ? null : { is: 'reused' })) },
    'answers that are lost',
    /taken for a thief/,
  ],
  [
    'the same child for a late parent',
    { judgement: unless(({ parent }, serial) => (serial === parent ? { is: 'shared' } : null)) },
    'a thief',
    /within its grace/,
  ],
  [
    'a random successor',
    {
      judgement: unless((_, serial, __, verdict) =>
        verdict.is === 'rotated'
          ? { ...verdict, next: { ...verdict.next, salt: Buffer.alloc(32, serial + 1).toString('base64url') } }
          : null,
      ),
    },
    'three tabs that ask at once',
    /logged out/,
  ],
  ['an unconditional write', { isUnconditional: true }, 'a logout, and an end by another device', /stays ended/],
]

testInvariants(
  'sessions',
  (scenario: Scenario, mutation?: Mutation) => {
    broken.judge = mutation?.judgement ?? null
    return new SessionSystem(scenario, mutation)
  },
  scenarios,
  breaches,
  50,
)

test('a request ends before a tick does', () => {
  expect(needsOf(routes.refresh).timeout * 1000).toBeLessThan(tick)
})
