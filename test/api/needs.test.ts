import { describe, expect, expectTypeOf, test } from 'vitest'
import type { AccountReads } from '../../accounts/account/account.ts'
import { retryDelay } from '../../accounts/mail/outcomes.ts'
import type { Deps, Granted } from '../../api/deps.ts'
import type {
  AdmittingDeps,
  AuthenticatingDeps,
  CountingDeps,
  OwnerRow,
  ProvingDeps,
  RenewingDeps,
} from '../../api/endpoint.ts'
import { grantsOf, needsOf, rows } from '../../api/needs.ts'
import { membersFor } from '../../api/parts.ts'
import { functionNames } from '../../api/route-keys.ts'
import type { EndpointName } from '../../api/routes.ts'
import { routes } from '../../api/routes.ts'
import type { Configured } from '../../shared/base/config.ts'
import type { System } from '../../shared/base/system.ts'
import { membersOf } from '../support/api/rows.ts'

const row = { summary: 'A row.' }

describe('a row', () => {
  test('without traits needs nothing, and has the default time-out', () => {
    expect(needsOf(row)).toEqual({ may: {}, writes: [], settings: [], timeout: 10, memory: 512 })
  })

  test('with a limit counts, by the setting of limits', () => {
    expect(needsOf({ ...row, limit: 1 })).toMatchObject({
      may: { Requests: ['UpdateItem'] },
      settings: ['RATE_LIMITS'],
    })
  })

  test('has members that are loaded on demand if it uses something rarely, and no others', () => {
    const onDemand = functionNames.filter(name => [...membersFor(name).values()].some(({ isRare }) => isRare))
    expect(onDemand).toEqual(functionNames.filter(name => rows[name].rarely?.length))
  })

  test('with an unsafe method under /auth knows whose pages may call it', () => {
    for (const method of ['POST', 'PUT'] as const)
      expect(needsOf({ ...row, on: `${method} /auth/x` }).settings).toEqual(['CORS_ORIGINS'])
    for (const on of ['GET /auth/x', 'GET|POST /catalogue'] as const)
      expect(needsOf({ ...row, on }).settings).toEqual([])
  })

  test('for bearers reads accounts and published keys, and knows whose tokens it takes', () => {
    expect(needsOf({ ...row, access: 'bearer' })).toMatchObject({
      may: { Accounts: ['GetItem'], SigningKeys: ['GetPublicKey'] },
      settings: ['ISSUER', 'SECOND_FACTOR', 'SESSION_DAYS', 'SESSION_IDLE_DAYS', 'TOKENS_NOT_BEFORE', 'TOKEN_AUDIENCE'],
    })
  })

  test('that checks a password has what guesses, factor, notices and hashes need', () => {
    const { may, writes, settings, memory } = needsOf({ ...row, checksPassword: true })
    expect(may).toEqual({
      Guesses: ['UpdateItem', 'GetItem'],
      Codes: ['UpdateItem', 'GetItem'],
      Accounts: ['GetItem', 'UpdateItem'],
      FactorKey: ['Decrypt'],
      MailQueue: ['SendMessage'],
    })
    expect(writes).toEqual(['codes'])
    expect(settings).toEqual(['BCRYPT_COST', 'MAIL_FROM', 'PASSKEY_RP_ID', 'RATE_LIMITS', 'SECOND_FACTOR'])
    expect(memory).toBe(1769)
  })

  test('adds its own needs to the implied ones, each once, settings in order', () => {
    const ofRow = {
      may: { Accounts: ['GetItem', 'UpdateItem'] },
      settings: ['ADMIN_EMAIL', 'ISSUER'],
      timeout: 20,
      writes: ['sessions', 'links'],
    } as const
    expect(needsOf({ ...row, access: 'bearer', limit: 1, ...ofRow })).toEqual({
      may: { Requests: ['UpdateItem'], Accounts: ['GetItem', 'UpdateItem'], SigningKeys: ['GetPublicKey'] },
      settings: [
        'ADMIN_EMAIL',
        'ISSUER',
        'RATE_LIMITS',
        'SECOND_FACTOR',
        'SESSION_DAYS',
        'SESSION_IDLE_DAYS',
        'TOKENS_NOT_BEFORE',
        'TOKEN_AUDIENCE',
      ],
      // In the order of the guards.
      writes: ['links', 'sessions'],
      timeout: 20,
      memory: 512,
    })
  })
})

