import { enter } from '../../shared/accounts/login.ts'
import { changePassword } from '../../shared/accounts/passwords/password-change.ts'
import { hashPassword } from '../../shared/accounts/passwords/password-hash.ts'
import { refresh } from '../../shared/accounts/refresh.ts'
import { endOwnSession } from '../../shared/accounts/session-ending.ts'
import { logOut } from '../../shared/accounts/sessions/ending.ts'
import { parseRefreshToken } from '../../shared/accounts/sessions/refresh-token.ts'
import { grace, judge } from '../../shared/accounts/sessions/rotation.ts'
import { hashSecret, maxSessions } from '../../shared/accounts/sessions/session.ts'
import type { IssuedToken } from '../../shared/accounts/tokens/access-token.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { ada } from '../support/service/people.ts'
import type { Step, System, Task } from './explore.ts'
import { type Exchange, law } from './session-history.ts'
import { SessionWorld, start } from './session-world.ts'

/** What an owner does once, at any time. */
export type Act = 'change' | 'log out' | 'end' | 'log in'

export interface Scenario {
  /** Tabs of the owner's browser, which share what is stored. */
  tabs: number
  /** Whether a tab reads the token just before it sends it, under a lock. */
  isLocked?: boolean
  /** How often the tabs refresh in all. */
  refreshes: number
  /** How often time passes: a third of the grace, or `hasWholeTicks`, each the whole grace. */
  ticks?: number
  hasWholeTicks?: boolean
  /** How many answers are lost in all, besides those of servers that died. */
  losses?: number
  acts?: readonly Act[]
  /** Thieves who copy the token at any time, and how often each uses it. */
  thieves?: number
  uses?: number
  /** Whether the account has as many sessions as it may. */
  isFull?: boolean
}

/** What is changed in the code that is explored, to see that the laws notice. */
export interface Mutation {
  judgement?: typeof judge
  isUnconditional?: boolean
}

/** Milliseconds. Three are more than the grace, two are not. */
export const tick = grace / 3 + 1000

const clientAddress = '203.0.113.7'
const passwordHash = await hashPassword(
  { randomBytes: size => Buffer.alloc(size), config: { bcryptCost: 4 } },
  ada.password,
)

interface Tab {
  waitsFor: Exchange | null
  /** Whether it waits for the answer to a changed password. */
  isChange: boolean
}

interface Thief {
  token: string | null
  hasUsed: boolean
  uses: number
}

/** Everybody who acts in a scenario, by the domain's own code. */
export class SessionSystem implements System {
  readonly #scenario: Scenario
  readonly #mutation: Mutation
  readonly #world: SessionWorld
  readonly #tabs: Tab[]
  readonly #thieves: Thief[]
  readonly #acts: Act[]
  /** What the browser stores; null once it is logged out. */
  #stored: string | null
  /** Whether the owner may be logged out: by an own act, or by an answer whose loss is nobody's fault. */
  #mayBeOut = false
  /** A law that a task has broken, or a bug. */
  #broken: unknown = null
  #refreshes: number
  #ticks: number
  #losses: number

  constructor(scenario: Scenario, mutation: Mutation = {}) {
    const { tabs, refreshes, ticks = 0, losses = 0, acts = [], thieves = 0, uses = 2, isFull = false } = scenario
    this.#scenario = scenario
    this.#mutation = mutation
    this.#world = new SessionWorld(passwordHash, isFull ? maxSessions - 1 : 0, mutation.isUnconditional ?? false)
    this.#tabs = Array.from({ length: tabs }, () => ({ waitsFor: null, isChange: false }))
    this.#thieves = Array.from({ length: thieves }, () => ({ token: null, hasUsed: false, uses }))
    this.#acts = [...acts]
    this.#stored = this.#world.firstToken
    this.#world.history.holds('owner', this.#stored)
    this.#refreshes = refreshes
    this.#ticks = ticks
    this.#losses = losses
  }

