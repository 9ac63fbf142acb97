import { createHash } from 'node:crypto'
import type { Account } from '../../accounts/account/account.ts'
import { type AccountItem, toItem } from '../../accounts/account/attributes.ts'
import { type Client, findClient } from '../../accounts/application/client.ts'
import { type Grants, grantKey, type KeptGrant } from '../../accounts/application/grant.ts'
import { grantStore } from '../../accounts/application/writes.ts'
import { writeRefreshToken } from '../../accounts/session/refresh-token.ts'
import { newSession, type Session, toSessionItem } from '../../accounts/session/session.ts'
import type { Deps } from '../../api/deps.ts'
import { OAuthError } from '../../shared/base/oauth-error.ts'
import { clients } from '../support/clients.ts'
import { once } from '../support/once.ts'
import { allScopes } from '../support/service/grants.ts'
import { openable } from '../support/service/openable.ts'
import { ada } from '../support/service/people.ts'
import type { Step } from './explore.ts'
import type { Mutation, Scenario } from './grant-scenario.ts'
import {
  accountOf,
  atOnce,
  byId,
  clientOf,
  invariant,
  itemsIn,
  otherDeps,
  place,
  start,
  usual,
  writesBy,
} from './outside.ts'
import { type Item, ModelTables, type Write } from './tables.ts'

/** The code, which anybody may have seen. */
export const code = 'c'.repeat(43)
export const verifier = 'v'.repeat(43)
const challengeOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** All worlds draw the same. */
const drawn = once((text: string) => createHash('sha512').update(text).digest())

const accountPlace = 'Accounts account#id-0'

/** A request, for its server. */
export interface Served {
  name: string
  /** Whether its sender may change something. */
  isRight: boolean
  /** What it says of itself. */
  form: Record<string, string>
}

/** The active sessions of applications. */
function liveIn(account: Account | null): Session[] {
  const { sessions = [], tokenVersion = -1 } = account ?? {}
  return byId(sessions.filter(({ application, version }) => application !== null && version === tokenVersion))
}

/** Writes without the conditions that a mutation forgets. */
const forgetting: Partial<Record<NonNullable<Mutation['forgets']>, (write: Write) => Write>> = {
  condition: ({ ConditionExpression, ...write }) =>
    write.UpdateExpression?.includes('spent_by')
      ? write
      : { ...write, ...(ConditionExpression && { ConditionExpression }) },
  // Of an added session, either by which it is noticed that the browser's has ended.
  presence: ({ ConditionExpression = '', ...write }) => {
    const isAdded = / :session\b/.test(write.UpdateExpression ?? '') && !/ :secret\b/.test(ConditionExpression)
    const kept = ConditionExpression.split(' AND ').filter(each => !isAdded || !each.includes('sessions'))
    return { ...write, ...(ConditionExpression && { ConditionExpression: kept.join(' AND ') }) }
  },
}

/** The outside world: the tables, the clock, and the code's results. */
export class GrantWorld {
  readonly #tables = new ModelTables()
  /** The client that the code was made for. */
  readonly client: Client
  readonly scope: readonly string[]
  /** A browser session, and its cookie. */
  readonly browser: Session
  readonly cookie: string
  /** A copy of its cookie from two rotations ago. */
  readonly copy: string
  clock = start
  /** Sessions that existed, and have ended. */
  readonly ended = new Set<string>()
  readonly #scenario: Scenario
  readonly #mutation: Mutation
  /** The request that acts at this moment. */
  #acting: Served = { name: 'setting up', isRight: true, form: {} }

  constructor(scenario: Scenario, mutation: Mutation) {
    this.#scenario = scenario
    this.#mutation = mutation
    this.client = findClient(clients, scenario.isStrict ? 'dashboard' : 'shop') as Client
    this.scope = scenario.isOffline ? allScopes : ['openid', 'email']
    const { isVerified = true } = scenario
    const system = this.#system('setting up')
    const now = system.now()
    const known = {
      id: 'id-0',
      email: openable(ada.email),
      name: null,
      language: null,
      passwordHash: '',
      isAdmin: false,
    }
    const item = toItem({ ...known, isVerified, tokenVersion: 0, createdAt: now }, now)
    place(this.#tables, item)
    const authentication = { authTime: now, amr: ['pwd'] as const }
    const { session: opened, secret } = newSession(system, this.account, null, authentication, { isBrowser: true })
    const session = { ...opened, current: 3, parent: 2 }
    this.browser = session
    this.cookie = writeRefreshToken(item.id, session, secret)
    this.copy = writeRefreshToken(item.id, opened, secret)
    place(this.#tables, { ...item, sessions: { [session.id]: toSessionItem(session) } })
    // Written before anybody waits for it.
    void this.#grants(atOnce, this.#acting).store(grantKey(code), {
      ...{ client: this.client.id, redirect: this.client.redirects[0] ?? '', challenge: challengeOf(verifier) },
      ...{ nonce: null, scope: this.scope, id: item.id, version: 0, authTime: now, amr: ['pwd'] },
      ...{ browserSession: scenario.byBrowser ? session.id : null, createdAt: now },
    })
    this.#tables.onChange = (before, after) => this.#changes(before, after)
    this.#tables.mutate = (mutation.forgets && forgetting[mutation.forgets]) ?? this.#tables.mutate
  }

