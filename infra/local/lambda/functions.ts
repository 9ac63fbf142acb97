import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { FunctionPlan } from '../template/plan.ts'
import { Environment, type EnvironmentParts, type FunctionError, type Invocation, type Outcome } from './environment.ts'
import { Watchdog } from './watchdog.ts'

/** An invocation that no environment had room for within its patience. */
export type Throttled = 'throttled'

interface Waiting extends Invocation {
  plan: FunctionPlan
}

/** Environments of one function: as many as there are cores to keep busy, since what takes its time is hashing. */
const usualConcurrency = Math.max(2, availableParallelism())

/** Environments in all: they take about 50 MB each. */
const usuallyInAll = 14

/** Milliseconds. Lambda keeps them for about as long. */
const idleTimeout = 5 * 60_000

interface FunctionsParts extends Pick<EnvironmentParts, 'region' | 'awsUrl' | 'runtimeApi' | 'runtimeClient'> {
  credentialOf(plan: FunctionPlan): EnvironmentParts['credential']
  /** How many environments a function may have at once; what comes beside them waits its turn. */
  concurrency?: number
  /** @param environment its id */
  onLine(plan: FunctionPlan, environment: string, line: string): void
}

/** All functions and their execution environments, started on demand. */
export class Functions {
  readonly #environments = new Map<string, Environment>()
  readonly #watchdog = new Watchdog()
  readonly #parts: FunctionsParts
  readonly #maxPerFunction: number
  readonly #maxInAll: number
  readonly #reaper: NodeJS.Timeout
  #waiting: Waiting[] = []
  #isStopped = false

  constructor(parts: FunctionsParts) {
    this.#parts = parts
    this.#maxPerFunction = parts.concurrency ?? usualConcurrency
    this.#maxInAll = Math.max(usuallyInAll, this.#maxPerFunction)
    this.#reaper = setInterval(() => this.#reap(), 10_000).unref()
  }

  find(id: string): Environment | undefined {
    return this.#environments.get(id)
  }

  get environments(): Environment[] {
    return [...this.#environments.values()]
  }

  /**
   * Invokes a function and waits for what becomes of it.
   *
   * @param event as JSON
   * @param patience ends the waiting; an invocation that already runs goes on
   */
  invoke(plan: FunctionPlan, event: string, patience: AbortSignal): Promise<Outcome | Throttled> {
    return new Promise(resolve => {
      const giveUp = () => {
        this.#waiting = this.#waiting.filter(one => one !== waiting)
        resolve('throttled')
      }
      const waiting: Waiting = {
        plan,
        requestId: randomUUID(),
        event,
        settle: outcome => {
          patience.removeEventListener('abort', giveUp)
          resolve(outcome)
        },
      }
      patience.addEventListener('abort', giveUp, { once: true })
      this.#waiting.push(waiting)
      this.#dispatch(plan)
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#reaper)
    await Promise.all(
      this.environments.map(one => {
        const exit = new Promise(resolve => one.process.once('exit', resolve))
        one.kill()
        return one.process.exitCode === null && one.process.signalCode === null ? exit : undefined
      }),
    )
    await this.#watchdog.close()
  }

  #of(plan: FunctionPlan): Environment[] {
    return this.environments.filter(one => one.plan === plan)
  }

  /** Serves whatever waits: this function first, then those that may take its place. */
  #dispatch(first: FunctionPlan): void {
    if (this.#isStopped) return
    for (const plan of new Set([first, ...this.#waiting.map(one => one.plan)])) this.#serve(plan)
  }

  /** Hands what waits for a function to its idle environments, and starts as many as are missing and may be. */
  #serve(plan: FunctionPlan): void {
    const waiting = this.#waiting.filter(one => one.plan === plan)
    for (const environment of this.#of(plan).filter(({ state }) => state === 'idle')) {
      const invocation = waiting.shift()
      if (!invocation) return
      this.#waiting = this.#waiting.filter(one => one !== invocation)
      environment.run(invocation)
    }
    let coming = this.#of(plan).filter(({ isComing }) => isComing).length
    while (waiting.length > coming++ && this.#of(plan).length < this.#maxPerFunction && this.#hasRoom())
      this.#start(plan)
  }

  /** Makes room, if need be, by ending the environment that has been idle longest. */
  #hasRoom(): boolean {
    if (this.#environments.size < this.#maxInAll) return true
    const [oldest] = this.environments
      .filter(({ state }) => state === 'idle')
      .sort((one, other) => one.idleSince - other.idleSince)
    if (oldest) this.#retire(oldest)
    return oldest !== undefined
  }

  #retire(environment: Environment): void {
    // At once, so that nothing is handed to it any more.
    this.#environments.delete(environment.id)
    environment.kill()
  }

  #start(plan: FunctionPlan): void {
    const environment: Environment = new Environment({
      ...this.#parts,
      plan,
      credential: this.#parts.credentialOf(plan),
      onLine: line => {
        // Nobody is to be told of what is ended.
        if (!this.#isStopped) this.#parts.onLine(plan, environment.id, line)
      },
      onIdle: () => this.#dispatch(plan),
      onExit: (one, failure) => this.#onExit(one, failure),
    })
    this.#environments.set(environment.id, environment)
    this.#watchdog.watch(environment.process)
  }

  #onExit(environment: Environment, failure: FunctionError | null): void {
    this.#environments.delete(environment.id)
    const { plan } = environment
    if (failure !== null) {
      // One invocation fails for each environment that does not come up; the next one tries again.
      const invocation = this.#waiting.find(one => one.plan === plan)
      this.#waiting = this.#waiting.filter(one => one !== invocation)
      invocation?.settle({ error: failure })
    }
    this.#dispatch(plan)
  }

  #reap(): void {
    const since = Date.now() - idleTimeout
    for (const one of this.environments) if (one.state === 'idle' && one.idleSince < since) this.#retire(one)
  }
}
