import type { FunctionPlan } from '../template/plan.ts'
import type { Place } from '../template/resources.ts'
import type { Need } from './protocols.ts'

interface LogsParts {
  place: Place
  /** Why a function may not do what it needs; null when it may. */
  authorize(caller: FunctionPlan, need: Need): Promise<string | null>
  onLine(caller: FunctionPlan, line: string): void
}

/** CloudWatch Logs's part: a function's lines are passed on if its role may write them. */
export class Logs {
  readonly #parts: LogsParts
  /** By environment: each has a stream of its own. */
  readonly #streams = new Map<string, Promise<boolean>>()

  constructor(parts: LogsParts) {
    this.#parts = parts
  }

  async write(caller: FunctionPlan, environment: string, line: string): Promise<void> {
    const stream = this.#streams.get(environment) ?? this.#open(caller)
    this.#streams.set(environment, stream)
    if (await stream) this.#parts.onLine(caller, line)
  }

  async #open(caller: FunctionPlan): Promise<boolean> {
    const { place, authorize } = this.#parts
    const group = place.arn('logs', `log-group:${caller.logGroup}`)
    const needs: Need[] = [
      { action: 'logs:CreateLogStream', resource: `${group}:*`, context: {} },
      { action: 'logs:PutLogEvents', resource: `${group}:log-stream:any`, context: {} },
    ]
    for (const need of needs) if ((await authorize(caller, need)) !== null) return false
    return true
  }
}
