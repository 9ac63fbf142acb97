import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seed } from '../support/property.ts'
import { createHarness } from '../support/service/harness.ts'
import { type Act, type Fate, PasskeySystem } from './passkey-system.ts'

/**
 * Two people add, use and remove passkeys, with passwords, apps, links and operators. Whatever they try in any order,
 * and whatever happens to a request, only their present credentials give access.
 *
 * The expectations are plain rules beside it; the domain's own code runs, over the embedded tables.
 */

const harness = createHarness()

/** Mostly the working one. */
const which = fc.oneof({ arbitrary: fc.constant(null), weight: 5 }, fc.nat({ max: 20 }))
const person = fc.constantFrom(0, 0, 0, 1)
const mostly = fc.constantFrom(true, true, true, false)
const typed = fc.record({ isRight: mostly, hasCode: mostly })
const asserted = fc.record({ challenge: which, passkey: which })
const proof = fc.oneof(typed, asserted)
const of = <D extends string, M>(name: D, members: { [K in keyof M]: fc.Arbitrary<M[K]> }) =>
  fc.record({ do: fc.constant(name), ...members }) as unknown as fc.Arbitrary<{ do: D } & M>

const act: fc.Arbitrary<Act> = fc.oneof(
  { arbitrary: of('confirm', { person, token: which, challenge: which, isSynced: fc.boolean() }), weight: 8 },
  { arbitrary: of('enter', { person, challenge: which, passkey: which }), weight: 4 },
  { arbitrary: of('set up', { person, token: which, proof }), weight: 3 },
  { arbitrary: of('remove', { person, token: which, proof, passkey: which }), weight: 4 },
  { arbitrary: of('change', { person, token: which, proof }), weight: 2 },
  { arbitrary: of('reset', { person, keeps: fc.boolean() }), weight: 2 },
  { arbitrary: of('undo', { link: which }), weight: 3 },
  { arbitrary: of('move', { person, isRight: mostly, hasCode: mostly }), weight: 2 },
  { arbitrary: of('log in', { person, isRight: mostly, hasCode: mostly }), weight: 2 },
  ...(['revoke', 'removePasskeys', 'lock', 'unlock', 'unlock', 'signOut', 'set up an app'] as const).map(name =>
    of(name, { person }),
  ),
  of('require a second factor', {}),
  of('wait', {}),
)
/** Acts that end existing credentials and earlier requests. */
const ending: fc.Arbitrary<Act> = fc.oneof(
  of('reset', { person, keeps: fc.constant(false) }),
  of('undo', { link: fc.constant(null) }),
  ...(['revoke', 'removePasskeys', 'lock'] as const).map(name => of(name, { person })),
)
const call = fc.integer({ min: 1, max: 9 })
const fate: fc.Arbitrary<Fate> = fc.oneof(
  { arbitrary: fc.constant(null), weight: 4 },
  fc.constantFrom('twice' as const, 'again' as const),
  fc.record({ diesAt: call }),
  { arbitrary: fc.record({ meets: fc.oneof(act, ending), at: call }), weight: 2 },
)

test('nobody gets in but by what is theirs now', async () => {
  const done: Record<string, number> = {}
  await fc.assert(
    fc
      .asyncProperty(fc.array(fc.tuple(act, fate), { minLength: 4, maxLength: 16 }), async acts => {
        const system = new PasskeySystem(harness)
        harness.config.secondFactor = 'optional'
        await system.open()
        for (const each of acts) await system.act(...each)
        await system.tryAll()
        for (const [name, times] of Object.entries(system.done)) done[name] = (done[name] ?? 0) + times
      })
      .beforeEach(harness.clear),
    { seed, numRuns: 100 },
  )
  // Each of these occurs a few times: without them, the invariants prove nothing.
  const [acts, few] = [['confirm', 'enter', 'remove', 'change', 'reset', 'undo', 'move'], 3]
  expect(acts.filter(name => (done[name] ?? 0) < few)).toEqual([])
})
