import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { FunctionDefinition } from '../template/read-stack.ts'
import { type ProcessParts, startProcess } from './process.ts'

export interface Invocation {
  readonly requestId: string
  /** JSON. */
  readonly event: string
  settle(outcome: Outcome): void
}

/** The result of an invocation: the handler's answer in JSON, or an error of Lambda. */
export type Outcome = { payload: string } | { error: FunctionError }

export interface FunctionError {
  errorType: string
  errorMessage: string
}

/** Milliseconds that a function's initialisation may take (AWS Lambda, "Lambda runtime environment"). */
const initTimeout = 10_000

export interface EnvironmentParts extends ProcessParts {
  onLine(line: string): void
  onIdle(environment: Environment): void
  /** The process has exited; `failure` is set if it was not ready yet. */
  onExit(environment: Environment, failure: FunctionError | null): void
}

/** An execution environment: a process that handles one invocation at a time. */
export class Environment {
  readonly id = randomUUID()
  readonly process: ChildProcess
  state: 'starting' | 'idle' | 'busy' | 'ending' | 'gone' = 'starting'
  idleSince = 0
  readonly codeDirectory: string
  readonly #parts: EnvironmentParts
  #current: Invocation | null = null
  #next: ((invocation: Invocation) => void) | null = null
  #timer: NodeJS.Timeout | undefined
  #initError: FunctionError | null = null
  #since = performance.now()

  constructor(parts: EnvironmentParts) {
    this.#parts = parts
    this.codeDirectory = parts.definition.codeDirectory
    this.process = startProcess(parts, this.id)
    for (const stream of [this.process.stdout, this.process.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', parts.onLine)
    }
    this.#limit(initTimeout, () => this.kill())
    this.process.once('error', () => this.#end(null))
    this.process.once('exit', code => this.#end(code))
  }

  /** Whether it will soon ask for an invocation: it is starting, or has just settled one. */
  get isComing(): boolean {
    return this.state === 'starting' || (this.state === 'busy' && this.#current === null)
  }

  get definition(): FunctionDefinition {
    return this.#parts.definition
  }

  /** Whether a reload has replaced its code. */
  get isOutdated(): boolean {
    return this.codeDirectory !== this.definition.codeDirectory
  }

  /** Milliseconds that an invocation may take. */
  get timeout(): number {
    return this.#parts.isInspected ? day : this.definition.timeout
  }

  next(hand: (invocation: Invocation) => void): void {
    clearTimeout(this.#timer)
    this.#next = hand
    this.state = 'idle'
    this.idleSince = performance.now()
    this.#parts.onIdle(this)
  }

  run(invocation: Invocation): void {
    this.state = 'busy'
    this.#current = invocation
    this.#since = performance.now()
    this.#limit(this.timeout, () => {
      const message = `Task timed out after ${(this.timeout / 1000).toFixed(2)} seconds`
      this.#fail('timeout', 'Sandbox.Timedout', message)
      this.kill()
    })
    this.#next?.(invocation)
  }

  settle(requestId: string, outcome: Outcome): void {
    if (this.#current?.requestId !== requestId) return
    this.#current.settle(outcome)
    this.#current = null
  }

  failInit(error: FunctionError): void {
    this.#initError = error
  }

  end(): void {
    this.state = 'ending'
    this.kill()
  }

  kill(): void {
    this.process.kill('SIGKILL')
  }

  #limit(milliseconds: number, expire: () => void): void {
    if (!this.#parts.isInspected) this.#timer = setTimeout(expire, milliseconds)
  }

  #fail(status: ReportStatus, errorType: string, message: string): void {
    if (!this.#current) return
    const { requestId } = this.#current
    const error = { errorType, errorMessage: `RequestId: ${requestId} Error: ${message}` }
    this.#report(status, errorType, requestId)
    this.#current.settle({ error })
    this.#current = null
  }

  #end(code: number | null): void {
    if (this.state === 'gone') return
    clearTimeout(this.#timer)
    const reason = code === null ? 'signal: killed' : `exit status ${code}`
    const exit = { errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with error: ${reason}` }
    const failure = this.state === 'starting' ? (this.#initError ?? exit) : null
    this.state = 'gone'
    if (failure) this.#report('error', failure.errorType)
    this.#fail('error', exit.errorType, exit.errorMessage)
    this.#parts.onExit(this, failure)
  }

  /** Lambda writes its report to the function's log (AWS Lambda, "Telemetry API", platform.report). */
  #report(status: ReportStatus, errorType: string, requestId?: string): void {
    // Lambda reports exactly the timeout. Timers can fire early, so the clock may show a millisecond less.
    const durationMs = status === 'timeout' ? this.definition.timeout : performance.now() - this.#since
    const metrics = { durationMs, memorySizeMB: this.definition.memory }
    const record = { requestId, metrics, status, ...(status === 'error' && { errorType }) }
    this.#parts.onLine(JSON.stringify({ time: new Date().toISOString(), type: 'platform.report', record }))
  }
}

type ReportStatus = 'error' | 'timeout'

/** Milliseconds: the remaining time that a function under a debugger sees. */
const day = 24 * 60 * 60_000
