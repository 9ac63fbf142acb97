import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import { type RememberingDeps, rememberClient } from '../session/remembered-clients.ts'
import { hashToken } from '../token/token.ts'
import type { TokenHolders } from '../token/writes.ts'
import type { AddressWrites } from './writes.ts'

/**
 * Marks the address of the account that holds the token as verified. A token works once.
 *
 * @throws {DomainError} `invalid-verification-token`, `unavailable`
 */
export async function verifyEmail(
  deps: Pick<System, 'newId'> &
    RememberingDeps & { tokens: TokenHolders<'verification'>; addresses: Pick<AddressWrites, 'spendToken'> },
  clientAddress: string,
  token: string,
): Promise<void> {
  const hash = hashToken(token)
  const account = await deps.tokens.findHolder('verification', hash)
  if (account === null || !(await deps.addresses.spendToken(account, hash, deps.newId(), deps.now()))) {
    throw new DomainError('invalid-verification-token')
  }
  deps.log({ event: 'email-verified', account_id: account.id })
  await rememberClient(deps, account, clientAddress)
}
