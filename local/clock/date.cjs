'use strict'

/**
 * The `Date` of the system's processes: the machine's, which a test may move ahead. All else of it is the machine's, parsing and
 * subclasses too. CommonJS, because `lambda/bootstrap.cjs` loads it.
 */

const Machine = Date
let ahead = 0
const now = () => Machine.now() + ahead

const Shifted = new Proxy(Machine, {
  apply: () => new Machine(now()).toString(),
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

/** Milliseconds by which this process is ahead of the machine. */
exports.ahead = () => ahead

/** Sets them. @param {number} milliseconds */
exports.setAhead = milliseconds => {
  ahead = milliseconds
  globalThis.Date = Shifted
  Machine.prototype.constructor = Shifted
}
