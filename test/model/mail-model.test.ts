import bcrypt from 'bcryptjs'
import { expect, test, vi } from 'vitest'
import type { Account, Accounts } from '../../shared/accounts/account.ts'
import { deleteAccount } from '../../shared/accounts/deletion.ts'
import { verifyEmail } from '../../shared/accounts/email-verification.ts'
import {
  type LinkMessage,
  type MailMessage,
  type NoticeMessage,
  requestMail,
} from '../../shared/accounts/mail/queue.ts'
import { deliverMail } from '../../shared/accounts/mail/worker.ts'
import { changePassword } from '../../shared/accounts/passwords/password-change.ts'
import { hashPassword, noPassword } from '../../shared/accounts/passwords/password-hash.ts'
import { resetPassword } from '../../shared/accounts/passwords/password-reset.ts'
import { openAccount } from '../../shared/accounts/registration.ts'
import { hashToken, oneTimeToken, type TokenKind } from '../../shared/accounts/tokens/one-time-token.ts'
import type { Deps } from '../../shared/deps.ts'
import { DomainError } from '../../shared/errors.ts'
import type { Counters } from '../../shared/limits/counters.ts'
import { ada } from '../support/service/people.ts'
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

type Request = 'register' | 'change' | 'delete' | 'lock' | 'revoke' | TokenKind

interface Scenario {
  /** What is asked for, at any time. */
  requests: readonly Request[]
  /** Whether the account is there at the start, its registration long mailed, and whether its address is verified. */
  isRegistered?: boolean
  isVerified?: boolean
  /** Whether a reset link was mailed, and has not been used. */
  hasReset?: boolean
  /** How many links a person follows. */
  clicks?: number
  workers?: number
  /** How many mails an address may get; no cap when left out. */
  cap?: number
}

const start = Date.parse('2026-03-01T12:00:00Z')
const { email } = ada
const remote = '203.0.113.7'
const kindOf = ({ kind }: LinkMessage): TokenKind => (kind === 'reset' ? 'reset' : 'verification')
const passwordHash = await hashPassword(
  { randomBytes: size => Buffer.alloc(size), config: { bcryptCost: 4 } },
  ada.password,
)

