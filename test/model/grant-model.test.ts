import { type Breach, testInvariants } from './campaign.ts'
import type { Mutation, Scenario } from './grant-scenario.ts'
import { GrantSystem } from './grant-system.ts'

/**
 * Everybody who can touch a code's results, explored completely: senders of the code, once or twice, with or without
 * everything that belongs to it; servers that die, retried writes; the account's owner and its operator, between any
 * two writes.
 *
 * The domain's own code runs with the product's own writes, over tables that another test compares with the real ones.
 */

const scenarios = {
  'two who have all': [{ senders: ['right', 'right'] }, 1],
  'two who have all, where people stay logged in': [{ senders: ['right', 'right'], isOffline: true }, 1],
  'three who have all': [{ senders: ['right', 'right', 'right'], isOffline: true }, 0],
  'a write that is sent again late': [{ senders: ['right', 'right'], isOffline: true, repeatsLate: true }, 0],
  'somebody who lacks something': [
    {
      senders: ['right', 'without the verifier', 'another client', 'another address', 'a cookie'],
      isOffline: true,
      isStrict: true,
    },
    0,
  ],
  'a log-out everywhere': [{ senders: ['right', 'right'], acts: ['log out everywhere'], isOffline: true }, 0],
  'a lock': [{ senders: ['right'], acts: ['lock'], isOffline: true }, 1],
  'a move': [{ senders: ['right', 'right'], acts: ['move'], isOffline: true }, 0],
  'a deletion': [{ senders: ['right', 'right'], acts: ['delete'], isOffline: true }, 0],
  'an end of the session, and of the browser’s': [
    { senders: ['right', 'right'], acts: ['end session', 'log out browser'], byBrowser: true, isOffline: true },
    0,
  ],
  'a logout of the browser': [
    { senders: ['right'], acts: ['log out browser'], byBrowser: true, isOffline: true, refreshes: true },
    1,
  ],
  'a logout of the browser, where nobody stays logged in': [
    { senders: ['right'], acts: ['log out browser'], byBrowser: true },
    1,
  ],
  'a stolen cookie, whose session its owner ends': [
    { senders: ['right'], acts: ['end browser'], byBrowser: true, isOffline: true, refreshes: true },
    1,
  ],
  'a stolen cookie, and another login': [
    { senders: ['right'], acts: ['end browser', 'log in elsewhere'], byBrowser: true, isOffline: true },
    1,
  ],
  'a stolen cookie, another login, and a write that is sent again late': [
    {
      senders: ['right'],
      acts: ['end browser', 'log in elsewhere'],
      byBrowser: true,
      isOffline: true,
      repeatsLate: true,
    },
    0,
  ],
  'a stolen cookie, of which a copy is found': [
    { senders: ['right', 'right'], acts: ['find a copied cookie'], byBrowser: true, isOffline: true },
    0,
  ],
  'refreshes, and a thief': [{ senders: ['right', 'right'], isOffline: true, refreshes: true }, 0],
  'a client that takes verified addresses alone': [{ senders: ['right'], isStrict: true, isVerified: false }, 1],
} satisfies Record<string, [Scenario, faults: number]>

const breaches: Breach<keyof typeof scenarios, Mutation>[] = [
  ['an unconditional spend', { forgets: 'condition' }, 'two who have all', /one at most gets tokens/],
  [
    'no third read',
    { forgets: 'third read' },
    'two who have all, where people stay logged in',
    /no session of the code/,
  ],
  ['a verifier after spending', { forgets: 'verifier' }, 'somebody who lacks something', /changes nothing/],
  ['a version that is not compared', { forgets: 'version' }, 'a log-out everywhere', /from before a raise/],
  [
    'a session that does not say where it came from',
    { forgets: 'through' },
    'a stolen cookie, whose session its owner ends',
    /says so/,
  ],
  [
    'a session that is added whatever became of the browser’s',
    { forgets: 'presence' },
    'a stolen cookie, and another login',
    /outlives/,
  ],
  ['audiences that are swapped', { swaps: 'api' }, 'two who have all', /for whom the list says/],
  [
    'unverified people let in',
    { swaps: 'unverified' },
    'a client that takes verified addresses alone',
    /does not take/,
  ],
  ['more scope at a refresh', { forgets: 'scope' }, 'refreshes, and a thief', /more than was granted/],
]

testInvariants(
  'codes',
  (scenario: Scenario, mutation?: Mutation) => new GrantSystem(scenario, mutation),
  scenarios,
  breaches,
  3,
)