  state(): string {
    // Tabs are alike, and so are thieves.
    const alike = (some: readonly object[]) => some.map(one => JSON.stringify(one)).sort()
    return JSON.stringify([
      this.#world.state(),
      alike(this.#tabs),
      alike(this.#thieves),
      [...this.#acts].sort(),
      [this.#stored, this.#mayBeOut, this.#refreshes, this.#ticks, this.#losses],
    ])
  }

  check(): void {
    if (this.#broken) throw this.#broken
    const { history, account } = this.#world
    history.check(account.sessions)
    const hasThief = this.#thieves.some(({ hasUsed }) => hasUsed)
    law('nobody is taken for a thief who is none', hasThief || !history.events.has('session-reused'))
  }

  startable(running: readonly string[]): Task[] {
    return this.#tasks(running).map(({ name, run }) => ({
      name,
      run: step =>
        run(step).catch((error: unknown) => {
          this.#broken ??= error
        }),
    }))
  }

  #tasks(running: readonly string[]): Task[] {
    const isFree = this.#tabs.every(({ waitsFor }) => waitsFor === null)
    const isOpen = isFree || !this.#scenario.isLocked
    // One of each kind is enough, where all are alike.
    const idle = this.#tabs.findIndex(({ waitsFor }) => waitsFor === null)
    const canSend = idle >= 0 && isOpen && this.#stored !== null
    return [
      ...(canSend && this.#refreshes > 0 ? [this.#refresh(idle)] : []),
      ...[...new Set(this.#acts)].flatMap(act => {
        const needsToken = act === 'change' || act === 'log out'
        return needsToken && !canSend ? [] : [this.#act(act, idle)]
      }),
      ...this.#tabs.flatMap((tab, i) => this.#awaited(tab, i, running)),
      ...this.#thieves.flatMap((thief, i) => this.#steal(thief, i, running)),
      ...(this.#ticks > 0 && this.#mayTimePass(running) ? [this.#timePasses()] : []),
    ]
  }

  /** The end of the name of a request that is sent now. */
  #at(): string {
    return ` at ${this.#world.clock - start}`
  }

  /** Lambda stops a request after 10 s: none runs for longer than a tick, and none is that long on its way. */
  #mayTimePass(running: readonly string[]): boolean {
    const isOnItsWay = running.some(name => this.#world.unread.has(name))
    return !isOnItsWay && (this.#scenario.hasWholeTicks || running.every(name => name.endsWith(this.#at())))
  }

  #send(by: string, token: string): Exchange {
    const secretHash = hashSecret(parseRefreshToken(token)?.secret ?? '')
    const isLate = !this.#world.account.sessions.some(session => session.secretHash === secretHash)
    return { by, token, startedAt: this.#world.clock, isLate, answer: null }
  }

  /** Keeps what a server answers. */
  async #serve(exchange: Exchange, issued: Promise<IssuedToken>): Promise<void> {
    const tokens = await this.#outcome(issued)
    exchange.answer = tokens instanceof DomainError ? { code: tokens.code } : { token: tokens.refresh?.token ?? '' }
  }

  /** What becomes of a request: a bug must not pass for a refusal. */
  async #outcome<T>(work: Promise<T>): Promise<T | DomainError> {
    return work.catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error
      return error
    })
  }

