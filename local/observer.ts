import type { Denial, InvalidCall } from './aws/front.ts'
import type { Served } from './gateway/gateway.ts'
import type { Mail } from './inbox/inbox.ts'

export interface Observer {
  /** Nothing is built yet, so the start takes several seconds longer. */
  building(): void
  /** The accounts of ACCOUNTS_FILE are there. @param line how many, and how many were there before */
  seeded(line: string): void
  served(served: Served): void
  logged(line: LogLine): void
  denied(denial: Denial): void
  invalid(call: InvalidCall): void
  mailed(mail: Mail, inboxUrl: string): void
  /** Called for a mail that is not delivered, because SES suppresses its recipient. */
  suppressed(address: string): void
  reloaded(reload: Reload): void
  /** The sources cannot be built. The functions keep the code that they have. */
  buildFailed(reason: string): void
  /** Something has changed that only a restart puts into effect: a file, or the stack. */
  outdated(what: string): void
  /** The data directory is gone, or another one is in its place: nothing that is acknowledged now is kept. */
  lost(reason: string): void
}

/** The functions that have new code, and how long it took. */
export interface Reload {
  functions: readonly string[]
  milliseconds: number
}

export interface LogLine {
  caller: string
  line: string
}
