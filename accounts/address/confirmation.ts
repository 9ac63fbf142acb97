import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { logError } from '../../shared/base/log.ts'
import type { System } from '../../shared/base/system.ts'
import type { Account, AccountReads, Proven } from '../account/account.ts'
import { announceEmailChange } from '../mail/announcements.ts'
import { formerLanguage } from '../mail/language.ts'
import type { MailQueue } from '../mail/queue.ts'
import { callerAlone } from '../session/remembered-clients.ts'
import { hashToken } from '../token/token.ts'
import type { TokenHolders } from '../token/writes.ts'
import { type EmailChange, type EmailChanges, maxAttempts, refuseAdministrator } from './change.ts'
import { type MarkDeps, markFormerEmail } from './deletion-marks.ts'
import { mayMove } from './gate.ts'

type ConfirmDeps = System &
  Configured<'mailFrom'> &
  MarkDeps<'mark' | 'unmark'> &
  Configured<'signUpDomains'> & {
    accounts: AccountReads
    queueMail: MailQueue
    tokens: TokenHolders<'verification'>
    emailChanges: Pick<EmailChanges, 'move'>
  }

/**
 * Moves an account to the address that the token was mailed to. The token alone is not enough: after a typing mistake a
 * stranger receives it. Only success spends it.
 *
 * @throws {DomainError} `invalid-email-change-token`, those of `prove`, `administrator`, `email-domain-not-allowed`,
 *   `email-taken`, `unavailable`
 */
export async function confirmEmailChange(
  deps: ConfirmDeps,
  prove: (account: Account) => Promise<Proven>,
  clientAddress: string,
  token: string,
): Promise<void> {
  const hash = hashToken(token)
  const account = await deps.tokens.findHolder('verification', hash)
  const pending = account && pendingEmail(deps, account, hash)
  if (!pending) throw new DomainError('invalid-email-change-token')
  await prove(account).catch((error: unknown) => {
    // The account changed during the check of its second factor. This request has no access token to blame.
    const isOutdated = error instanceof DomainError && error.code === 'invalid-access-token'
    throw isOutdated ? new DomainError('invalid-email-change-token') : error
  })
  refuseAdministrator(account)
  // Checked again: the setting may be newer than the link.
  const to = mayMove(deps, pending)
  const holder = to === account.email ? account : await deps.accounts.find(to)
  // A parallel click on the same link may have moved the account there.
  if (holder)
    throw new DomainError(holder.id !== account.id || holder === account ? 'email-taken' : 'invalid-email-change-token')

  const at = deps.now()
  const { mark, isUndoable } = await announceEmailChange(deps, account, to)
  const unmark = await markFormerEmail(deps, account, at)
  const refusal = await changeAddress(deps, account, {
    to,
    hash,
    clients: callerAlone(account, clientAddress, at),
    mark,
    isUndoable,
    at,
    language: formerLanguage(account, at),
  })
  if (refusal !== null) {
    await unmark().catch(cause => logError(deps, cause))
    throw new DomainError(refusal)
  }
  deps.log({ event: 'email-changed', account_id: account.id })
}

/** The address that the token moves the account to; null when the account does not hold it, or it has expired. */
function pendingEmail({ now }: Pick<System, 'now'>, account: Account, hash: string): string | null {
  const held = account.tokens.verification
  const isValid = held.hash === hash && held.expiresAt !== null && held.expiresAt > now()
  return isValid ? account.pendingEmail : null
}

/** Changes the address; retries after lost races. @returns null when it is done, else the refusal */
async function changeAddress(deps: ConfirmDeps, account: Account, change: EmailChange) {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const outcome = await deps.emailChanges.move(account, change)
    if (outcome === 'done') return null
    const present = await deps.accounts.find(account.email)
    if (present?.id !== account.id || pendingEmail(deps, present, change.hash) !== change.to) {
      return 'invalid-email-change-token'
    }
    if (outcome === 'taken') return 'email-taken'
    // A new password, a lock or administrator's rights: the client's next attempt gets the refusal that fits.
    if (present.tokenVersion !== account.tokenVersion) return 'unavailable'
  }
  return 'unavailable'
}
