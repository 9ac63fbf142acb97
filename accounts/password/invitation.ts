import { DomainError } from '../../shared/base/errors.ts'
import { findHolder, type LinkDeps, prepareByLink } from './link.ts'
import type { AcceptInvitationRequest } from './shapes.ts'
import type { PasswordWrites } from './writes.ts'

type AcceptDeps = LinkDeps & { passwords: Pick<PasswordWrites, 'accept'> }

/**
 * Sets the first password of an invited account. The link works once, proves the mailbox and verifies the address. Logs
 * nobody in: a person with a forwarded link must know the address too. The owner is told.
 *
 * @throws {DomainError} `password-too-short` and `password-too-common` (before anything about the token, but for the
 *   account's own address), `invalid-invitation`, `unavailable`
 */
export async function acceptInvitation(
  deps: AcceptDeps,
  clientAddress: string,
  { token, new_password, name }: AcceptInvitationRequest,
): Promise<void> {
  const found = await findHolder(deps, 'invitation', token, new_password)
  if (found === null) throw new DomainError('invalid-invitation')
  const { account, hash } = found
  // The link proves the address for the notice, which greets by the account's new name.
  const accepted = { ...account, name: name || account.name, isVerified: true }
  const change = await prepareByLink(deps, clientAddress, accepted, new_password, 'invitation-accepted')
  if (!(await deps.passwords.accept(account, hash, { ...change, name: name || null }, deps.now()))) {
    throw new DomainError('invalid-invitation')
  }
  deps.log({ event: 'invitation-accepted', account_id: account.id })
}
