import { createHash } from 'node:crypto'

/**
 * What tells a stage's bootstrap from those of other stages in one account and region: its bucket and its roles have it in
 * their names, so that what deploys one stage cannot deploy another. CDK takes up to ten letters and digits: a stage's own
 * name, or ten of its SHA-256's.
 */
export const qualifierOf = (stage: string): string =>
  /^[a-z0-9]{1,10}$/.test(stage) ? stage : createHash('sha256').update(stage).digest('hex').slice(0, 10)
