import { createHash } from 'node:crypto'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { type Account, noPassword } from '../../accounts/account/account.ts'
import { type AccountItem, type AccountStore, toAccount } from '../../accounts/account/attributes.ts'
import type { Change } from '../../accounts/change/change.ts'
import { undoable } from '../../accounts/change/change.ts'
import type { MailMessage } from '../../accounts/mail/queue.ts'
import { hashToken } from '../../accounts/token/token.ts'
import type { Deps } from '../../api/deps.ts'
import { english } from '../support/letter-words.ts'
import { once } from '../support/once.ts'
import type { Step } from './explore.ts'
import {
  accountsIn,
  clientOf,
  invariant,
  itemsIn,
  only,
  otherDeps,
  refuse,
  start,
  storeOf,
  usual,
  writesBy,
} from './outside.ts'
import { type Item, ModelTables, type Write } from './tables.ts'

/** Mailboxes: the owner's two, others' own, and a thief's two. */
export const mailboxes = {
  old: 'ada@example.com',
  new: 'ada@example.org',
  bob: 'bob@example.com',
  late: 'late@example.com',
  thief: 'thief@example.com',
  third: 'thief@example.org',
} as const

const owners: readonly string[] = [mailboxes.old, mailboxes.new]

/** A change of the explored code, which a law must detect. */
export interface Mutation {
  /** Changes a request that writes one item, or leaves it out (null). */
  write?: (write: Write, present: Item | undefined) => Write | null
  /** Transactions have no request token. */
  hasNoToken?: boolean
  /** Changes the domain's dependencies. */
  deps?: (deps: Deps) => Partial<Deps>
  /** Imports keep what exports do not have. */
  importsAll?: boolean
}

/** A mail, with its link's page and token, if it has one. */
export interface Mail {
  to: string
  kind: MailMessage['kind']
  /** Of its message's token. */
  hash: string
  page?: string
  token?: string
}

/** What is in the world of a prepared scene. */
export interface Kept {
  items: readonly (readonly [string, Item])[]
  mails: readonly Mail[]
  clock: number
  secrets: World['secrets']
}

/** Everybody draws the same in each run. */
const drawnBy = once((text: string) => createHash('sha512').update(text).digest())

/** Everything stored, queued and mailed, the calls that reach it, each a step; and the laws. */
export class World {
  readonly tables: ModelTables
  readonly queue: MailMessage[] = []
  readonly mails: Mail[]
  clock: number
  /** What people know beside their mails: recovery codes, and accounts as they were at their latest act. */
  readonly secrets: { codes: string[]; copies: Record<string, AccountItem> }
  /** Ids of accounts whose owners, or operators, have deleted them. */
  readonly deleted: string[] = []
  /** Ids of accounts that were verified once and had a password: nobody else may remove them. */
  readonly #settled = new Set<string>()
  /** Hashes of changes of which a verified mailbox must hear. */
  readonly #owed: { id: string; hash: string; to: string; kind: Change['kind'] }[] = []
  /** Mailboxes that must hear of a deletion, unless somebody else has them. */
  readonly #bereaved: string[] = []
  /** Tasks that have written what they came for. */
  readonly wrote = new Set<string>()
  /** Whether an undo has brought the account back: from then on it is its owner's. */
  isBack = false
  /** How often the account has changed its address, or come and gone. */
  moves = 0
  /** Whether the safe order's reset, and its move, are done. */
  safe: 'reset' | 'moved' | null = null
  /** The task that acts at this moment. */
  #task = ''
  #isTransaction = false
  #isUntold: boolean
  readonly #mutation: Mutation

  constructor(kept: Kept | null, mutation: Mutation = {}, isUntold = false) {
    this.#mutation = mutation
    this.#isUntold = isUntold
    this.tables = new ModelTables(kept?.items)
    this.mails = [...(kept?.mails ?? [])]
    this.clock = (kept?.clock ?? start) + 1000
    this.secrets = kept ? structuredClone(kept.secrets) : { codes: [], copies: {} }
    this.observe()
    if (mutation.write) this.tables.mutate = mutation.write
    this.tables.onChange = (before, after) =>
      this.#changes(before as AccountItem | undefined, after as AccountItem | undefined)
  }

  keep(): Kept {
    const { mails, clock, secrets } = this
    return { items: [...this.tables.items], mails, clock, secrets }
  }