  /** Null after its deletion. */
  get present(): Account | null {
    const item = this.#tables.items.get(accountPlace)
    return item ? accountOf(item) : null
  }

  get account(): Account {
    return this.present as Account
  }

  get live(): Session[] {
    return liveIn(this.present)
  }

  state(): unknown {
    const { email: at, tokenVersion, lockedAt, sessions = [] } = this.present ?? {}
    const held = byId(sessions).map(({ id, current, version, through }) => [id, current, version, through])
    const others = itemsIn(this.#tables).filter(([where]) => where.startsWith('RateLimits'))
    return [at, tokenVersion, lockedAt, held, others, [...this.ended], this.clock]
  }

  /** Raises the version of the account, with other attributes. */
  raise(change: Partial<AccountItem>): void {
    const { items } = this.#tables
    const item = items.get(accountPlace)
    if (item) items.set(accountPlace, { ...item, ...change, token_version: Number(item.token_version) + 1 })
  }

  /** Laws of single writes. */
  #changes(before?: Item, after?: Item): void {
    const { name, isRight } = this.#acting
    invariant('a wrong client, address or verifier changes nothing', isRight)
    if (!String(before?.key).startsWith('account#')) return
    const left = liveIn(after ? accountOf(after) : null).map(({ id }) => id)
    const ended = liveIn(before ? accountOf(before) : null).filter(({ id }) => !left.includes(id))
    invariant('a logout of the browser leaves what applications have', name !== 'log out browser' || ended.length === 0)
    for (const { id } of ended) this.ended.add(id)
  }

  /** Each request draws its own, so that their order makes no difference. */
  #system(name: string): Pick<Deps, 'now' | 'newId' | 'randomBytes'> {
    let draws = 0
    const draw = (size: number) => drawn(`${name} ${draws++}`).subarray(0, size) as Uint8Array
    return {
      now: () => new Date(this.clock),
      newId: () => `${name} ${draws++}`,
      randomBytes: draw,
    }
  }

  #client(step: Step, served: Served) {
    return clientOf(this.#tables, step, () => {
      this.#acting = served
    })
  }

  #grants(step: Step, served: Served): Grants {
    return grantStore(this.#client(step, served), 'RateLimits')
  }

  deps(step: Step, served: Served): Deps {
    const { name, form } = served
    const { forgets, swaps } = this.#mutation
    const grants = this.#grants(step, served)
    const writes = writesBy(this.#client(step, served))
    const others: Partial<Record<NonNullable<typeof forgets>, () => Partial<KeptGrant>>> = {
      verifier: () => ({ challenge: challengeOf(form.code_verifier ?? '') }),
      version: () => ({ version: this.present?.tokenVersion ?? 0 }),
      'third read': () => ({ isReused: false }),
    }
    return {
      ...otherDeps,
      ...this.#system(name),
      ...writes,
      config: { ...usual, rateLimits: null, mailFrom: null, requireEmailVerification: false },
      clients: clients.map(client => (swaps ? { ...client, [swaps]: !client[swaps] } : client)),
      grants: {
        ...grants,
        find: async key => {
          const kept = await grants.find(key)
          return kept && { ...kept, ...(forgets && others[forgets]?.()) }
        },
        spend: async (...spent) => {
          const isSpent = await grants.spend(...spent)
          if (form.code_verifier !== verifier) throw new OAuthError('invalid_grant', 'too late')
          return isSpent
        },
      },
      accounts: {
        ...writes.accounts,
        find: async id => {
          const found = await writes.accounts.find(id)
          if (forgets === 'scope') for (const session of found?.sessions ?? []) session.scope = ['openid', 'groups']
          return found
        },
      },
      sessions: {
        ...writes.sessions,
        add: async (account, session, ...rest) => {
          const added = forgets === 'through' ? { ...session, through: null } : session
          const add = () => writes.sessions.add(account, added, ...rest)
          const isAdded = await add()
          return this.#scenario.repeatsLate ? add() : isAdded
        },
      },
    }
  }
}
