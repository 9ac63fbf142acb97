import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  findGivingWay,
  type Kind,
  kindOf,
  maxOfApplication,
  maxSessions,
  shares,
} from '../../../accounts/session/room.ts'

interface Held {
  serial: number
  application: string | null
  isBrowser: boolean
  isTab: boolean
}

const ofKind: Record<Kind, Pick<Held, 'application' | 'isBrowser' | 'isTab'>> = {
  own: { application: null, isBrowser: false, isTab: false },
  browser: { application: null, isBrowser: true, isTab: false },
  tab: { application: null, isBrowser: false, isTab: true },
  application: { application: 'shop', isBrowser: false, isTab: false },
}
const kinds = Object.keys(shares) as Kind[]
const countOf = (held: readonly Held[], kind: Kind) => held.filter(one => kindOf(one) === kind).length

/** Logs in, one after another. @returns what is held then, the least used first, and who went for whom */
function logIn(logins: readonly Omit<Held, 'serial'>[], before: readonly Held[] = []) {
  let held = [...before]
  const endings: { added: Held; gone: Held; held: readonly Held[] }[] = []
  for (const login of logins) {
    const added = { ...login, serial: held.length + endings.length + before.length }
    for (let gone = findGivingWay(held, added); gone; gone = findGivingWay(held, added)) {
      const ended = gone
      endings.push({ added, gone: ended, held })
      held = held.filter(one => one !== ended)
    }
    held.push(added)
  }
  return { held, endings }
}

/** Logins of few applications, which fill their own places, and of many. */
const login = fc.oneof(
  fc.constantFrom(...kinds).map(kind => ofKind[kind]),
  fc.integer({ min: 0, max: 9 }).map(number => ({ ...ofKind.application, application: `app ${number}` })),
)
const mix = fc.array(login, { minLength: 20, maxLength: 120, size: 'max' })

describe('which session gives way', () => {
  test('is of no other kind within its share, and nothing grows beyond its places', () => {
    fc.assert(
      fc.property(mix, logins => {
        const { held, endings } = logIn(logins)
        for (const { added, gone, held } of endings) {
          const kind = kindOf(gone)
          if (kind !== kindOf(added)) expect(countOf(held, kind)).toBeGreaterThan(shares[kind])
        }
        expect(held.length).toBeLessThanOrEqual(maxSessions)
        for (const kind of kinds) if (kind !== 'own') expect(countOf(held, kind)).toBeLessThanOrEqual(shares[kind])
        for (const { application } of held) {
          const { length } = held.filter(one => application !== null && one.application === application)
          expect(length).toBeLessThanOrEqual(maxOfApplication)
        }
      }),
      { numRuns: 500 },
    )
  })

  test.each(kinds)('leaves each other kind its share, whatever number of logins are of kind %s', kind => {
    fc.assert(
      fc.property(mix, mix, (logins, more) => {
        const { held: before } = logIn(logins)
        const { held: after } = logIn(
          more.filter(one => kindOf(one) === kind),
          before,
        )
        for (const other of kinds) {
          if (other === kind) continue
          const kept = Math.min(countOf(before, other), shares[other])
          expect(countOf(after, other)).toBeGreaterThanOrEqual(kept)
        }
      }),
    )
  })

  test('is none while there is room, and one at most for each login', () => {
    fc.assert(
      fc.property(mix, logins => {
        const { held, endings } = logIn(logins)
        expect(held.length + endings.length).toBe(logins.length)
        expect(new Set(endings.map(({ added }) => added)).size).toBe(endings.length)
        for (const { added, held } of endings) {
          const kind = kindOf(added)
          const alike = held.filter(one => one.application === added.application)
          const isFull = kind !== 'own' && (countOf(held, kind) === shares[kind] || alike.length === maxOfApplication)
          expect(isFull || held.length === maxSessions).toBe(true)
        }
      }),
    )
  })

  const filled = (kind: Kind, count: number) => Array.from({ length: count }, () => ofKind[kind])
  const ofApplications = (...names: string[]) => names.map(application => ({ ...ofKind.application, application }))
  test.each([
    ['the first tab, for a fourth', [...filled('own', 1), ...filled('tab', 3)], 'tab', 1],
    ['the first browser, for a fourth', [...filled('own', 1), ...filled('browser', 3)], 'browser', 1],
    [
      'the first of an application, for its sixth',
      [...ofApplications('till'), ...filled('application', 5)],
      'application',
      1,
    ],
    [
      'the first of all applications, for a thirteenth',
      [...filled('own', 1), ...ofApplications(...'aabbccddeeff')],
      'application',
      1,
    ],
    [
      'the first of a person’s own, where they have more than five',
      [...filled('tab', 1), ...filled('own', 22)],
      'tab',
      1,
    ],
    [
      'the first of a person’s own, for one more of them',
      [...ofApplications(...'aabbccddeeff'), ...filled('tab', 3), ...filled('browser', 3), ...filled('own', 5)],
      'own',
      18,
    ],
  ] as const)('is %s', (_, logins, kind, place) => {
    const { held } = logIn(logins)
    expect(held).toHaveLength(logins.length)
    expect(findGivingWay(held, ofKind[kind])).toBe(held[place])
  })

  test('is of a kind above its share, even one filled before it had one', () => {
    const { held } = logIn([...filled('own', 5)])
    const old = [...held, ...Array.from({ length: 18 }, (_, i) => ({ ...ofKind.tab, serial: 10 + i }))]
    expect(findGivingWay(old, ofKind.own)).toBe(old[5])
  })
})
