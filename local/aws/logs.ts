import type { FunctionDefinition } from '../template/definitions.ts'
import type { Deployment } from '../template/return-values.ts'
import type { Need } from './protocols.ts'

interface LogsParts {
  deployment: Deployment
  /** @returns why the function is not allowed to do it; null if it is */
  authorize(caller: FunctionDefinition, need: Need): Promise<string | null>
  onLine(caller: FunctionDefinition, line: string): void
}

/** Stands in for CloudWatch Logs: passes a function's lines on if its role allows writing them. */
export class Logs {
  readonly #parts: LogsParts
  /** Whether an execution environment may write its log stream, by environment. */
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
      // `any` stands for the stream's name.
      { action: 'logs:PutLogEvents', resource: `${group}:log-stream:any`, context: {} },
    ]
    for (const need of needs) if ((await authorize(caller, need)) !== null) return false
    return true
  }
}