class MailSystem implements System {
  readonly #scenario: Scenario
  readonly #table = new ModelAccounts()
  readonly #queue: { message: MailMessage; isOverAMinuteOld: boolean }[] = []
  readonly #mailed: LinkMessage[] = []
  /** Notices that were mailed, as often as they were. */
  readonly #notices: NoticeMessage[] = []
  /** Marks of the writes that set a password, and ids of deleted accounts: those whose owners were to be told. */
  readonly #changedBy: string[] = []
  readonly #deleted: string[] = []
  /** What has been counted once, by message. */
  readonly #taken = new Map<string, string[]>()
  /** Requests that were told success, and whether the account was there by then. */
  readonly #promised: { request: Request; at: number; hadAccount: boolean }[] = []
  /** Of a revocation: the time that it names, that of its write, and how many tokens had been spent by then. */
  #revoked: { at: number; writtenAt: number; spent: number } | null = null
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
    const born: LinkMessage = { kind: 'registration', email, token: 'first', requested_at: start }
    this.#table.insert({ ...newAccount(born), isVerified: scenario.isVerified ?? false })
    this.#born.push(hashToken(born.token))
    this.#mailed.push(born)
    if (!scenario.hasReset) return
    const reset: LinkMessage = { ...born, kind: 'reset', token: 'second' }
    this.#table.storeToken(
      'reset',
      this.#table.find(email) as Account,
      oneTimeToken('reset', 'second', new Date(start)),
    )
    this.#mailed.push(reset)
  }

  get #account(): Account | undefined {
    return this.#table.byEmail.get(email)
  }

  state(): string {
    const { byEmail } = this.#table
    const history = [
      this.#mailed,
      this.#notices,
      this.#changedBy,
      this.#deleted,
      this.#promised,
      this.#spent,
      this.#born,
      this.#revoked,
    ]
    return JSON.stringify([
      [...byEmail],
      this.#queue,
      history,
      this.#requests,
      this.#clicks,
      this.#draws,
      this.#clock,
      [...this.#taken],
    ])
  }

  startable(running: readonly string[]): Task[] {
    const requests = [...new Set(this.#requests)].map(request => this.#request(request))
    const deliveries = this.#queue.map((_, i) => this.#delivery(i)).filter(({ name }) => !running.includes(name))
    const busyWorkers = running.filter(name => name.startsWith('delivery')).length
    const isLive = (mail: LinkMessage) => kindOf(mail) === 'reset' || !this.#account?.isVerified
    const clicks = this.#clicks > 0 ? this.#mailed.filter(isLive).map(mail => this.#click(mail)) : []
    const isWriting = running.some(name => /^(?:register|change|delete|click)/.test(name))
    return [
      ...requests,
      ...(busyWorkers < (this.#scenario.workers ?? 1) ? deliveries : []),
      ...clicks,
      // A request stops after 20 s: no minute passes while one is under way.
      ...(!isWriting && this.#queue.some(queued => !queued.isOverAMinuteOld) ? [this.#aMinutePasses()] : []),
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
        else if (request === 'change' || request === 'delete') await this.#asOwner(request, deps)
        else if (request === 'lock' || request === 'revoke') return this.#asOperator(request, deps, step)
        else await requestMail(deps, request, email)
        this.#promised.push({ request, at, hadAccount: this.#account !== undefined })
      },
    }
  }

  async #asOperator(request: 'lock' | 'revoke', deps: Deps, step: Step): Promise<void> {
    const account = await deps.accounts.find(email)
    if (account === null) return
    const now = deps.now()
    await step(
      `UpdateItem (${request})`,
      () => {
        const isWritten = this.#table[request](account, now)
        if (isWritten && request === 'revoke')
          this.#revoked = { at: now.getTime(), writtenAt: this.#clock, spent: this.#spent.length }
        return isWritten
      },
      () => {
        throw new DomainError('unavailable')
      },
    )
  }

  async #asOwner(request: 'change' | 'delete', deps: Deps): Promise<void> {
    const account = await deps.accounts.find(email)
    if (account === null) return
    const passwords = { current_password: ada.password, new_password: 'battery staple' }
    if (request === 'change') await changePassword(deps, remote, account, passwords)
    else await deleteAccount(deps, remote, account, { password: ada.password })
  }

  #delivery(i: number): Task {
    const queued = this.#queue[i]
    return {
      name: `delivery of ${queued?.message.token}`,
      run: async step => {
        if (!queued) return
        const age = queued.isOverAMinuteOld ? 60_001 : 0
        const deps = this.#deps(step, this.#clock, queued.message)
        const outcome = await deliverMail(deps, queued.message, new Date(this.#clock - age))
        if (outcome === 'early') return
        await step('DeleteMessage', () => void this.#queue.splice(this.#queue.indexOf(queued), 1))
      },
    }
  }

  #click(mail: LinkMessage): Task {
    return {
      name: `click on ${mail.token}`,
      run: async step => {
        this.#clicks -= 1
        const { token } = mail
        if (kindOf(mail) === 'verification') await verifyEmail(this.#deps(step), token)
        else await resetPassword(this.#deps(step), remote, { token, new_password: 'battery staple' })
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

  #deps(step: Step, now?: number, delivered?: MailMessage): Deps {
    const table = this.#table
    const refuse = () => {
      throw new DomainError('unavailable')
    }
    const spend = (hash: string, isSpent: boolean): boolean => {
      if (isSpent) this.#spent.push(hash)
      return isSpent
    }
    /** What a write sets a password by, if its owner is to be told. */
    const change = (mark: string, { isVerified }: Account, isWritten: boolean): boolean => {
      if (isWritten && isVerified) this.#changedBy.push(mark)
      return isWritten
    }
    const rateLimits = this.#scenario.cap === undefined ? null : new Map()
    /** As the task at hand has read it last. */
    let read: Account | null = null
    return {
      now: () => new Date(now ?? this.#clock),
      newId: () => `id ${++this.#draws}`,
      randomBytes: size => Buffer.alloc(size, ++this.#draws),
      log: () => {},
      config: {
        ...{ accessTokenMinutes: 60, adminEmail: null, bcryptCost: 4, issuer: '', rateLimits, tokenAudience: '' },
        ...{ mailFrom: 'no-reply@example.com', requireEmailVerification: true, siteUrl: 'https://example.com' },
        ...{ appUrl: null, productName: 'Gatehouse', supportEmail: null, passwordBlocklist: false },
      },
      isCommonPassword: () => false,
      queueMail: message =>
        step('SendMessage', () => void this.#queue.push({ message, isOverAMinuteOld: false }), refuse),
      sendMail: (_, { text }) => step('SendEmail', () => this.#mail(delivered, text, read), refuse),
      accounts: only<Accounts>({
        async find(address) {
          read = await step('GetItem', () => table.find(address), refuse)
          return read
        },
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
        spendVerificationToken: (account, hash, mark, at) =>
          step('UpdateItem (verify)', () => spend(hash, table.spendVerificationToken(account, hash, mark, at)), refuse),
        spendResetToken: (account, hash, written, at) =>
          step(
            'UpdateItem (reset)',
            () => {
              const isSpent = table.spendResetToken(account, hash, written, at)
              return change(written.mark, account, spend(hash, isSpent))
            },
            refuse,
          ),
        changePassword: (account, written, at) =>
          step(
            'UpdateItem (change)',
            () => change(written.mark, account, table.changePassword(account, written, at)),
            refuse,
          ),
        delete: account =>
          step(
            'DeleteItem',
            () => {
              const isThere = table.find(email)?.id === account.id
              const isDeleted = table.delete(account)
              if (isDeleted && isThere && account.isVerified) this.#deleted.push(account.id)
              return isDeleted
            },
            refuse,
          ),
      }),
      counters: only<Counters>({
        takeOnce: (key, member, { limit }) =>
          step(
            'UpdateItem (once)',
            () => {
              const taken = this.#taken.get(key) ?? []
              const isTaken = taken.includes(member)
              const isRoom = taken.length < Math.min(limit, this.#scenario.cap ?? limit)
              if (!isTaken && isRoom) this.#taken.set(key, [...taken, member])
              return isTaken || isRoom
            },
            refuse,
          ),
      }),
      postponeMail: unused,
      signer: {
        keyId: 'key',
        sign: () => step('Sign', () => Buffer.from('signature'), refuse),
      },
      publicKeys: unused,
    }
  }

  /** Keeps what is mailed, by the message that it was mailed for. */
  #mail(message: MailMessage | undefined, text: string, read: Account | null): void {
    if (message && 'account_id' in message) {
      law('no notice holds a token or a link', !text.includes(message.token) && !text.includes('://'))
      this.#notices.push(message)
    } else if (message && text.includes(`token=${message.token}`)) {
      law('no link is mailed to an account that was seen locked', read?.lockedAt === null)
      this.#mailed.push(message)
    } else throw new Error('a mail has a link that was never queued')
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
      // A change voids the links that were mailed before it, and a deletion all of them.
      const isVoided = !account || this.#revoked !== null || (kind === 'reset' && account.passwordChangedBy !== null)
      const isMoot = isVoided || (kind === 'verification' && account.isVerified)
      const isLive = !last || [held, ...this.#spent].includes(hashToken(last.token)) || isMoot
      if (isOver && (this.#scenario.workers ?? 1) === 1) law('no dead link is mailed last', isLive)
    }
    const queued = this.#queue.flatMap(({ message }) => ('account_id' in message ? [] : [message]))
    const verifications = [...queued, ...this.#mailed].filter(mail => kindOf(mail) === 'verification')
    const isBarred = account?.lockedAt != null || this.#revoked !== null
    law('no account without a mail on its way', !account || isBarred || verifications.length > 0)

    if (account && this.#revoked) this.#checkRevocation(account, this.#revoked)
    this.#checkNotices(isOver)

    if (!isOver) return
    for (const { request, at, hadAccount } of this.#promised) {
      if (request === 'change' || request === 'delete') continue
      const kind = request === 'reset' ? 'reset' : 'verification'
      // A change voids links that are on the queue, too.
      const isVoided = kind === 'reset' && account?.passwordChangedBy != null
      const isBarred = account?.lockedAt != null || (this.#revoked !== null && at <= this.#revoked.writtenAt)
      const isMoot = !hadAccount || isBarred || isVoided || (kind === 'verification' && account?.isVerified === true)
      const isServed = this.#mailed.some(mail => kindOf(mail) === kind && mail.requested_at >= at)
      law('what was promised is mailed, or something newer is', isMoot || isServed)
      const isThere = account !== undefined || this.#deleted.length > 0
      law('an account that was promised is there', request !== 'register' || isThere)
    }
  }

  #checkRevocation(account: Account, revoked: { at: number; spent: number }): void {
    for (const { hash, requestedAt } of Object.values(account.tokens)) {
      law('no link of before a revocation works', hash === null || Number(requestedAt) > revoked.at)
    }
    const isReset = this.#spent.length > revoked.spent
    law('a revoked account has no password but by a later link', account.passwordHash === noPassword || isReset)
  }

  #checkNotices(isOver: boolean): void {
    for (const { kind, token, account_id } of this.#notices) {
      const hasHappened =
        kind === 'account-deleted' ? this.#deleted.includes(account_id) : this.#changedBy.includes(hashToken(token))
      law('an owner of a verified address is told of what happened, and nobody of anything else', hasHappened)
    }
    const tokensOf = (kind: string) =>
      new Set(this.#notices.filter(notice => notice.kind === kind).map(({ token }) => token))
    law('a deletion is told by one message', tokensOf('account-deleted').size <= this.#deleted.length)

    if (!isOver) return
    const isTold = (kind: string) => tokensOf(kind).size > 0
    law('each deletion is told', this.#deleted.length === 0 || isTold('account-deleted'))
    const last = this.#account?.passwordChangedBy
    const isOwed = last && this.#changedBy.includes(last)
    law(
      'the last change is told',
      !isOwed || [...tokensOf('password-changed')].some(token => hashToken(token) === last),
    )
  }
}

const unused = (): never => {
  throw new Error('limits are off, and nobody logs in')
}

/** A part of the outside world of which this much is used, and nothing else may be. */
const only = <T extends object>(used: Partial<T>): T =>
  new Proxy(used, { get: (target, member) => Reflect.get(target, member) ?? unused }) as T

const newAccount = ({ token, requested_at }: MailMessage) => ({
  id: 'ada',
  email,
  name: null,
  passwordHash,
  isAdmin: false,
  isVerified: false,
  tokenVersion: 0,
  createdAt: new Date(requested_at),
  verification: { hash: hashToken(token), expiresAt: new Date(start + 1e6), requestedAt: new Date(requested_at) },
})

function law(text: string, holds: boolean): void {
  if (!holds) throw new Error(`broken: ${text}`)
}

const verified = { isRegistered: true, isVerified: true }

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
  ['a forgotten password, of which one mail may come', { isRegistered: true, requests: ['reset'], cap: 1 }, 3],
  ['two workers at once', { isRegistered: true, requests: ['reset', 'reset'], workers: 2 }, 1],
  ['a changed password', { ...verified, requests: ['change'] }, 2],
  ['two changes at once', { ...verified, requests: ['change', 'change'] }, 1],
  ['a change and a forgotten password', { ...verified, requests: ['change', 'reset'] }, 1],
  ['a change and a reset', { ...verified, hasReset: true, requests: ['change'], clicks: 1 }, 1],
  ['a change of whose notices two workers take care', { ...verified, requests: ['change'], workers: 2 }, 2],
  ['a deletion', { ...verified, requests: ['delete'] }, 2],
  ['two deletions at once', { ...verified, requests: ['delete', 'delete'] }, 1],
  ['a deletion and a change', { ...verified, requests: ['delete', 'change'] }, 1],
  ['a deletion and a registration of its address', { ...verified, requests: ['delete', 'register'] }, 1],
  ['a lock and a forgotten password', { isRegistered: true, requests: ['lock', 'reset'], workers: 2 }, 1],
  ['a lock and a registration', { requests: ['register', 'lock'] }, 1],
  ['a lock, a change and a reset', { ...verified, hasReset: true, requests: ['lock', 'change'], clicks: 1 }, 0],
  ['a revocation and a forgotten password', { isRegistered: true, requests: ['revoke', 'reset'], clicks: 1 }, 1],
  ['a revocation, a change and a reset', { ...verified, hasReset: true, requests: ['revoke', 'change'], clicks: 1 }, 0],
  ['a revocation and a wish for a link', { isRegistered: true, requests: ['revoke', 'verification'], clicks: 1 }, 0],
  ['an account whose address is not verified', { isRegistered: true, requests: ['change', 'change', 'delete'] }, 1],
])('the laws of mail hold for %s', { timeout: 180_000 }, async (_, scenario, faults) => {
  const { states } = await explore(() => new MailSystem(scenario), { faults })
  expect(states).toBeGreaterThan(200)
})
