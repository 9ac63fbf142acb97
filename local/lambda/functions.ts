import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { FunctionDefinition } from '../template/read-stack.ts'
import { Environment, type EnvironmentParts, type FunctionError, type Invocation, type Outcome } from './environment.ts'
import { startWatchdog } from './watchdog.ts'

/** The outcome when the signal aborts before the invocation ends: it is waiting for an environment, or running. */
export type Throttled = 'throttled'

interface Waiting extends Invocation {
  definition: FunctionDefinition
}

/** Environments of one function: one per core, because hashing takes most of the time. */
const usualConcurrency = Math.max(2, availableParallelism())

/** Environments of all functions: each takes about 50 MB. */
const usualTotal = 14

/** Milliseconds that an idle environment is kept, about as long as in Lambda. */
const idleTimeout = 5 * 60_000

interface FunctionsParts extends Pick<EnvironmentParts, 'region' | 'awsUrl' | 'runtimeApi' | 'runtimeClient'> {
  credentialOf(definition: FunctionDefinition): EnvironmentParts['credential']
  /** How many environments a function may have at once; further invocations wait. */
  concurrency?: number
  /** How many environments all functions may have at once. */
  environments?: number
  /** The function that a debugger may attach to. It has one environment, from the start. */
  inspected?: FunctionDefinition | undefined
  /** Counts an invocation, which may outlive the wait for its answer. */
  runs(invocation: Promise<void>): void
  /** @param environment its id */
  onLine(definition: FunctionDefinition, environment: string, line: string): void
}

/** The functions of a system, each with its environments. */
export function runFunctions(parts: FunctionsParts) {
  const environments = new Map<string, Environment>()
  const watchdog = startWatchdog()
  const maxPerFunction = parts.concurrency ?? usualConcurrency
  const maxTotal = Math.max(parts.environments ?? usualTotal, maxPerFunction)
  const reaper = setInterval(reap, 10_000).unref()
  let queue: Waiting[] = []
  let isStopped = false
  startInspected()

  function environmentsOf(definition: FunctionDefinition): Environment[] {
    return [...environments.values()].filter(environment => environment.definition === definition)
  }

  /** Serves waiting invocations: those of this function first, then those of others, for which there may be room now. */
  function dispatch(first: FunctionDefinition): void {
    if (isStopped) return
    for (const definition of new Set([first, ...queue.map(({ definition }) => definition)])) serve(definition)
  }

  /** Gives a function's waiting invocations to idle environments, and starts more if needed and allowed. */
  function serve(definition: FunctionDefinition): void {
    const waiting = queue.filter(invocation => invocation.definition === definition)
    for (const environment of environmentsOf(definition).filter(({ state }) => state === 'idle')) {
      const invocation = waiting.shift()
      if (!invocation) return
      queue = queue.filter(other => other !== invocation)
      environment.run(invocation)
    }
    let coming = environmentsOf(definition).filter(({ isComing }) => isComing).length
    const most = isInspected(definition) ? 1 : maxPerFunction
    while (waiting.length > coming++ && environmentsOf(definition).length < most && hasRoom()) start(definition)
  }

  /** Whether there is room for another environment. Makes room by ending the longest idle one. */
  function hasRoom(): boolean {
    if (environments.size < maxTotal) return true
    const [oldest] = idle().sort((a, b) => a.idleSince - b.idleSince)
    if (oldest) retire(oldest)
    return oldest !== undefined
  }

  /** The environments that may be ended: a debugger keeps its function's. */
  function idle(): Environment[] {
    return [...environments.values()].filter(({ state, definition }) => state === 'idle' && !isInspected(definition))
  }

  function isInspected(definition: FunctionDefinition): boolean {
    return definition === parts.inspected
  }

  function startInspected(): void {
    const { inspected } = parts
    if (inspected && !isStopped && environmentsOf(inspected).length === 0) start(inspected)
  }

  function retire(environment: Environment): void {
    environment.end()
    // A debugger's next environment needs this one's port, so it keeps its place until it exits.
    if (!isInspected(environment.definition)) environments.delete(environment.id)
  }

  function start(definition: FunctionDefinition): void {
    const environment: Environment = new Environment({
      ...parts,
      definition,
      isInspected: isInspected(definition),
      credential: parts.credentialOf(definition),
      onLine: line => {
        // Lines of processes killed by the stop are not shown.
        if (!isStopped) parts.onLine(definition, environment.id, line)
      },
      onIdle: ready => {
        if (ready.isOutdated) retire(ready)
        dispatch(definition)
      },
      onExit,
    })
    environments.set(environment.id, environment)
    watchdog.watch(environment.process)
  }

  function onExit(environment: Environment, failure: FunctionError | null): void {
    environments.delete(environment.id)
    const { definition } = environment
    if (failure !== null) {
      // Each environment that fails to start fails one invocation; the next invocation retries.
      const invocation = queue.find(waiting => waiting.definition === definition)
      queue = queue.filter(other => other !== invocation)
      invocation?.settle({ error: failure })
    }
    // Unless it failed to start: then the next invocation retries.
    else if (isInspected(definition)) startInspected()
    dispatch(definition)
  }

  function reap(): void {
    const since = performance.now() - idleTimeout
    for (const environment of idle()) if (environment.idleSince < since) retire(environment)
  }

  return {
    find: (id: string) => environments.get(id),
    /** The function in whose invocation a debugger may have stopped, for any length of time. */
    underDebugger(): string | null {
      const { inspected } = parts
      const isBusy = inspected && environmentsOf(inspected).some(({ state }) => state === 'busy')
      return isBusy ? inspected.label : null
    },
    get environments() {
      return [...environments.values()]
    },
    /**
     * Invokes a function and waits for the outcome.
     *
     * @param event as JSON
     * @param signal ends the wait; a running invocation continues, and its answer is lost
     */
    invoke(definition: FunctionDefinition, event: string, signal: AbortSignal): Promise<Outcome | Throttled> {
      const { promise: over, resolve: end } = Promise.withResolvers<void>()
      parts.runs(over)
      return new Promise(resolve => {
        const giveUp = () => {
          if (queue.includes(waiting)) end()
          queue = queue.filter(other => other !== waiting)
          resolve('throttled')
        }
        const waiting: Waiting = {
          definition,
          requestId: randomUUID(),
          event,
          settle: outcome => {
            signal.removeEventListener('abort', giveUp)
            end()
            resolve(outcome)
          },
        }
        signal.addEventListener('abort', giveUp, { once: true })
        queue.push(waiting)
        dispatch(definition)
      })
    },
    /** Replaces a function's code. Idle environments end, busy ones when they have finished. */
    replaceCode(definition: FunctionDefinition, codeDirectory: string): void {
      definition.codeDirectory = codeDirectory
      for (const environment of environmentsOf(definition)) if (environment.state === 'idle') retire(environment)
    },
    async stop(): Promise<void> {
      isStopped = true
      clearInterval(reaper)
      await Promise.all(
        [...environments.values()].map(environment => {
          const { process } = environment
          const exit = new Promise(resolve => process.once('exit', resolve))
          environment.kill()
          return process.exitCode === null && process.signalCode === null ? exit : undefined
        }),
      )
      await watchdog.close()
    },
  }
}

export type Functions = ReturnType<typeof runFunctions>
