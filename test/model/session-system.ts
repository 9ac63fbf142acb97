import { maxSessions } from '../../accounts/session/room.ts'
import { grace } from '../../accounts/session/rotation.ts'
import type { System, Task } from './explore.ts'
import { invariant, passwordHash, start } from './outside.ts'
import type { Exchange } from './session-history.ts'
import type { Scenario } from './session-scenario.ts'
import { type Act, type Mutation, SessionServers } from './session-servers.ts'
import { SessionThief } from './session-thief.ts'
import { SessionWorld } from './session-world.ts'

/** Milliseconds. Three are more than the grace period, two are less. */
export const tick = grace / 3 + 1000

interface Tab {
  waitsFor: Exchange | null
  /** Whether it waits for the answer to a changed password. */
  isChange: boolean
}

/** Everybody who acts in a scenario, by the domain's own code. */
export class SessionSystem implements System {
  readonly #scenario: Scenario
  readonly #servers: SessionServers
  readonly #world: SessionWorld
  readonly #tabs: Tab[]
  readonly #thieves: SessionThief[]
  readonly #acts: Act[]
  /** The browser's storage; null after a logout. */
  #stored: string | null
  /** Whether the owner may be logged out: by an act of their own, or by a lost answer. */
  #mayBeOut = false
  /** An invariant that a task has broken, or a bug. */
  #broken: unknown = null
  #refreshes: number
  #ticks: number
  #losses: number

  constructor(scenario: Scenario, mutation: Mutation = {}) {
    const { tabs, refreshes, ticks = 0, losses = 0, acts = [], thieves = 0, uses = 2, isFull = false } = scenario
    this.#scenario = scenario
    this.#world = new SessionWorld(passwordHash, isFull ? maxSessions - 1 : 0, mutation.isUnconditional ?? false)
    this.#servers = new SessionServers(this.#world)
    this.#tabs = Array.from({ length: tabs }, () => ({ waitsFor: null, isChange: false }))
    this.#thieves = Array.from(
      { length: thieves },
      (_, i) => new SessionThief(`thief ${i}`, uses, this.#world, this.#servers),
    )
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

  now(): number {
    return this.#world.clock
  }

  observe(): void {
    this.#world.history.observe(this.#world.sessions)
  }

  check(): void {
    if (this.#broken) throw this.#broken
    const { history, sessions } = this.#world
    history.check(sessions)
    const hasThief = this.#thieves.some(({ hasUsed }) => hasUsed)
    invariant('no owner is taken for a thief', hasThief || !history.events.has('session-reused'))
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
      ...this.#thieves.flatMap(thief => thief.tasks(this.#stored, running, this.#at())),
      ...(this.#ticks > 0 && this.#mayTimePass(running) ? [this.#timePasses()] : []),
    ]
  }

  /** The end of the name of a request that is sent now. */
  #at(): string {
    return ` at ${this.#world.clock - start}`
  }

  /** Lambda stops a request after 10 s: none runs, or is on its way, for longer than a tick. */
  #mayTimePass(running: readonly string[]): boolean {
    const isOnItsWay = running.some(name => this.#world.unread.has(name))
    return !isOnItsWay && (this.#scenario.hasWholeTicks || running.every(name => name.endsWith(this.#at())))
  }

  #refresh(i: number): Task {
    const name = `tab ${i} refreshes, ${this.#refreshes} to go,${this.#at()}`
    return {
      name,
      run: async step => {
        this.#refreshes -= 1
        const exchange = this.#servers.send('owner', this.#stored ?? '')
        this.#tabs[i] = { waitsFor: exchange, isChange: false }
        await this.#servers.refresh(exchange, step, name)
      },
    }
  }

  #act(act: Act, i: number): Task {
    const name = `${act === 'change' ? `tab ${i} changes` : act}${this.#at()}`
    return {
      name,
      knows: this.#world.account,
      run: async step => {
        this.#acts.splice(this.#acts.indexOf(act), 1)
        const token = this.#stored ?? ''
        if (act === 'change') {
          const exchange = this.#servers.send('owner', token)
          this.#tabs[i] = { waitsFor: exchange, isChange: true }
          return this.#servers.changePassword(exchange, step, name)
        }
        this.#mayBeOut = true
        if (act === 'log out') this.#stored = null
        await this.#servers.act(act, token, step, name)
      },
    }
  }

  /** An answer arrives or is lost: the tab then keeps its token, and others may send it. */
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
        // The password may have been changed.
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
          invariant('nobody who did nothing wrong is logged out', this.#mayBeOut || isRobbed)
        } else this.#mayBeOut = true
      },
    }
    return [...(answer && !hasFailed ? [hear] : []), ...(hasFailed || this.#losses > 0 ? [lose] : [])]
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
