import type { Act } from './session-servers.ts'

export interface Scenario {
  /** Tabs of the owner's browser, with shared storage. */
  tabs: number
  /** Whether a tab reads the token just before it sends it, under a lock. */
  isLocked?: boolean
  /** Refreshes of all tabs together. */
  refreshes: number
  /** Steps of time: a third of the grace period each, or with `hasWholeTicks` the whole. */
  ticks?: number
  hasWholeTicks?: boolean
  /** Lost answers in all, besides those of servers that died. */
  losses?: number
  acts?: readonly Act[]
  /** Thieves who copy the token at any time, and uses by each. */
  thieves?: number
  uses?: number
  /** Whether the account has as many sessions as it may. */
  isFull?: boolean
}
