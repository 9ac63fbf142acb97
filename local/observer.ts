import type { Fault } from '../api/authorization-faults.ts'
import type { Denial, InvalidCall } from './aws/front.ts'
import type { Served } from './gateway/gateway.ts'
import type { Mail } from './inbox/inbox.ts'

export interface Observer {
  /** A first build goes on, so the start takes several seconds longer. @param built how many functions are */
  building(built: number, all: number): void
  /** The accounts of ACCOUNTS_FILE exist. @param line how many, and how many existed before */
  seeded(line: string): void
  served(served: Served): void
  /** An application's configuration, or its entry in OIDC_CLIENTS, is wrong. */
  misconfigured(fault: Fault): void
  logged(line: LogLine): void
  denied(denial: Denial): void
  invalid(call: InvalidCall): void
  mailed(mail: Mail, inboxUrl: string): void
  /** A mail is not delivered, because SES suppresses its recipient. */
  suppressed(address: string): void
  /** @param ahead seconds by which the clock is ahead of the machine's now */
  moved(ahead: number): void
  /** All is as at the start. @param accounts how many those are */
  reset(accounts: number): void
  reloaded(reload: Reload): void
  /** The sources cannot be built, or a list is wrong. The functions keep what they have. */
  buildFailed(reason: string): void
  /** A change takes effect only after a restart: of a file, or of the stack. */
  outdated(what: string): void
  /** The data directory is removed or replaced: whatever is acknowledged now is lost. */
  lost(reason: string): void
}

/** The functions with new code or lists, and the time it took. */
export interface Reload {
  /** The files of lists, if they are what has changed. */
  lists?: string
  functions: readonly string[]
  milliseconds: number
}

export interface LogLine {
  caller: string
  line: string
}
