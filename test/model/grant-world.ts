import { createHash } from 'node:crypto'
import type { Account } from '../../accounts/account/account.ts'
import type { AccountWrites } from '../../accounts/account/writes.ts'
import { type Client, findClient } from '../../accounts/application/client.ts'
import { type Grants, grantKey } from '../../accounts/application/grant.ts'
import type { Challenges } from '../../accounts/passkey/challenge.ts'
import { writeRefreshToken } from '../../accounts/session/refresh-token.ts'
import { newSession, type Session } from '../../accounts/session/session.ts'
import type { SessionWrites } from '../../accounts/session/writes.ts'
import type { Deps } from '../../api/deps.ts'
import { OAuthError } from '../../shared/base/oauth-error.ts'
import { clients } from '../support/clients.ts'
import { once } from '../support/once.ts'
import { allScopes } from '../support/service/grants.ts'
import { requireNoLeak } from '../support/service/log-law.ts'
import { openable } from '../support/service/openable.ts'
import { ada } from '../support/service/people.ts'
import { ModelAccounts } from './accounts.ts'
import type { Step } from './explore.ts'
import type { Mutation, Scenario } from './grant-scenario.ts'
import { ModelGrants } from './grants.ts'
import { noWrites, only, refuse, start, transaction, unused, usual } from './outside.ts'
import { invariant } from './session-history.ts'

const { email } = ada

/** The code, which anybody may have seen. */
export const code = 'c'.repeat(43)
export const verifier = 'v'.repeat(43)
const challengeOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** All worlds draw the same. */
const drawn = once((text: string) => createHash('sha512').update(text).digest())

/** A request, for its server. */
export interface Served {
  name: string
  /** Whether its sender may change something. */
  isRight: boolean
  /** What it says of itself. */
  form: Record<string, string>
}

/** The outside world: the tables, the clock, and the code's results. */
export class GrantWorld {
  readonly table = new ModelAccounts()
  readonly grants = new ModelGrants()
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

  constructor(scenario: Scenario, mutation: Mutation) {
    this.#scenario = scenario
    this.#mutation = mutation
    this.client = findClient(clients, scenario.isStrict ? 'dashboard' : 'shop') as Client
    this.scope = scenario.isOffline ? allScopes : ['openid', 'email']
    const { isVerified = true } = scenario
    const account = {
      id: 'id-0',
      email: openable(email),
      name: null,
      language: null,
      passwordHash: '',
      isAdmin: false,
      isVerified,
    }
    const verification = { hash: '', expiresAt: new Date(start), requestedAt: new Date(start) }
    this.table.insert({ ...account, tokenVersion: 0, createdAt: new Date(start), verification })
    const { session: opened, secret } = newSession(
      this.#system('setting up'),
      this.account,
      null,
      { authTime: this.#system('setting up').now(), amr: ['pwd'] },
      { isBrowser: true },
    )
    const session = { ...opened, current: 3, parent: 2 }
    this.browser = session
    this.cookie = writeRefreshToken(account.id, session, secret)
    this.copy = writeRefreshToken(account.id, opened, secret)
    this.table.addSession(this.account, session, [])
    this.grants.store(grantKey(code), {
      ...{ client: this.client.id, redirect: this.client.redirects[0] ?? '', challenge: challengeOf(verifier) },
      ...{ nonce: null, scope: this.scope, id: account.id, version: 0, authTime: new Date(start), amr: ['pwd'] },
      ...{ browserSession: scenario.byBrowser ? session.id : null, createdAt: new Date(start) },
    })
  }

  /** Null after its deletion. No copy: it is read at once. */
  get present(): Account | null {
    return this.table.byId.get('id-0') ?? null
  }

  get account(): Account {
    return this.table.find('id-0') as Account
  }

  /** The active sessions of applications. */
  get live(): Session[] {
    const { sessions = [], tokenVersion = -1 } = this.present ?? {}
    return sessions.filter(({ application, version }) => application !== null && version === tokenVersion)
  }

  state(): unknown {
    const { email: at, tokenVersion, lockedAt, sessions } = this.present ?? {}
    const held = sessions?.map(({ id, current, version, through }) => [id, current, version, through])
    return [at, tokenVersion, lockedAt, held, [...this.grants.byKey.values()], [...this.ended], this.clock]
  }

  move(): void {
    const { present } = this
    if (present)
      Object.assign(present, { email: 'ada@example.org', tokenVersion: present.tokenVersion + 1, sessions: [] })
  }

  /** Each request draws its own, so that their order makes no difference. */
  #system(name: string): Pick<Deps, 'now' | 'newId' | 'randomBytes' | 'pause'> {
    let draws = 0
    const draw = (size: number) => drawn(`${name} ${draws++}`).subarray(0, size) as Uint8Array
    return {
      now: () => new Date(this.clock),
      newId: () => `${name} ${draws++}`,
      randomBytes: draw,
      // The others' writes happen in between anyway.
      pause: async () => {},
    }
  }