  state(): unknown {
    const { queue, mails, clock, deleted, isBack, safe, secrets } = this
    const past = [
      mails,
      deleted,
      isBack,
      this.moves,
      safe,
      secrets.codes,
      [...this.#settled],
      this.#owed,
      this.#bereaved,
    ]
    return [itemsIn(this.tables), queue, past, clock]
  }

  #ofKind(kind: string): [name: string, item: Item][] {
    const prefix = `Accounts ${kind}#`
    return [...this.tables.items].flatMap(([key, item]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), item] as [string, Item]] : [],
    )
  }

  get accounts(): Account[] {
    return accountsIn(this.tables)
  }

  /** Ada's account, if it is there. */
  get ada(): Account | undefined {
    return this.accounts.find(({ id }) => id === 'ada')
  }

  /** Links that were mailed to an address, the oldest first. */
  links(page: string, to?: string): string[] {
    return this.mails.flatMap(mail =>
      mail.page === page && (to ?? mail.to) === mail.to && mail.token ? [mail.token] : [],
    )
  }

  observe(): void {
    for (const { id, isVerified, passwordHash } of this.accounts)
      if (isVerified && passwordHash !== noPassword) this.#settled.add(id)
  }

  /** Laws of single writes. */
  #changes(before: AccountItem | undefined, after: AccountItem | undefined): void {
    const { id, token_version } = before ?? after ?? {}
    // Entries have none.
    if (id === undefined || token_version === undefined) return
    if (id === 'ada' && before?.email !== after?.email) this.moves += 1
    // Single writes leave a mark, which another's may replace.
    if (this.#isTransaction) this.wrote.add(this.#task)
    const [old, present] = [before && toAccount(before), after && toAccount(after)]
    if (!present) {
      const living = undoable(old as Account, new Date(this.clock)).map(({ email }) => email)
      if (this.#task.includes(': delete')) this.deleted.push(id)
      if (old && /: delete \d/.test(this.#task)) this.#bereaved.push(...(old.isVerified ? [old.email] : []), ...living)
      return
    }
    if (present.tokens.reset.hash !== old?.tokens.reset.hash) {
      const asked = this.queue.find(({ token }) => hashToken(token) === present.tokens.reset.hash)
      const isThere = asked?.kind !== 'reset' || asked.email === present.email
      invariant('a link is stored where its address is', isThere)
    }
    for (const { hash, kind, email: to } of present.changes) {
      const isOwed = !old?.changes.some(change => change.hash === hash) && (old?.isVerified ?? present.isVerified)
      if (isOwed && (kind !== 'undone' || old?.email !== present.email)) this.#owed.push({ id, hash, to, kind })
    }
    if (/operator/.test(this.#task)) this.isBack = false
    if (old && old.passwordChangedBy !== present.passwordChangedBy) {
      if (old.isVerified)
        this.#owed.push({ id: old.id, hash: present.passwordChangedBy ?? '', to: old.email, kind: 'email' })
      if (/reset/.test(this.#task)) {
        this.#checkReset(old, present)
        // Who has the link of that mailbox has the account.
        this.isBack = false
      }
    }
  }

  /** The law of resets. */
  #checkReset(old: Account, present: Account): void {
    const now = new Date(this.clock)
    const left = undoable(present, now)
    const keeps = this.#task.includes('keeps')
    const setUp = old.factor === null ? undefined : old.changes.findLast(({ kind }) => kind === 'factor')
    for (const change of undoable(old, now)) {
      const isListed = old.resetLists.includes(change.hash)
      const isSetUp = change.hash === setUp?.hash
      const stays = change.email !== old.email || (keeps ? !isListed : isSetUp)
      const isLeft = left.some(({ hash }) => hash === change.hash)
      invariant('a reset leaves no link but the one said', stays || !isLeft)
      invariant('a reset leaves each link that may still be needed', !stays || isLeft)
    }
  }

  /** Laws of each state. @param thief what a thief has, and nothing else */
  check(isOver: boolean, thief: 'password' | 'mailbox' | undefined): void {
    const { accounts, ada } = this
    const entries = Object.fromEntries(this.#ofKind('email').map(([email, { id }]) => [email, id]))
    const right = Object.fromEntries(accounts.map(({ email, id }) => [email, id]))
    invariant('each account has its address’s entry, and no other entry is there', sameText(entries, right))
    invariant('no two accounts have an address', Object.keys(right).length === accounts.length)
    const holders = accounts.flatMap(({ id, identities }) => identities.map(({ key }) => [key, id] as const))
    const led = new Map(this.#ofKind('identity').map(([key, { id }]) => [key, id]))
    invariant(
      'each identity leads to who holds it',
      holders.every(([key, id]) => led.get(key) === id),
    )
    for (const id of this.#settled) {
      const isThere = this.deleted.includes(id) || accounts.some(account => account.id === id)
      invariant('nobody takes the account of a verified address', isThere)
    }
    if (ada && thief === 'password') invariant('a stolen password alone is never final', this.#hasWayBack(ada))
    if (ada && thief === 'mailbox') {
      const isHers = ada.factor !== null && owners.includes(ada.email)
      invariant('a mailbox alone never ends what took a second factor', isHers)
    }
    if (ada && this.isBack) {
      const { email, passkeys, identities, factor, passwordHash, sessions, tokenVersion } = ada
      const isHers = email === mailboxes.old && passwordHash === noPassword && factor === null
      const logins = [...passkeys, ...identities, ...sessions.filter(({ version }) => version === tokenVersion)]
      const links = undoable(ada, new Date(this.clock)).filter(change => !owners.includes(change.email))
      invariant('an undo wins, and ends all that a thief has', isHers && logins.length + links.length === 0)
    }
    if (ada && this.safe) {
      const links = undoable(ada, new Date(this.clock)).filter(change => change.email === mailboxes.old)
      invariant('the safe order leaves no link in the old mailbox', links.length === 0)
      invariant('after the safe order the account stays', this.safe !== 'moved' || ada.email === mailboxes.new)
    }
    if (isOver && !this.#isUntold) this.#checkTold()
  }

  #checkTold(): void {
    const { accounts } = this
    for (const { id, hash, to } of this.#owed) {
      const account = accounts.find(each => each.id === id)
      const isOwed = account && (account.changes.some(c => c.hash === hash) || account.passwordChangedBy === hash)
      invariant('each change is told where the account was', !isOwed || this.#isTold(hash, to))
      const isLiving = account && undoable(account, new Date(this.clock)).some(change => change.hash === hash)
      const hasLink = this.mails.some(mail => mail.hash === hash && mail.page === 'undo')
      invariant('a link that works was mailed', !isLiving || hasLink)
    }
    for (const to of this.#bereaved) {
      const isTold = this.mails.some(mail => mail.kind === 'account-deleted' && mail.to === to)
      // Not where somebody has the address by then, nor of an account that an import has brought back.
      const isMoot = this.ada !== undefined || accounts.some(({ email }) => email === to)
      invariant('a deletion is told to each mailbox that could undo', isTold || isMoot)
    }
  }

  #isTold = (hash: string, to: string): boolean => this.mails.some(mail => mail.hash === hash && mail.to === to)

  /** Whether the owner can get it back: by an undo link in her mailbox, or by a reset there that no thief's app is in the way of. */
  #hasWayBack(account: Account): boolean {
    const { factor, email } = account
    const isHerFactor = factor === null || this.secrets.copies.file?.totp_secret !== undefined
    const mayReset = owners.includes(email) && isHerFactor && account.isVerified
    return mayReset || undoable(account, new Date(this.clock)).some(change => owners.includes(change.email))
  }

  #mail(to: string, text: string, message: MailMessage | undefined): void {
    if (!message) throw new Error('nothing is mailed but by a message')
    const [, page, token] = /example\.com\/([a-z-]+)\?token=([\w-]+)/.exec(text) ?? []
    const hash = hashToken(message.token)
    this.mails.push({ to, kind: message.kind, hash, ...(page && token && { page, token }) })
  }

  takeOff(message: MailMessage): void {
    const at = this.queue.indexOf(message)
    if (at >= 0) this.queue.splice(at, 1)
  }

  /** The client of a task. */
  #client(step: Step, task: string): DynamoDBDocumentClient {
    const acts = (isTransaction: boolean) => {
      this.#task = task
      this.#isTransaction = isTransaction
    }
    return clientOf(this.tables, step, acts, this.#mutation.hasNoToken)
  }

  store(step: Step, task: string): AccountStore {
    return storeOf(this.#client(step, task))
  }

  /** @param number of the task, from which its ids and random numbers follow */
  deps(step: Step, task: string, number: number, delivered?: MailMessage): Deps {
    const now = this.clock
    let drawn = 0
    const draw = (size: number) => Buffer.from(drawnBy(`${number} ${++drawn}`).subarray(0, size))
    const deps: Deps = {
      ...otherDeps,
      ...writesBy(this.#client(step, task)),
      now: () => new Date(now + (delivered ? 60_001 : 0)),
      newId: () => `id-${number * 100 + ++drawn}`,
      randomBytes: draw,
      config: {
        ...usual,
        ...{ rateLimits: null, mailFrom: 'no-reply@example.com', requireEmailVerification: false },
        ...{ secondFactor: 'optional', siteUrl: 'https://accounts.example.com', bcryptCost: 4 },
      },
      queueMail: message => step('SendMessage', () => void this.queue.push(message), refuse),
      sendMail: (to, { text }) => step('SendEmail', () => this.#mail(to, text, delivered), refuse),
      letterWords: () => english,
      // Caps and guesses have tests of their own.
      counters: only<Deps['counters']>({
        take: async () => 1,
        takeOnce: async () => true,
        clear: async () => {},
        takeGuess: async () => null,
        returnGuess: async () => {},
        forgiveGuess: async () => {},
      }),
      factorKey: { encrypt: async (_, secret) => secret, decrypt: async (_, secret) => secret },
    }
    return { ...deps, ...this.#mutation.deps?.(deps) }
  }

  get mutation(): Mutation {
    return this.#mutation
  }
}

const sameText = (one: object, other: object): boolean =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort())
