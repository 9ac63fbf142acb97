import { makeEachOnce } from '../support/once.ts'
import { type Breach, testInvariants } from './campaign.ts'
import { MoveSystem, type Scenario } from './move-system.ts'
import type { Mutation } from './move-world.ts'

/**
 * Everybody who can touch an account while it moves, and while it is brought back, explored completely: each outside
 * call may fail, each process may die before and after each of its calls, writes are retried, and messages are
 * delivered repeatedly in any order.
 *
 * The domain's own code runs, over tables that another test compares with the real ones.
 */

makeEachOnce()

const moved = { path: ['old', 'new'], to: null } as const
const stolen = { path: ['old', 'other'], to: 'new' } as const
const stolenTwice = { path: ['old', 'other', 'new'], to: null } as const

const taken = { path: ['old', 'other'], to: null } as const
const takenTwice = { path: ['old', 'other', 'third'], to: null } as const

const scenarios = {
  'a move': [{ acts: ['confirm'] }, 2],
  'a move of an account whose address is not verified': [{ acts: ['confirm'], isUnverified: true }, 2],
  'a move and a request for a verification link': [
    { acts: ['confirm', 'ask to verify', 'verify'], isUnverified: true },
    0,
  ],
  'two confirmations': [{ acts: ['confirm', 'confirm'] }, 0],
  'a move and a deletion': [{ acts: ['confirm', 'delete'] }, 0],
  'a move and a new password': [{ acts: ['confirm', 'change'] }, 0],
  'a move and a reset': [{ acts: ['confirm', 'reset'] }, 0],
  'a move and a new name': [{ acts: ['confirm', 'rename'] }, 1],
  'a move and a newer change': [{ acts: ['confirm', 'ask again'] }, 0],
  'a move and a lock': [{ acts: ['confirm', 'lock'] }, 1],
  'a move and a revocation': [{ acts: ['confirm', 'revoke'] }, 1],
  'a move and a deletion by an operator': [{ acts: ['confirm', 'remove'] }, 1],
  'a move and a stranger at the new address': [{ acts: ['confirm', 'register new', 'verify'] }, 0],
  'a stranger at the address that was left': [{ acts: ['register old', 'verify', 'delete'], ...moved }, 0],
  'an undoing': [{ acts: ['undo'], ...moved }, 2],
  'two undoings': [{ acts: ['undo', 'undo'], ...moved }, 0],
  'an undoing and a deletion': [{ acts: ['undo', 'delete'], ...moved, isUntold: true }, 0],
  'an undoing and a new password': [{ acts: ['undo', 'change'], ...moved, isUntold: true }, 0],
  'an undoing and a new name': [{ acts: ['undo', 'rename'], ...moved }, 1],
  'an undoing while a thief renames the account': [
    { acts: ['undo', 'rename', 'rename', 'rename'], ...moved, isUntold: true },
    0,
  ],
  'an undoing and a lock': [{ acts: ['undo', 'lock'], ...moved }, 1],
  'an undoing and a revocation': [{ acts: ['undo', 'revoke'], ...moved, isUntold: true }, 1],
  'an undoing and a stranger at the old address': [
    { acts: ['undo', 'register old', 'verify'], ...moved, isUntold: true },
    0,
  ],
  'an undoing while a thief moves on': [{ acts: ['undo', 'confirm'], ...stolen, isUntold: true }, 0],
  "an undoing, and a thief's own": [{ acts: ['undo', 'undo the later'], ...stolenTwice, isUntold: true }, 0],
  'a move by an operator': [{ acts: ['move', 'use the link'], ...taken }, 1],
  'a move by an operator, and the undo link that the thief has': [{ acts: ['move', 'undo'], ...taken }, 0],
  'a move by an operator, and a newer undo link': [{ acts: ['move', 'undo the later'], ...takenTwice }, 0],
  'a move by an operator while a thief moves on': [{ acts: ['move', 'confirm'], ...taken, to: 'third' }, 0],
  'a move by an operator and a lock': [{ acts: ['move', 'lock'], ...taken }, 1],
  'a move by an operator, and another link': [{ acts: ['move', 'ask to reset', 'use the link'], ...taken }, 0],
  'a move by an operator and a reset': [{ acts: ['move', 'reset'], ...taken }, 0],
  'a move by an operator and a new name': [{ acts: ['move', 'rename'], ...taken }, 0],
  'a move by an operator and a deletion': [{ acts: ['move', 'delete'], ...taken }, 0],
  'a move by an operator and a stranger at the new address': [
    { acts: ['move', 'register new', 'verify'], ...taken },
    0,
  ],
  'two moves by operators': [{ acts: ['move', 'move'], ...taken }, 0],
} satisfies Record<string, [Scenario, faults: number]>

