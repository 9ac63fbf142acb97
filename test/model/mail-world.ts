import type { Account } from '../../accounts/account/account.ts'
import type { AccountWrites } from '../../accounts/account/writes.ts'
import type { AddressWrites } from '../../accounts/address/writes.ts'
import type { SetupLinks } from '../../accounts/factor/setup-link.ts'
import type { MailMessage } from '../../accounts/mail/queue.ts'
import type { Challenges } from '../../accounts/passkey/challenge.ts'
import type { PasswordWrites } from '../../accounts/password/writes.ts'
import type { SessionWrites } from '../../accounts/session/writes.ts'
import type { TokenWrites } from '../../accounts/token/writes.ts'
import type { Deps } from '../../api/deps.ts'
import type { Counters } from '../../shared/base/limits/counters.ts'
import { english } from '../support/letter-words.ts'
import { requireNoLeak } from '../support/service/log-law.ts'
import { ada } from '../support/service/people.ts'
import { ModelAccounts } from './accounts.ts'
import type { Step } from './explore.ts'
import { MailHistory } from './mail-history.ts'
import { noWrites, only, passwordWrites, refuse, start, transaction, unused, usual } from './outside.ts'

export const { email } = ada

/** The outside world: everything stored, queued and mailed, and the calls that reach it, each a step. */
export class MailWorld {
  readonly table = new ModelAccounts()
  readonly queue: { message: MailMessage; isOverAMinuteOld: boolean }[] = []
  readonly history = new MailHistory()
  clock = start
  /** Messages counted once. */
  readonly #taken = new Map<string, string[]>()
  readonly #cap: number | undefined
  #draws = 0

  /** @param cap maximum mails to an address */
  constructor(cap: number | undefined) {
    this.#cap = cap
  }

  get account(): Account | undefined {
    return this.table.at(email)
  }

  state(): unknown {
    const { table, queue, history, clock } = this
    return [[...table.byId], queue, history.state(), clock, this.#draws, [...this.#taken]]
  }

  deps(step: Step, now?: number, delivered?: MailMessage): Deps {
    const { table, history } = this
    const rateLimits = this.#cap === undefined ? null : new Map()
    /** The account as last read by this task. */
    let read: Account | null = null
    return {
      now: () => new Date(now ?? this.clock),
      newId: () => `id-${++this.#draws}`,
      randomBytes: size => Buffer.alloc(size, ++this.#draws),
      pause: unused,
      log: requireNoLeak,
      config: {
        ...usual,
        ...{ rateLimits, mailFrom: 'no-reply@example.com', requireEmailVerification: true },
      },
      clients: [],
      grants: only({}),
      isCommonPassword: () => false,
      challenges: only<Challenges>({}),
      factorKey: only({}),
      providers: [],
      providerNetwork: only({}),
      blocklistNetwork: only({}),
      providerSecrets: only({}),
      queueMail: message =>
        step('SendMessage', () => void this.queue.push({ message, isOverAMinuteOld: false }), refuse),
      letterWords: () => english,
      sendMail: (_, { text }) => step('SendEmail', () => history.mail(delivered, text, read), refuse),
      ...noWrites,
      accounts: only<AccountWrites>({
        async find(id) {
          read = await step('GetItem', () => table.find(id), refuse)
          return read
        },
        async findByEmail(address) {
          const id = await step('GetItem (entry)', () => table.at(address)?.id, refuse)
          read = await step('GetItem', () => table.find(id ?? ''), refuse)
          return read
        },
        open: account =>
          step(
            'TransactWriteItems (open)',
            transaction(() => {
              const isWritten = table.insert(account)
              if (isWritten) history.born.push(account.verification.hash)
              return isWritten
            }),
            refuse,
          ),
        delete: account =>
          step(
            'TransactWriteItems (delete)',
            transaction(() => {
              const isDeleted = table.delete(account)
              if (isDeleted && account.isVerified) history.deleted.push(account.id)
              return isDeleted
            }),
            refuse,
          ),
      }),
      tokens: only<TokenWrites>({
        findHolder: (kind, hash) => step('Query', () => table.findByToken(kind, hash), refuse),
        store: (kind, account, token) =>
          step('UpdateItem (store)', () => table.storeToken(kind, account, token), refuse),
      }),
      addresses: only<AddressWrites>({
        spendToken: (account, hash, mark, at) =>
          step(
            'UpdateItem (verify)',
            () => {
              const isSpent = table.spendVerificationToken(account, hash, mark, at)
              if (isSpent) history.spent.push(hash)
              return isSpent
            },
            refuse,
          ),
      }),
      sessions: only<SessionWrites>({
        // No invariant is about remembered clients, so this is no step.
        remember: async (account, clients) => table.rememberClients(account, clients),
      }),
      passwords: only<PasswordWrites>(
        passwordWrites(table, step, ({ isVerified, invitedUntil }, mark, spent) => {
          if (spent) history.spent.push(spent)
          if (spent && invitedUntil && !isVerified) history.hasResetInvitation = true
          // The owner of a verified address must be told.
          if (isVerified) history.changedBy.push(mark)
        }),
      ),
      counters: only<Counters & SetupLinks>({
        // Each request comes from another client: none is over its share.
        take: async () => 1,
        giveBack: async () => {},
        takeOnce: (key, member, { limit }) =>
          step('UpdateItem (once)', () => this.#take(key, member, Math.min(limit, this.#cap ?? limit)), refuse),
      }),
      postponeMail: unused,
      signer: {
        keyId: 'key',
        sign: () => step('Sign', () => Buffer.from('signature'), refuse),
      },
      publicKeys: unused as never,
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
