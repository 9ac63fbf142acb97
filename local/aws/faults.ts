import type { Need } from './iam.ts'
import type { ServiceName } from './protocols.ts'

/**
 * AWS's faults: it throttles, answers 500, never answers, is slow, or loses the answer of a served call. A write to
 * DynamoDB can conflict with another transaction on the same item.
 */
export type Fault =
  | { kind: 'throttle' }
  | { kind: 'failure' }
  | { kind: 'hang' }
  | { kind: 'slow'; milliseconds: number }
  | { kind: 'lost-answer' }
  | { kind: 'conflict' }

/** The calls that a fault affects; all if nothing is set. */
export interface Scope {
  /** As in IAM, without the service, or the call's own: `GetItem`, `TransactWriteItems`. */
  action?: string
  /** The logical id of a table, queue or key. */
  resource?: string
  /** The caller's label: `login`. */
  caller?: string
  times?: number
}

/** Ends a fault. Hanging calls continue. */
type Restore = () => void

interface Disturbance extends Scope {
  fault: Fault
  over: PromiseWithResolvers<void>
}

interface FoundFault {
  fault: Fault
  over: Promise<void>
  /** Whether the fault affects each of the call's resources. */
  hits: boolean[]
}

/** Faults that tests inject into calls to AWS. Requests cannot. */
export class Faults {
  readonly #disturbances = new Map<ServiceName, Set<Disturbance>>()

  disturb(service: ServiceName, fault: Fault, scope: Scope = {}): Restore {
    const disturbance: Disturbance = { ...scope, fault, over: Promise.withResolvers() }
    const all = this.#disturbances.get(service) ?? new Set()
    this.#disturbances.set(service, all.add(disturbance))
    return () => {
      all.delete(disturbance)
      disturbance.over.resolve()
    }
  }

  /**
   * The latest fault that applies to a call.
   *
   * @param action the call's own
   */
  find(service: ServiceName, caller: string, action: string, needs: readonly Need[]): FoundFault | null {
    const all = this.#disturbances.get(service)
    if (!all) return null
    const found = [...all].findLast(
      scope =>
        (scope.caller === undefined || scope.caller === caller) &&
        needs.some(
          need =>
            (scope.action === undefined || scope.action === action || need.action.endsWith(`:${scope.action}`)) &&
            concerns(scope, need),
        ),
    )
    if (!found) return null
    if (found.times !== undefined && --found.times === 0) all.delete(found)
    return { fault: found.fault, over: found.over.promise, hits: needs.map(need => concerns(found, need)) }
  }
}

const concerns = ({ resource }: Scope, need: Need): boolean =>
  resource === undefined || new RegExp(`[-/]${resource}(/|$)`).test(need.resource)
