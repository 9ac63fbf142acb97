import type { Account } from '../../accounts/account/account.ts'
import type { AccountItem, AccountStore } from '../../accounts/account/attributes.ts'
import type { SetupLinks } from '../../accounts/factor/setup-link.ts'
import type { MailMessage } from '../../accounts/mail/queue.ts'
import type { Deps } from '../../api/deps.ts'
import type { Counters } from '../../shared/base/limits/counters.ts'
import { english } from '../support/letter-words.ts'
import { ada } from '../support/service/people.ts'
import type { Step } from './explore.ts'
import { MailHistory } from './mail-history.ts'
import { accountsIn, clientOf, itemsIn, only, otherDeps, refuse, start, storeOf, usual, writesBy } from './outside.ts'
import { ModelTables } from './tables.ts'

export const { email } = ada

/** A write that the history must know. */
interface Writing {
  /** The account of which its owner must be told, as it was read. */
  account?: Account
  /** The idempotency token of a new password. */
  mark?: string
  /** The hash of the token that it spends. */
  spends?: string
  /** By an operator, at its stated time. */
  act?: 'invite' | 'lock' | 'revoke' | 'take back'
  at?: Date
}

/** The outside world: everything stored, queued and mailed, and the calls that reach it, each a step. */
export class MailWorld {
  readonly tables = new ModelTables()
  readonly queue: { message: MailMessage; isOverAMinuteOld: boolean }[] = []
  readonly history = new MailHistory()
  clock = start
  /** Messages counted once. */
  readonly #taken = new Map<string, string[]>()
  readonly #cap: number | undefined
  /** What is written at this moment. */
  #writing: Writing = {}
  #draws = 0

  /** @param cap maximum mails to an address */
  constructor(cap: number | undefined) {
    this.#cap = cap
    this.tables.onChange = (before, after) =>
      this.#changes(before as AccountItem | undefined, after as AccountItem | undefined)
  }

  get account(): Account | undefined {
    return accountsIn(this.tables).find(account => account.email === email)
  }

  state(): unknown {
    const { tables, queue, history, clock } = this
    return [itemsIn(tables), queue, history.state(), clock, this.#draws, [...this.#taken]]
  }

  #changes(before?: AccountItem, after?: AccountItem): void {
    const { history } = this
    const { account, mark, spends, act, at } = this.#writing
    // Entries and marks have none.
    if ((before ?? after)?.token_version === undefined) return
    if (!before && after?.email_verification_token) history.born.push(after.email_verification_token)
    if (!after && before && account?.isVerified) history.deleted.push(before.id)
    if (!after) return
    if (spends) history.spent.push(spends)
    if (mark && account) {
      if (spends && account.invitedUntil && !account.isVerified) history.hasResetInvitation = true
      // The owner of a verified address must be told.
      if (account.isVerified) history.changedBy.push(mark)
    }
    if (act === 'invite') {
      history.ends.push(Date.parse(after.invited_until ?? ''))
      history.invited.push(after.id)
    }
    if (act === 'lock') history.locked.push(after.id)
    if (act === 'revoke' && at) {
      // A revocation ends an invitation.
      history.ends.push(at.getTime())
      history.revoked = { at: at.getTime(), writtenAt: this.clock, spent: history.spent.length }
    }
  }

  /** The store of an operator's act. */
  store(step: Step, act: NonNullable<Writing['act']>, at: Date): AccountStore {
    const acts = () => {
      this.#writing = { act, at }
    }
    return storeOf(clientOf(this.tables, step, acts))
  }

  deps(step: Step, now?: number, delivered?: MailMessage): Deps {
    const rateLimits = this.#cap === undefined ? null : new Map()
    let writing: Writing = {}
    const during = async <T>(what: Writing, write: () => Promise<T>): Promise<T> => {
      writing = what
      return write().finally(() => {
        writing = {}
      })
    }
    const acts = () => {
      this.#writing = writing
    }
    const { accounts, addresses, passwords, ...writes } = writesBy(clientOf(this.tables, step, acts))
    /** The account as last read by this task. */
    let read: Account | null = null
    const reading = async (found: Promise<Account | null>) => {
      read = await found
      return read
    }
    return {
      ...otherDeps,
      ...writes,
      now: () => new Date(now ?? this.clock),
      newId: () => `id-${++this.#draws}`,
      randomBytes: size => Buffer.alloc(size, ++this.#draws),
      config: {
        ...usual,
        ...{ rateLimits, mailFrom: 'no-reply@example.com', requireEmailVerification: true },
      },
      queueMail: message =>
        step('SendMessage', () => void this.queue.push({ message, isOverAMinuteOld: false }), refuse),
      letterWords: () => english,
      sendMail: (_, { text }) => step('SendEmail', () => this.history.mail(delivered, text, read), refuse),
      accounts: {
        ...accounts,
        find: id => reading(accounts.find(id)),
        findByEmail: address => reading(accounts.findByEmail(address)),
        delete: (account, at) => during({ account }, () => accounts.delete(account, at)),
      },
      addresses: {
        ...addresses,
        spendToken: (account, hash, ...more) =>
          during({ spends: hash }, () => addresses.spendToken(account, hash, ...more)),
      },
      // No invariant is about remembered clients, so this is no step.
      sessions: { ...writes.sessions, remember: async account => account },
      passwords: {
        ...passwords,
        change: (account, change, ...more) =>
          during({ account, mark: change.mark }, () => passwords.change(account, change, ...more)),
        reset: (account, hash, change, ...more) =>
          during({ account, mark: change.mark, spends: hash }, () => passwords.reset(account, hash, change, ...more)),
        accept: (account, hash, change, ...more) =>
          // The link has proved the address.
          during({ account: { ...account, isVerified: true }, mark: change.mark, spends: hash }, () =>
            passwords.accept(account, hash, change, ...more),
          ),
      },
      counters: only<Counters & SetupLinks>({
        // Each request comes from another client: none is over its share.
        take: async () => 1,
        giveBack: async () => {},
        takeOnce: (key, member, { limit }) =>
          step('UpdateItem (once)', () => this.#take(key, member, Math.min(limit, this.#cap ?? limit)), refuse),
      }),
      signer: {
        keyId: 'key',
        sign: () => step('Sign', () => Buffer.from('signature'), refuse),
      },
    }
  }

  #take(key: string, member: string, limit: number): boolean {
    const taken = this.#taken.get(key) ?? []
    const isTaken = taken.includes(member)
    const isRoom = taken.length < limit
    if (!isTaken && isRoom) this.#taken.set(key, [...taken, member])
    return isTaken || isRoom
  }
}
