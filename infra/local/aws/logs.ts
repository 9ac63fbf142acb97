import type { FunctionDefinition } from '../template/definitions.ts'
import type { Deployment } from '../template/return-values.ts'
import type { Need } from './protocols.ts'

interface LogsParts {
  deployment: Deployment
  /** Why a function may not do what it needs; null when it may. */
  authorize(caller: FunctionDefinition, need: Need): Promise<string | null>
  onLine(caller: FunctionDefinition, line: string): void
}

/** CloudWatch Logs's part: a function's lines are passed on if its role may write them. */
export class Logs {
  readonly #parts: LogsParts
  /** By environment: each has a stream of its own. */
  readonly #streams = new Map<string, Promise<boolean>>()

  constructor(parts: LogsParts) {
    this.#parts = parts
  }

  async write(caller: FunctionDefinition, environment: string, line: string): Promise<void> {
    const stream = this.#streams.get(environment) ?? this.#open(caller)
    this.#streams.set(environment, stream)
    if (await stream) this.#parts.onLine(caller, line)
  }

  async #open(caller: FunctionDefinition): Promise<boolean> {
    const { deployment, authorize } = this.#parts
    const group = deployment.arn('logs', `log-group:${caller.logGroup}`)
    const needs: Need[] = [
      { action: 'logs:CreateLogStream', resource: `${group}:*`, context: {} },
      { action: 'logs:PutLogEvents', resource: `${group}:log-stream:any`, context: {} },
    ]
    for (const need of needs) if ((await authorize(caller, need)) !== null) return false
    return true
  }
}