const breaches: Breach<keyof typeof scenarios, Mutation>[] = [
  ['a copy before the original is deleted', { singleWrites: 'put first' }, 'a move', /one account/],
  ['a deletion before the copy is there', { singleWrites: 'delete first' }, 'a move', /no account is lost/],
  [
    'a copy over whoever is there',
    { forgotten: { free: true } },
    'a move and a stranger at the new address',
    /takes the account of a verified/,
  ],
  ['a move of what has changed', { forgotten: { time: true } }, 'a move and a new name', /name that was written/],
  ['a move of any version', { forgotten: { version: true } }, 'a move and a new password', /after it was changed/],
  [
    'an undoing over whoever is there',
    { forgotten: { unverified: true } },
    'an undoing and a stranger at the old address',
    /takes the account of a verified/,
  ],
  ['a deletion that knows no moves', { ignoresMoves: 'delete' }, 'a move and a deletion', /said to be deleted/],
  ['a worker that knows no moves', { ignoresMoves: 'worker' }, 'a move and a deletion', /told where it happened/],
  ['a worker that does not wait for the move', { tellsAtOnce: true }, 'a move', /did not happen/],
  ['a repeat that is not recognised', { knowsNoMark: true }, 'a move', /is not refused/],
  [
    'a move by an operator that voids no link',
    { voidsNothing: true },
    'a move by an operator, and the undo link that the thief has',
    /from where an operator/,
  ],
  [
    'a move by an operator that leaves the password',
    { leaves: 'password' },
    'a move by an operator',
    /sets a password/,
  ],
  [
    'a move by an operator that says the address is verified',
    { leaves: 'verified' },
    'a move by an operator',
    /verifies it/,
  ],
  [
    'a move by an operator of what has changed',
    { forgotten: { time: true } },
    'a move by an operator and a new name',
    /name that was written/,
  ],
  [
    'a move by an operator of any version',
    { forgotten: { version: true } },
    'a move by an operator and a lock',
    /a lock stays/,
  ],
  [
    'a move by an operator over whoever is there',
    { forgotten: { unverified: true } },
    'a move by an operator and a stranger at the new address',
    /takes the account of a verified/,
  ],
  [
    'a repeated move by an operator that is not recognised',
    { knowsNoMark: true },
    'a move by an operator',
    /has moved is not refused/,
  ],
  ['a worker that does not wait for the undoing', { tellsAtOnce: true }, 'an undoing', /did not happen/],
  [
    'an undoing that only tries again',
    { onLoss: 'tries again' },
    'an undoing while a thief renames the account',
    /does not stall/,
  ],
  [
    'an undoing that spends its link before the account is back',
    { onLoss: 'spends its link' },
    'an undoing and a new name',
    /nobody is locked out/,
  ],
  ['an undoing that voids no later link', { voidsNothing: true }, "an undoing, and a thief's own", /thief/],
]

testInvariants(
  'moves',
  (scenario: Scenario, mutation?: Mutation) => new MoveSystem(scenario, mutation),
  scenarios,
  breaches,
  5,
)
