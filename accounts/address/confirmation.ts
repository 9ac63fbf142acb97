import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import { type Account, type AccountReads, type EntryReads, maxAttempts, type Proven } from '../account/account.ts'
import { changeOf } from '../change/changes.ts'
import { announceEmailChange } from '../mail/announcements.ts'
import type { MailQueue } from '../mail/queue.ts'
import { callerAlone } from '../session/remembered-clients.ts'
import { hashToken } from '../token/token.ts'
import type { TokenHolders } from '../token/writes.ts'
import { mayMove, refuseAdministrator } from './gate.ts'
import type { AddressWrites } from './writes.ts'

type ConfirmDeps = System &
  Configured<'mailFrom' | 'signUpDomains'> & {
    accounts: AccountReads & EntryReads
    queueMail: MailQueue
    tokens: TokenHolders<'verification'>
    addresses: Pick<AddressWrites, 'move'>
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
  const holder = await deps.accounts.findIdAt(to)
  // A parallel click on the same link may have moved the account there.
  if (holder !== null)
    throw new DomainError(holder !== account.id || to === account.email ? 'email-taken' : 'invalid-email-change-token')

  const { hash: told, hasLink } = await announceEmailChange(deps, account, to)
  const now = deps.now()
  const clients = callerAlone(account, clientAddress, now)
  const made = { kind: 'email', hash: told, hasLink } as const
  const refusal = await changeAddress(deps, account, hash, to, present =>
    deps.addresses.move(present, { to, hash, clients, change: changeOf(present, made, now) }, now),
  )
  if (refusal !== null) throw new DomainError(refusal)
  deps.log({ event: 'email-changed', account_id: account.id })
}

/** The address that the token moves the account to; null when the account does not hold it, or it has expired. */
function pendingEmail({ now }: Pick<System, 'now'>, account: Account, hash: string): string | null {
  const held = account.tokens.verification
  const isValid = held.hash === hash && held.expiresAt !== null && held.expiresAt > now()
  return isValid ? account.pendingEmail : null
}

/** Changes the address; retries after lost races. @returns null when it is done, else the refusal */
async function changeAddress(
  deps: Pick<ConfirmDeps, 'accounts' | 'now'>,
  account: Account,
  hash: string,
  to: string,
  move: (present: Account) => ReturnType<AddressWrites['move']>,
) {
  let present = account
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const outcome = await move(present)
    if (outcome === 'done') return null
    const fresh = await deps.accounts.find(account.id)
    if (fresh === null || pendingEmail(deps, fresh, hash) !== to) return 'invalid-email-change-token'
    if (outcome === 'taken') return 'email-taken'
    // A new password, a lock or administrator's rights: the client's next attempt gets the refusal that fits.
    if (fresh.tokenVersion !== account.tokenVersion) return 'unavailable'
    present = fresh
  }
  return 'unavailable'
}