  async #exchange(exchange: Exchange, step: Step, name: string): Promise<void> {
    const { token } = exchange
    await this.#serve(exchange, refresh(this.#world.deps(step, token, name), token, this.#mutation.judgement ?? judge))
    if (exchange.answer && 'token' in exchange.answer) {
      this.#world.history.answered(exchange, exchange.answer.token, this.#world.clock)
    }
  }

  #refresh(i: number): Task {
    const name = `tab ${i} refreshes, ${this.#refreshes} to go,${this.#at()}`
    return {
      name,
      run: async step => {
        this.#world.unread.add(name)
        this.#refreshes -= 1
        const exchange = this.#send('owner', this.#stored ?? '')
        this.#tabs[i] = { waitsFor: exchange, isChange: false }
        await this.#exchange(exchange, step, name)
      },
    }
  }

  #act(act: Act, i: number): Task {
    const name = `${act === 'change' ? `tab ${i} changes` : act}${this.#at()}`
    return {
      name,
      run: async step => {
        this.#acts.splice(this.#acts.indexOf(act), 1)
        const { sid, history } = this.#world
        const token = this.#stored ?? ''
        const deps = this.#world.deps(step, token, name)
        if (act === 'change') {
          const exchange = this.#send('owner', token)
          this.#tabs[i] = { waitsFor: exchange, isChange: true }
          const { account } = this.#world
          const passwords = { current_password: ada.password, new_password: ada.password }
          await this.#serve(exchange, changePassword(deps, clientAddress, account, passwords, sid))
          if (exchange.answer && 'token' in exchange.answer) {
            history.made.set(exchange.answer.token, this.#world.clock)
            history.holds('owner', exchange.answer.token, true)
          }
          return
        }
        this.#mayBeOut = true
        if (act === 'log out') {
          this.#stored = null
          await this.#outcome(logOut(deps, token))
        } else if (act === 'end') {
          await this.#outcome(
            endOwnSession(deps, clientAddress, this.#world.account, { id: sid, password: ada.password }),
          )
        } else {
          await this.#outcome(enter(deps, this.#world.account, { label: null }))
        }
      },
    }
  }

  /** An answer arrives, or it is lost: the tab then keeps its token, and others may send it. */
  #awaited(tab: Tab, i: number, running: readonly string[]): Task[] {
    const { waitsFor: exchange, isChange } = tab
    if (exchange === null) return []
    const { answer } = exchange
    const isServed = running.some(name => name.startsWith(`tab ${i} `))
    const hasFailed = (answer && 'code' in answer && answer.code === 'unavailable') || (!answer && !isServed)
    const leave = () => {
      this.#tabs[i] = { waitsFor: null, isChange: false }
    }
    const lose: Task = {
      name: `the answer to tab ${i} is lost`,
      run: async () => {
        if (!hasFailed) this.#losses -= 1
        // Whether the password was changed, nobody knows.
        if (isChange) this.#mayBeOut = true
        leave()
      },
    }
    const hear: Task = {
      name: `tab ${i} hears`,
      run: async () => {
        leave()
        if (answer && 'token' in answer) {
          this.#stored = this.#stored === null ? null : answer.token
        } else if (!isChange) {
          this.#stored = null
          const isRobbed = this.#thieves.some(({ hasUsed }) => hasUsed)
          law('nobody who did nothing wrong is logged out', this.#mayBeOut || isRobbed)
        } else this.#mayBeOut = true
      },
    }
    return [...(answer && !hasFailed ? [hear] : []), ...(hasFailed || this.#losses > 0 ? [lose] : [])]
  }

  #steal(thief: Thief, i: number, running: readonly string[]): Task[] {
    const { token, uses } = thief
    const name = `thief ${i}`
    const copy: Task = {
      name: `${name} copies`,
      run: async () => {
        thief.token = this.#stored
        if (thief.token) this.#world.history.holds(name, thief.token)
      },
    }
    const use: Task = {
      name: `${name} refreshes${this.#at()}`,
      run: async step => {
        this.#world.unread.add(use.name)
        thief.uses -= 1
        thief.hasUsed = true
        const exchange = this.#send(name, token ?? '')
        await this.#exchange(exchange, step, use.name)
        const { answer } = exchange
        if (answer && 'token' in answer) {
          thief.token = answer.token
        }
      },
    }
    const isBusy = running.some(task => task.startsWith(name))
    return [
      ...(token === null && this.#stored !== null ? [copy] : []),
      ...(token !== null && uses > 0 && !isBusy ? [use] : []),
    ]
  }

  #timePasses(): Task {
    return {
      name: 'time passes',
      run: async () => {
        this.#ticks -= 1
        this.#world.clock += this.#scenario.hasWholeTicks ? grace : tick
      },
    }
  }
}
