import type { Need } from './iam.ts'
import type { ServiceName } from './protocols.ts'

/**
 * How AWS can fail: it throttles, answers 500, never answers, is slow, or serves a call but its answer is lost. DynamoDB's
 * writes can meet another transaction on the same item.
 */
export type Fault =
  | { kind: 'throttle' }
  | { kind: 'failure' }
  | { kind: 'hang' }
  | { kind: 'slow'; milliseconds: number }
  | { kind: 'lost-answer' }
  | { kind: 'conflict' }

/** Which calls of a service a fault affects; all if nothing is set. */
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
  /** Whether each of the call's resources has the fault. */
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
   * The fault of a call: the latest one that applies to it.
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
