import bcrypt from 'bcryptjs'
import { expect, test, vi } from 'vitest'
import type { Signer } from '../../shared/accounts/access-token.ts'
import type { Account, Accounts } from '../../shared/accounts/account.ts'
import { verifyEmail } from '../../shared/accounts/email-verification.ts'
import { deliverMail } from '../../shared/accounts/mail.ts'
import { type MailMessage, requestMail } from '../../shared/accounts/mail-queue.ts'
import { hashToken, type TokenKind } from '../../shared/accounts/one-time-token.ts'
import { resetPassword } from '../../shared/accounts/password-reset.ts'
import { openAccount } from '../../shared/accounts/registration.ts'
import type { Deps } from '../../shared/deps.ts'
import { DomainError } from '../../shared/errors.ts'
import type { Counters } from '../../shared/limits/counters.ts'
import { ada } from '../support/people.ts'
import { ModelAccounts } from './accounts.ts'
import { explore, type Step, type System, type Task } from './explore.ts'

/**
 * Register, resend and forgot with their worker, explored completely: each call to the outside may fail, each process
 * may die before and after each of its calls, messages are delivered in any order, and again.
 *
 * What runs is the domain's own code, over a queue as SQS promises it and a table that another test holds against the
 * real one.
 */

/** The same hash is asked for in thousands of runs, and comes out the same each time: it is computed once. */
const hashes = new Map<string, Promise<string>>()
const hash = bcrypt.hash
vi.spyOn(bcrypt, 'hash').mockImplementation(async (password: string, salt: string | number) => {
  const key = `${salt} ${password}`
  const known = hashes.get(key) ?? hash(password, salt)
  hashes.set(key, known)
  return known
})

type Request = 'register' | TokenKind

interface Scenario {
  /** What is asked for, at any time. */
  requests: readonly Request[]
  /** Whether the account is there at the start, its registration long mailed. */
  isRegistered?: boolean
  /** How many links a person follows. */
  clicks?: number
  workers?: number
}

const start = Date.parse('2026-03-01T12:00:00Z')
const { email } = ada
const kindOf = ({ kind }: MailMessage): TokenKind => (kind === 'reset' ? 'reset' : 'verification')

class MailSystem implements System {
  readonly #scenario: Scenario
  readonly #table = new ModelAccounts()
  readonly #queue: { message: MailMessage; isOverAMinuteOld: boolean }[] = []
  readonly #mailed: MailMessage[] = []
  /** Requests that were told success, and whether the account was there by then. */
  readonly #promised: { request: Request; at: number; hadAccount: boolean }[] = []
  /** Hashes of tokens that were spent, and of those that accounts were born with. */
  readonly #spent: string[] = []
  readonly #born: string[] = []
  readonly #requests: Request[]
  #clicks: number
  #draws = 0
  #clock = start

  constructor(scenario: Scenario) {
    this.#scenario = scenario
    this.#requests = [...scenario.requests]
    this.#clicks = scenario.clicks ?? 0
    if (!scenario.isRegistered) return
    const born: MailMessage = { kind: 'registration', email, token: 'first', requested_at: start }
    this.#table.insert(newAccount(born))
    this.#born.push(hashToken(born.token))
    this.#mailed.push(born)
  }

