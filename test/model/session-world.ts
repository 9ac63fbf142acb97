import type { Account } from '../../accounts/account/account.ts'
import { toItem } from '../../accounts/account/attributes.ts'
import { parseRefreshToken, writeRefreshToken } from '../../accounts/session/refresh-token.ts'
import { grace } from '../../accounts/session/rotation.ts'
import { hashSecret, newSession, type Session, toSessionItem } from '../../accounts/session/session.ts'
import type { Deps } from '../../api/deps.ts'
import { requireNoLeak } from '../support/service/log-law.ts'
import { openable } from '../support/service/openable.ts'
import { ada } from '../support/service/people.ts'
import type { Step } from './explore.ts'
import { accountOf, accountsIn, byId, clientOf, otherDeps, place, start, usual, writesBy } from './outside.ts'
import { SessionHistory } from './session-history.ts'
import { type Item, ModelTables, type Write } from './tables.ts'

export const { email } = ada

const anyway = { ConditionExpression: 'id = :id' }
const isRotation = ({ UpdateExpression = '', ConditionExpression = '' }: Write) =>
  / :session\b/.test(UpdateExpression) && / :secret\b/.test(ConditionExpression)

/** The outside world: the tables, the clock, and the history of the sessions. */
export class SessionWorld {
  readonly #tables = new ModelTables()
  readonly history = new SessionHistory()
  clock = start
  /** The session of the scenarios, and its first token. */
  readonly sid: string
  readonly firstToken: string
  /** The names of requests that have not read the table yet. */
  readonly unread = new Set<string>()
  /** The token of the request that acts at this moment. */
  #sent = ''
  #draws = 0

  /**
   * @param others number of other sessions, all of them older
   * @param isUnconditional whether a refresh writes without a condition: a mutation
   */
  constructor(passwordHash: string, others: number, isUnconditional: boolean) {
    const clock = { now: () => new Date(this.clock), randomBytes: (size: number) => this.#draw(size) }
    const known = { id: 'id-0', email: openable(email), name: null, language: null, passwordHash, isAdmin: false }
    const item = toItem({ ...known, isVerified: false, tokenVersion: 0, createdAt: clock.now() }, clock.now())
    place(this.#tables, item)
    const open = (age: number) => {
      const opened = newSession(clock, this.account, null, { authTime: clock.now(), amr: ['pwd'] })
      return { ...opened, session: { ...opened.session, rotatedAt: new Date(start - age) } }
    }
    // Past its grace period.
    const { session, secret } = open(grace)
    this.sid = session.id
    this.firstToken = writeRefreshToken(item.id, session, secret)
    const older = Array.from({ length: others }, (_, i) => open(grace + i).session)
    const sessions = Object.fromEntries([...older, session].map(each => [each.id, toSessionItem(each)]))
    place(this.#tables, { ...item, sessions })
    this.history.made.set(this.firstToken, start - grace)
    this.#tables.onChange = (before, after) => this.#changes(before, after)
    if (isUnconditional) this.#tables.mutate = write => (isRotation(write) ? { ...write, ...anyway } : write)
  }

  get account(): Account {
    return accountsIn(this.#tables)[0] as Account
  }

  get sessions(): readonly Session[] {
    return byId(this.account.sessions)
  }

  state(): unknown {
    const { clock, history, sessions } = this
    const { tokenVersion } = this.account
    // All times past the grace period are equivalent.
    const ages = sessions.map(({ rotatedAt }) => Math.min(clock - rotatedAt.getTime(), grace))
    const lasting = sessions.map(({ rotatedAt, createdAt, authTime, ...rest }) => rest)
    return [tokenVersion, ages, lasting, this.#draws, history.state(clock)]
  }

  #draw(size: number): Buffer {
    return Buffer.alloc(size, ++this.#draws)
  }

  /** A rotation makes the successor of the token that was sent. */
  #changes(before?: Item, after?: Item): void {
    const token = parseRefreshToken(this.#sent)
    if (!token || !before || !after) return
    const session = accountOf(after).sessions.find(each => each.secretHash === hashSecret(token.secret))
    const former = session && accountOf(before).sessions.find(({ id }) => id === session.id)
    if (session && session.current !== former?.current)
      this.history.made.set(writeRefreshToken(this.account.id, session, token.secret), session.rotatedAt.getTime())
  }

  /**
   * @param text the token of the request, whose successor the write makes
   * @param task the request's name
   */
  deps(step: Step, text: string, task: string): Deps {
    const acts = () => {
      this.#sent = text
    }
    const writes = writesBy(clientOf(this.#tables, step, acts))
    return {
      ...otherDeps,
      ...writes,
      now: () => new Date(this.clock),
      newId: () => `id-${++this.#draws}`,
      randomBytes: size => this.#draw(size),
      log: entry => {
        requireNoLeak(entry)
        if ('event' in entry) this.history.events.add(entry.event)
      },
      config: { ...usual, rateLimits: null, mailFrom: null, requireEmailVerification: false },
      accounts: {
        ...writes.accounts,
        find: async id => {
          const found = await writes.accounts.find(id)
          this.unread.delete(task)
          return found
        },
      },
    }
  }
}