  deps(step: Step, { name, isRight, form }: Served): Deps {
    const { table, grants } = this
    const { forgets, swaps } = this.#mutation
    const write = <T>(what: string, effect: () => T): Promise<T> =>
      step(
        `UpdateItem (${what})`,
        () => {
          invariant('a wrong client, address or verifier changes nothing', isRight)
          const before = this.live.map(({ id }) => id)
          const written = effect()
          const after = this.live.map(({ id }) => id)
          const ended = before.filter(id => !after.includes(id))
          invariant(
            'a logout of the browser leaves what applications have',
            name !== 'log out browser' || ended.length === 0,
          )
          for (const id of ended) this.ended.add(id)
          return written
        },
        refuse,
      )
    return {
      ...this.#system(name),
      log: requireNoLeak,
      config: { ...usual, rateLimits: null, mailFrom: null, requireEmailVerification: false },
      clients: clients.map(client => (swaps ? { ...client, [swaps]: !client[swaps] } : client)),
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
      grants: only<Grants>({
        store: (key, grant) => step('PutItem (code)', () => grants.store(key, grant), refuse),
        find: async key => {
          const kept = await step('GetItem (code)', () => grants.find(key), refuse)
          if (kept === null) return null
          if (forgets === 'verifier') kept.challenge = challengeOf(form.code_verifier ?? '')
          if (forgets === 'client') kept.client = form.client_id ?? ''
          if (forgets === 'version') kept.version = this.present?.tokenVersion ?? 0
          if (forgets === 'browser') kept.browserSession = null
          if (forgets === 'third read') kept.isReused = false
          return kept
        },
        spend: async (key, mark, session) => {
          const isSpent = await write('spend', () => {
            const kept = grants.byKey.get(key)
            if (kept && forgets === 'condition') Object.assign(kept, { spentBy: mark, session })
            return forgets === 'condition' || grants.spend(key, mark, session)
          })
          const isProven = grants.find(key)?.challenge === challengeOf(form.code_verifier ?? '')
          if (!isProven) throw new OAuthError('invalid_grant', 'too late')
          return isSpent
        },
        markReused: key =>
          // The mark is written after everything (`GrantServers`).
          forgets === 'mark'
            ? step('GetItem (code)', () => grants.find(key), refuse)
            : write('mark', () => grants.markReused(key)),
      }),
      ...noWrites,
      accounts: only<AccountWrites>({
        find: async id => {
          const found = await step('GetItem', () => table.find(id), refuse)
          if (forgets === 'scope') for (const session of found?.sessions ?? []) session.scope = ['openid', 'groups']
          return found
        },
        delete: account =>
          write(
            'delete',
            transaction(() => table.delete(account)),
          ),
      }),
      sessions: only<SessionWrites>({
        add: async (account, session, removed) => {
          const added = forgets === 'through' ? { ...session, through: null } : session
          const add = () =>
            write('add', () => {
              // Without either condition by which a session that has ended is noticed.
              const isAdded =
                forgets === 'presence'
                  ? table.addSession(
                      { ...account, ...(this.present && { sessions: this.present.sessions }) },
                      { ...added, through: null },
                      removed,
                    )
                  : table.addSession(account, added, removed)
              const own = this.present?.sessions.find(({ id }) => id === session.id)
              if (own) own.through = added.through
              return isAdded
            })
          const isAdded = await add()
          return this.#scenario.repeatsLate ? add() : isAdded
        },
        change: (account, change, removed) =>
          write(change.after ? 'rotate' : 'end', () =>
            table.changeSession(account, forgets === 'others' ? { ...change, needsAllAsRead: false } : change, removed),
          ),
        endAll: (account, change) => write('log out everywhere', () => table.logOutEverywhere(account, change)),
      }),
      counters: only({}),
      postponeMail: unused,
      // A failed signature is equivalent to a write that fails before it begins.
      signer: { keyId: 'key', sign: async () => Buffer.from('signature') },
      publicKeys: unused as never,
    }
  }
}