test('a role keeps for a release what a row no longer grants', () => {
  const kept = {
    ...row,
    may: { Accounts: ['GetItem'] },
    mayStill: { Accounts: ['PutItem'], SigningKey: ['Sign'] },
  } as const
  expect(needsOf(kept).may).toEqual({ Accounts: ['GetItem'] })
  expect(grantsOf(kept)).toEqual({ Accounts: ['GetItem', 'PutItem'], SigningKey: ['Sign'] })
})

describe('by type', () => {
  /** The endpoints whose row has a trait without the grants of its step. */
  type Ungranted<Trait, Step> = {
    [N in EndpointName]: (typeof routes)[N] extends Trait ? (Granted<N> extends Step ? never : N) : never
  }[EndpointName]

  test('every row is granted what the steps of its endpoint use', () => {
    expectTypeOf<Ungranted<{ on: readonly [`${'POST' | 'PUT'} /auth/${string}`] }, AdmittingDeps>>().toBeNever()
    expectTypeOf<Ungranted<{ limit: number }, CountingDeps>>().toBeNever()
    expectTypeOf<Ungranted<{ access: 'bearer' }, AuthenticatingDeps>>().toBeNever()
    expectTypeOf<Ungranted<{ access: 'bearer'; issuesToken: true }, RenewingDeps>>().toBeNever()
    expectTypeOf<Ungranted<OwnerRow, ProvingDeps>>().toBeNever()
    expectTypeOf<Ungranted<object, CountingDeps>>().not.toBeNever()
  })

  test('a function gets what its row grants, and nothing else', () => {
    expectTypeOf<Granted<'get-me'>>().branded.toEqualTypeOf<
      Pick<Deps, keyof System | 'publicKeys'> &
        Configured<
          | 'issuer'
          | 'languages'
          | 'secondFactor'
          | 'sessionDays'
          | 'sessionIdleDays'
          | 'tokenAudience'
          | 'tokensNotBefore'
        > & { accounts: AccountReads }
    >()
    expectTypeOf<Granted<'register'>>().toExtend<
      Pick<Deps, 'blocklistNetwork' | 'isCommonPassword'> & Configured<'bcryptCost' | 'passwordBlocklist'>
    >()
    expectTypeOf<Granted<'login'>>().not.toExtend<Pick<Deps, 'isCommonPassword'>>()
    expectTypeOf<Granted<'login'>>().not.toExtend<Pick<Deps, 'blocklistNetwork'>>()
    expectTypeOf<Granted<'login'>>().not.toExtend<Configured<'passwordBlocklist'>>()
    expectTypeOf<Granted<'catalogue'>>().toEqualTypeOf<Pick<Deps, keyof System> & Configured<never>>()
  })
})

test('the mail worker waits longer for an account once register can no longer write it', () => {
  const { timeout } = needsOf(routes.register)
  expect(retryDelay(timeout * 1000)).toBe(retryDelay(0))
  expect(retryDelay(2 * timeout * 1000)).toBeGreaterThan(retryDelay(0))
})

/** Without one in its body: the mails that somebody asks for, and who takes an address, or takes it back. */
const ofAddresses: readonly string[] = ['on-mail-queued', 'confirm-email-change', 'undo']

test('what people type is read by its address, all else by an id', () => {
  const reads = functionNames.filter(name => needsOf(rows[name]).may.Addresses?.includes('GetItem'))
  const typed = reads.filter(name => membersOf(name).includes('email'))
  expect(typed).toEqual(['login', 'provider-login', 'authorize'])
  expect(reads.filter(name => !typed.includes(name)).toSorted()).toEqual(ofAddresses.toSorted())
})
