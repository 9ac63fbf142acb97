import { createHash } from 'node:crypto'

/**
 * The bootstrap qualifier of a stage. It is part of the names of the bootstrap's bucket and roles, so that stages in one
 * account and region have separate ones, and the role that deploys one stage cannot deploy another. CDK allows up to ten
 * letters and digits: the stage's name, or the first ten digits of its SHA-256.
 */
export const qualifierOf = (stage: string): string =>
  /^[a-z0-9]{1,10}$/.test(stage) ? stage : createHash('sha256').update(stage).digest('hex').slice(0, 10)
