import type { Need, ServiceName } from './protocols.ts'

/**
 * How AWS can be out of order: it throttles, answers 500, never answers, is slow, or serves a call whose answer is then
 * lost on the way.
 */
export type Fault =
  | { kind: 'throttle' }
  | { kind: 'failure' }
  | { kind: 'hang' }
  | { kind: 'slow'; milliseconds: number }
  | { kind: 'lost-answer' }

/** Which calls of a service are disturbed; without any of these, all. */
export interface Scope {
  /** As in IAM, without the service: `GetItem`. */
  action?: string
  /** The logical id of a table, queue or key. */
  resource?: string
  /** The caller's label: `login`. */
  caller?: string
  /** How many calls, until it is over. */
  times?: number
}

/** Ends a disturbance. Calls that hang are let go. */
export type Restore = () => void

interface Disturbance extends Scope {
  fault: Fault
  over: PromiseWithResolvers<void>
}

/** The faults that tests have put in the way of calls to AWS. No request can. */
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

  /** The fault that a call meets: the latest disturbance that is meant for it. */
  find(service: ServiceName, caller: string, needs: readonly Need[]): { fault: Fault; over: Promise<void> } | null {
    const all = this.#disturbances.get(service)
    if (!all) return null
    const found = [...all].findLast(
      ({ action, resource, caller: only }) =>
        (only === undefined || only === caller) &&
        needs.some(
          need =>
            (action === undefined || need.action.endsWith(`:${action}`)) &&
            (resource === undefined || new RegExp(`[-/]${resource}(/|$)`).test(need.resource)),
        ),
    )
    if (!found) return null
    if (found.times !== undefined && --found.times === 0) all.delete(found)
    return { fault: found.fault, over: found.over.promise }
  }
}
