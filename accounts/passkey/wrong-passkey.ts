import { DomainError } from '../../shared/base/errors.ts'
import type { ReasonOf, System } from '../../shared/base/system.ts'

/** The fault of a passkey: the first failed check. */
type PasskeyFault = ReasonOf<'passkey-refused'>

/** A refused passkey. Its holder is told the fault: every fault follows from what they sent, or is `unknown`. */
export class WrongPasskey extends DomainError {
  readonly reason: PasskeyFault

  constructor(reason: PasskeyFault) {
    super('wrong-passkey', { members: { reason } })
    this.reason = reason
  }
}

/** Logs a refused passkey, as an event of its own where it may be an attack. @param accountId null when unknown */
export function logWrongPasskey(deps: Pick<System, 'log'>, { reason }: WrongPasskey, accountId: string | null): void {
  const of = accountId !== null && { account_id: accountId }
  deps.log({ event: 'passkey-refused', reason, ...of })
  if (reason === 'origin') deps.log({ event: 'passkey-origin-refused', ...of })
  if (reason === 'count') deps.log({ event: 'passkey-copied', ...of })
}
