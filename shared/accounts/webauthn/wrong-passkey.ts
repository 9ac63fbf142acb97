import { DomainError } from '../../base/errors.ts'
import type { ReasonOf } from '../../base/system.ts'

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