  get #account(): Account | undefined {
    return this.#table.byEmail.get(email)
  }

  state(): string {
    const { byEmail } = this.#table
    const history = [this.#mailed, this.#promised, this.#spent, this.#born]
    return JSON.stringify([[...byEmail], this.#queue, history, this.#requests, this.#clicks, this.#draws, this.#clock])
  }

  startable(running: readonly string[]): Task[] {
    const requests = [...new Set(this.#requests)].map(request => this.#request(request))
    const deliveries = this.#queue.map((_, i) => this.#delivery(i)).filter(({ name }) => !running.includes(name))
    const busyWorkers = running.filter(name => name.startsWith('delivery')).length
    const clicks = this.#clicks > 0 ? this.#mailed.map(mail => this.#click(mail)) : []
    const isRegistering = running.includes('register')
    return [
      ...requests,
      ...(busyWorkers < (this.#scenario.workers ?? 1) ? deliveries : []),
      ...clicks,
      // Register stops after 10 s: no minute passes while one is under way.
      ...(!isRegistering && this.#queue.some(queued => !queued.isOverAMinuteOld) ? [this.#aMinutePasses()] : []),
    ]
  }

  #request(request: Request): Task {
    return {
      name: request,
      run: async step => {
        this.#requests.splice(this.#requests.indexOf(request), 1)
        this.#clock += 1
        const at = this.#clock
        const deps = this.#deps(step, at)
        if (request === 'register') await openAccount(deps, { ...ada, name: null })
        else await requestMail(deps, request, email)
        this.#promised.push({ request, at, hadAccount: this.#account !== undefined })
      },
    }
  }

  #delivery(i: number): Task {
    const queued = this.#queue[i]
    return {
      name: `delivery of ${queued?.message.token}`,
      run: async step => {
        if (!queued) return
        const age = queued.isOverAMinuteOld ? 60_001 : 0
        const outcome = await deliverMail(this.#deps(step), queued.message, new Date(this.#clock - age))
        if (outcome === 'early') return
        await step('DeleteMessage', () => void this.#queue.splice(this.#queue.indexOf(queued), 1))
      },
    }
  }

  #click(mail: MailMessage): Task {
    return {
      name: `click on ${mail.token}`,
      run: async step => {
        this.#clicks -= 1
        const { token } = mail
        if (kindOf(mail) === 'verification') await verifyEmail(this.#deps(step), token)
        else await resetPassword(this.#deps(step), { token, new_password: 'battery staple' })
      },
    }
  }

  #aMinutePasses(): Task {
    return {
      name: 'a minute passes',
      run: async () => {
        for (const queued of this.#queue) queued.isOverAMinuteOld = true
      },
    }
  }

  #deps(step: Step, now?: number): Deps {
    const table = this.#table
    const refuse = () => {
      throw new DomainError('unavailable')
    }
    const spend = (hash: string, isSpent: boolean): boolean => {
      if (isSpent) this.#spent.push(hash)
      return isSpent
    }
    return {
      now: () => new Date(now ?? this.#clock),
      newId: () => `account ${this.#draws}`,
      randomBytes: size => Buffer.alloc(size, ++this.#draws),
      log: () => {},
      config: {
        ...{ accessTokenMinutes: 60, adminEmail: null, bcryptCost: 4, issuer: '', rateLimits: null, tokenAudience: '' },
        ...{ mailFrom: 'no-reply@example.com', requireEmailVerification: true, siteUrl: 'https://example.com' },
      },
      queueMail: message =>
        step('SendMessage', () => void this.#queue.push({ message, isOverAMinuteOld: false }), refuse),
      sendMail: (_, { text }) => step('SendEmail', () => void this.#mailed.push(this.#mailWith(text)), refuse),
      accounts: only<Accounts>({
        find: address => step('GetItem', () => table.find(address), refuse),
        findByToken: (kind, hash) => step('Query', () => table.findByToken(kind, hash), refuse),
        insert: account =>
          step(
            'PutItem',
            () => {
              const isWritten = table.insert(account)
              if (isWritten) this.#born.push(account.verification.hash)
              return isWritten
            },
            refuse,
          ),
        storeToken: (kind, account, token) =>
          step('UpdateItem (store)', () => table.storeToken(kind, account, token), refuse),
        spendVerificationToken: (account, hash, at) =>
          step('UpdateItem (verify)', () => spend(hash, table.spendVerificationToken(account, hash, at)), refuse),
        spendResetToken: (account, hash, password, at) =>
          step('UpdateItem (reset)', () => spend(hash, table.spendResetToken(account, hash, password, at)), refuse),
      }),
      counters: only<Counters>({}),
      postponeMail: unused,
      signer: only<Signer>({}),
      publicKeys: unused,
    }
  }

  /** The message whose link a mail has. */
  #mailWith(text: string): MailMessage {
    const mail = this.#queue.find(({ message }) => text.includes(`token=${message.token}`))
    if (!mail) throw new Error('a mail has a link that was never queued')
    return mail.message
  }

  check(isOver: boolean): void {
    const account = this.#account
    const births = this.#mailed.filter(({ kind }) => kind === 'registration')
    law(
      'no mail for a failed registration',
      births.every(({ token }) => this.#born.includes(hashToken(token))),
    )

    for (const kind of ['verification', 'reset'] as const) {
      const held = account?.tokens[kind].hash ?? ''
      law('no used link comes back to life', !this.#spent.includes(held))
      const last = this.#mailed.findLast(mail => kindOf(mail) === kind)
      const isMoot = kind === 'verification' && account?.isVerified === true
      const isLive = !last || [held, ...this.#spent].includes(hashToken(last.token)) || isMoot
      if (isOver && (this.#scenario.workers ?? 1) === 1) law('no dead link is mailed last', isLive)
    }
    const verifications = [...this.#queue.map(({ message }) => message), ...this.#mailed].filter(
      mail => kindOf(mail) === 'verification',
    )
    law('no account without a mail on its way', !account || verifications.length > 0)

    if (!isOver) return
    for (const { request, at, hadAccount } of this.#promised) {
      const kind = request === 'reset' ? 'reset' : 'verification'
      const isMoot = !hadAccount || (kind === 'verification' && account?.isVerified === true)
      const isServed = this.#mailed.some(mail => kindOf(mail) === kind && mail.requested_at >= at)
      law('what was promised is mailed, or something newer is', isMoot || isServed)
      law('an account that was promised is there', request !== 'register' || account !== undefined)
    }
  }
}

const unused = (): never => {
  throw new Error('limits are off, and nobody logs in')
}

/** A part of the outside world of which this much is used, and nothing else may be. */
const only = <T extends object>(used: Partial<T>): T =>
  new Proxy(used, { get: (own, member) => Reflect.get(own, member) ?? unused }) as T

const newAccount = ({ token, requested_at }: MailMessage) => ({
  id: 'ada',
  email,
  name: null,
  passwordHash: '',
  isAdmin: false,
  isVerified: false,
  tokenVersion: 0,
  createdAt: new Date(requested_at),
  verification: { hash: hashToken(token), expiresAt: new Date(start + 1e6), requestedAt: new Date(requested_at) },
})

function law(text: string, holds: boolean): void {
  if (!holds) throw new Error(`broken: ${text}`)
}

test.each<[string, Scenario, number]>([
  ['a registration', { requests: ['register'], clicks: 1 }, 2],
  ['two registrations of one address', { requests: ['register', 'register'] }, 1],
  ['a registration and a wish for another link', { requests: ['register', 'verification'] }, 1],
  [
    'two wishes for a verification link',
    { isRegistered: true, requests: ['verification', 'verification'], clicks: 1 },
    1,
  ],
  ['two forgotten passwords', { isRegistered: true, requests: ['reset', 'reset'], clicks: 1 }, 1],
  ['wishes of both kinds', { isRegistered: true, requests: ['verification', 'reset'] }, 1],
  ['two workers at once', { isRegistered: true, requests: ['reset', 'reset'], workers: 2 }, 1],
])('the laws of mail hold for %s', { timeout: 60_000 }, async (_, scenario, faults) => {
  const { states } = await explore(() => new MailSystem(scenario), { faults })
  expect(states).toBeGreaterThan(200)
})
