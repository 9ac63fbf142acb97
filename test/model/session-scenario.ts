import type { Act } from './session-servers.ts'

export interface Scenario {
  /** Tabs of the owner's browser, which share what is stored. */
  tabs: number
  /** Whether a tab reads the token just before it sends it, under a lock. */
  isLocked?: boolean
  /** How often the tabs refresh in all. */
  refreshes: number
  /** How often time passes: a third of the grace, or `hasWholeTicks`, each the whole grace. */
  ticks?: number
  hasWholeTicks?: boolean
  /** How many answers are lost in all, besides those of servers that died. */
  losses?: number
  acts?: readonly Act[]
  /** Thieves who copy the token at any time, and how often each uses it. */
  thieves?: number
  uses?: number
  /** Whether the account has as many sessions as it may. */
  isFull?: boolean
}
