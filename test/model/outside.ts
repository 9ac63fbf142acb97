import { DomainError } from '../../shared/base/errors.ts'

/** Parts of an outside world that is a model. */

export const refuse = (): never => {
  throw new DomainError('unavailable')
}

export const unused = (): never => {
  throw new Error('this scenario does not use it')
}

/** A part of the outside world of which this much is used, and nothing else may be. */
export const only = <T extends object>(used: Partial<T>): T =>
  new Proxy(used, { get: (target, member) => Reflect.get(target, member) ?? unused }) as T
