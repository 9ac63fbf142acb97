import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { FunctionDefinition } from '../template/read-stack.ts'
import { Environment, type EnvironmentParts, type FunctionError, type Invocation, type Outcome } from './environment.ts'
import { Watchdog } from './watchdog.ts'

/** The outcome of an invocation that no environment had room for before its signal aborted. */
type Throttled = 'throttled'

interface Waiting extends Invocation {
  definition: FunctionDefinition
}

/** Environments of one function: one per core, because hashing is what takes time. */
const usualConcurrency = Math.max(2, availableParallelism())

/** Environments of all functions: each takes about 50 MB. */
const usualTotal = 14

/** Milliseconds that an idle environment is kept, about as long as Lambda does. */
const idleTimeout = 5 * 60_000

interface FunctionsParts extends Pick<EnvironmentParts, 'region' | 'awsUrl' | 'runtimeApi' | 'runtimeClient'> {
  credentialOf(definition: FunctionDefinition): EnvironmentParts['credential']
  /** How many environments a function may have at once; further invocations wait. */
  concurrency?: number
  /** The function that a debugger may attach to. It has one environment, from the start on. */
  inspected?: FunctionDefinition | undefined
  /** @param environment its id */
  onLine(definition: FunctionDefinition, environment: string, line: string): void
}

export class Functions {
  readonly #environments = new Map<string, Environment>()
  readonly #watchdog = new Watchdog()
  readonly #parts: FunctionsParts
  readonly #maxPerFunction: number
  readonly #maxTotal: number
  readonly #reaper: NodeJS.Timeout
  #waiting: Waiting[] = []
  #isStopped = false

  constructor(parts: FunctionsParts) {
    this.#parts = parts
    this.#maxPerFunction = parts.concurrency ?? usualConcurrency
    this.#maxTotal = Math.max(usualTotal, this.#maxPerFunction)
    this.#reaper = setInterval(() => this.#reap(), 10_000).unref()
    this.#startInspected()
  }

  find(id: string): Environment | undefined {
    return this.#environments.get(id)
  }

  get environments(): Environment[] {
    return [...this.#environments.values()]
  }

  /**
   * Invokes a function and waits for the outcome.
   *
   * @param event as JSON
   * @param signal ends the wait for an environment; an invocation that already runs continues
   */
  invoke(definition: FunctionDefinition, event: string, signal: AbortSignal): Promise<Outcome | Throttled> {
    return new Promise(resolve => {
      const giveUp = () => {
        this.#waiting = this.#waiting.filter(other => other !== waiting)
        resolve('throttled')
      }
      const waiting: Waiting = {
        definition,
        requestId: randomUUID(),
        event,
        settle: outcome => {
          signal.removeEventListener('abort', giveUp)
          resolve(outcome)
        },
      }
      signal.addEventListener('abort', giveUp, { once: true })
      this.#waiting.push(waiting)
      this.#dispatch(definition)
    })
  }

  /** Replaces a function's code. Environments that are idle end, busy ones when they have finished. */
  replaceCode(definition: FunctionDefinition, codeDirectory: string): void {
    definition.codeDirectory = codeDirectory
    for (const environment of this.#of(definition)) if (environment.state === 'idle') this.#retire(environment)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#reaper)
    await Promise.all(
      this.environments.map(environment => {
        const { process } = environment
        const exit = new Promise(resolve => process.once('exit', resolve))
        environment.kill()
        return process.exitCode === null && process.signalCode === null ? exit : undefined
      }),
    )
    await this.#watchdog.close()
  }

  #of(definition: FunctionDefinition): Environment[] {
    return this.environments.filter(environment => environment.definition === definition)
  }

  /** Serves waiting invocations: those of this function first, then those of others, for which there may be room now. */
  #dispatch(first: FunctionDefinition): void {
    if (this.#isStopped) return
    for (const definition of new Set([first, ...this.#waiting.map(({ definition }) => definition)]))
      this.#serve(definition)
  }

  /** Gives a function's waiting invocations to idle environments, and starts more environments if it needs and may. */
  #serve(definition: FunctionDefinition): void {
    const waiting = this.#waiting.filter(invocation => invocation.definition === definition)
    for (const environment of this.#of(definition).filter(({ state }) => state === 'idle')) {
      const invocation = waiting.shift()
      if (!invocation) return
      this.#waiting = this.#waiting.filter(other => other !== invocation)
      environment.run(invocation)
    }
    let coming = this.#of(definition).filter(({ isComing }) => isComing).length
    const most = this.#isInspected(definition) ? 1 : this.#maxPerFunction
    while (waiting.length > coming++ && this.#of(definition).length < most && this.#hasRoom()) this.#start(definition)
  }

  /** Whether there is room for another environment. Makes room by ending the one that has been idle longest. */
  #hasRoom(): boolean {
    if (this.#environments.size < this.#maxTotal) return true
    const [oldest] = this.#idle().sort((a, b) => a.idleSince - b.idleSince)
    if (oldest) this.#retire(oldest)
    return oldest !== undefined
  }

  /** Those that may be ended: a debugger keeps its function's. */
  #idle(): Environment[] {
    return this.environments.filter(({ state, definition }) => state === 'idle' && !this.#isInspected(definition))
  }

  #isInspected(definition: FunctionDefinition): boolean {
    return definition === this.#parts.inspected
  }

  #startInspected(): void {
    const { inspected } = this.#parts
    if (inspected && !this.#isStopped && this.#of(inspected).length === 0) this.#start(inspected)
  }

  #retire(environment: Environment): void {
    environment.end()
    // A debugger's next environment needs the port of this one, and so its place until it is gone.
    if (!this.#isInspected(environment.definition)) this.#environments.delete(environment.id)
  }

  #start(definition: FunctionDefinition): void {
    const environment: Environment = new Environment({
      ...this.#parts,
      definition,
      isInspected: this.#isInspected(definition),
      credential: this.#parts.credentialOf(definition),
      onLine: line => {
        // Lines of processes that the stop has killed are not shown.
        if (!this.#isStopped) this.#parts.onLine(definition, environment.id, line)
      },
      onIdle: ready => {
        if (ready.isOutdated) this.#retire(ready)
        this.#dispatch(definition)
      },
      onExit: (exited, failure) => this.#onExit(exited, failure),
    })
    this.#environments.set(environment.id, environment)
    this.#watchdog.watch(environment.process)
  }

  #onExit(environment: Environment, failure: FunctionError | null): void {
    this.#environments.delete(environment.id)
    const { definition } = environment
    if (failure !== null) {
      // Each environment that fails to start fails one invocation; the next invocation tries again.
      const invocation = this.#waiting.find(waiting => waiting.definition === definition)
      this.#waiting = this.#waiting.filter(other => other !== invocation)
      invocation?.settle({ error: failure })
    }
    // Unless it cannot even start: then the next invocation tries again.
    else if (this.#isInspected(definition)) this.#startInspected()
    this.#dispatch(definition)
  }

  #reap(): void {
    const since = Date.now() - idleTimeout
    for (const environment of this.#idle()) if (environment.idleSince < since) this.#retire(environment)
  }
}
