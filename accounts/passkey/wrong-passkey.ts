import { DomainError } from '../../shared/base/errors.ts'
import type { ReasonOf, System } from '../../shared/base/system.ts'

/** What is wrong with a passkey: of several faults the one whose check comes first. */
type PasskeyFault = ReasonOf<'passkey-refused'>

/** A passkey that is refused. Its holder is told the fault: all of them can be read from what they sent, or are `unknown`. */
export class WrongPasskey extends DomainError {
  readonly reason: PasskeyFault

  constructor(reason: PasskeyFault) {
    super('wrong-passkey', { members: { reason } })
    this.reason = reason
  }
}

/** Logs a refused passkey, as an event of its own too where somebody may be attacked. @param accountId null where none is known */
export function logWrongPasskey(deps: Pick<System, 'log'>, { reason }: WrongPasskey, accountId: string | null): void {
  const of = accountId !== null && { account_id: accountId }
  deps.log({ event: 'passkey-refused', reason, ...of })
  if (reason === 'origin') deps.log({ event: 'passkey-origin-refused', ...of })
  if (reason === 'count') deps.log({ event: 'passkey-copied', ...of })
}
