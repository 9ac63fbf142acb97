import type { Denial } from './aws/front.ts'
import type { Served } from './gateway/gateway.ts'
import type { Mail } from './inbox/inbox.ts'

/** Callbacks for what happens in the system. */
export interface Observer {
  served(served: Served): void
  logged(line: LogLine): void
  denied(denial: Denial): void
  mailed(mail: Mail, inboxUrl: string): void
  /** Called for a mail that is not delivered, because SES suppresses its recipient. */
  suppressed(address: string): void
}

/** A line of a function's log. */
export interface LogLine {
  caller: string
  line: string
}
