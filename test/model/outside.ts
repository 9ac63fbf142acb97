import { DomainError } from '../../shared/base/errors.ts'

/** Parts of a modelled outside world. */

export const refuse = (): never => {
  throw new DomainError('unavailable')
}

export const unused = (): never => {
  throw new Error('this scenario does not use it')
}

/** A part of the outside world with only these members: the use of another one throws. */
export const only = <T extends object>(used: Partial<T>): T =>
  new Proxy(used, { get: (target, member) => Reflect.get(target, member) ?? unused }) as T
