import type { Account } from '../../accounts/account/account.ts'
import type { AccountWrites } from '../../accounts/account/writes.ts'
import type { Challenges } from '../../accounts/passkey/challenge.ts'
import type { PasswordWrites } from '../../accounts/password/writes.ts'
import { parseRefreshToken, writeRefreshToken } from '../../accounts/session/refresh-token.ts'
import { grace } from '../../accounts/session/rotation.ts'
import { newSession, type Session } from '../../accounts/session/session.ts'
import type { SessionWrites } from '../../accounts/session/writes.ts'
import type { Deps } from '../../api/deps.ts'
import { requireNoLeak } from '../support/service/log-law.ts'
import { openable } from '../support/service/openable.ts'
import { ada } from '../support/service/people.ts'
import { cloned, ModelAccounts } from './accounts.ts'
import type { Step } from './explore.ts'
import { noWrites, only, refuse, start, unused, usual } from './outside.ts'
import { SessionHistory } from './session-history.ts'

export const { email } = ada

/** The outside world: the table, the clock, and the history of the sessions. */
export class SessionWorld {
  readonly table = new ModelAccounts()
  readonly history = new SessionHistory()
  clock = start
  /** The session of the scenarios, and its first token. */
  readonly sid: string
  readonly firstToken: string
  /** Whether the table's writes are unconditional: a mutation. */
  readonly #isUnconditional: boolean
  /** The names of requests that have not read the table yet. */
  readonly unread = new Set<string>()
  #draws = 0

  /** @param others number of other sessions, all of them older */
  constructor(passwordHash: string, others: number, isUnconditional: boolean) {
    this.#isUnconditional = isUnconditional
    const clock = { now: () => new Date(this.clock), randomBytes: (size: number) => this.#draw(size) }
    this.table.insert({
      ...{
        id: 'id-0',
        email: openable(email),
        name: null,
        language: null,
        passwordHash,
        isAdmin: false,
        isVerified: false,
        tokenVersion: 0,
      },
      createdAt: new Date(start),
      verification: { hash: '', expiresAt: new Date(start), requestedAt: new Date(start) },
    })
    const { session: fresh, secret } = newSession(clock, this.account, null, { authTime: clock.now(), amr: ['pwd'] })
    // Past its grace period.
    const session = { ...fresh, rotatedAt: new Date(start - grace) }
    this.sid = session.id
    this.firstToken = writeRefreshToken(this.account.id, session, secret)
    for (let i = 0; i < others; i++) {
      const other = newSession(clock, this.account, null, { authTime: clock.now(), amr: ['pwd'] }).session
      this.table.addSession(this.account, { ...other, rotatedAt: new Date(start - grace - i) }, [])
    }
    this.table.addSession(this.account, session, [])
    this.history.made.set(this.firstToken, start - grace)
  }

  get account(): Account {
    return this.table.findByEmail(email) as Account
  }

  get sessions(): readonly Session[] {
    return this.table.at(email)?.sessions ?? []
  }

  state(): unknown {
    const { clock, history, sessions } = this
    const { tokenVersion } = this.table.at(email) as Account
    // All times past the grace period are equivalent.
    const ages = sessions.map(({ rotatedAt }) => Math.min(clock - rotatedAt.getTime(), grace))
    const lasting = sessions.map(({ rotatedAt, createdAt, authTime, ...rest }) => rest)
    return [tokenVersion, ages, lasting, this.#draws, history.state(clock)]
  }

  #draw(size: number): Buffer {
    return Buffer.alloc(size, ++this.#draws)
  }

  /**
   * @param text the token of the request, whose successor the write makes
   * @param task the request's name
   */
  deps(step: Step, text: string, task: string): Deps {
    const { table, history } = this
    const token = parseRefreshToken(text)
    return {
      now: () => new Date(this.clock),
      newId: () => `id-${++this.#draws}`,
      randomBytes: size => this.#draw(size),
      // The others' writes happen in between anyway.
      pause: async () => {},
      log(entry) {
        requireNoLeak(entry)
        if ('event' in entry) history.events.add(entry.event)
      },
      config: { ...usual, rateLimits: null, mailFrom: null, requireEmailVerification: false },
      clients: [],
      grants: only({}),
      isCommonPassword: () => false,
      challenges: only<Challenges>({}),
      factorKey: only({}),
      providers: [],
      providerNetwork: only({}),
      blocklistNetwork: only({}),
      providerSecrets: only({}),
      queueMail: unused,
      letterWords: unused,
      sendMail: unused,
      ...noWrites,
      accounts: only<AccountWrites>({
        find: async id => {
          const found = await step('GetItem', () => table.find(id), refuse)
          this.unread.delete(task)
          return found
        },
      }),
      sessions: only<SessionWrites>({
        add: (account, session, removed) =>
          step('UpdateItem (add)', () => table.addSession(account, session, removed), refuse),
        change: (account, change, removed) =>
          step(
            change.after ? 'UpdateItem (rotate)' : 'UpdateItem (end)',
            () => {
              const { after } = change
              if (this.#isUnconditional && after) {
                const present = table.byId.get(account.id) as Account
                present.sessions = [...present.sessions.filter(({ id }) => id !== after.id), cloned(after)]
              } else if (!table.changeSession(account, change, removed)) return false
              if (after && token)
                history.made.set(writeRefreshToken(account.id, after, token.secret), after.rotatedAt.getTime())
              return true
            },
            refuse,
          ),
      }),
      passwords: only<PasswordWrites>({
        change: (account, change, at, kept) =>
          step('UpdateItem (change)', () => table.changePassword(account, change, at, kept), refuse),
      }),
      counters: only({}),
      postponeMail: unused,
      // A failed signature is equivalent to a write that fails before it begins.
      signer: { keyId: 'key', sign: async () => Buffer.from('signature') },
      publicKeys: unused as never,
    }
  }
}
