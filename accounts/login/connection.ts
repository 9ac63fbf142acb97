import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { type Account, type AccountReads, maxAttempts, type Proven } from '../account/account.ts'
import { changeOf, mayUndoSetUp } from '../change/changes.ts'
import type { Confirmation } from '../identity/confirmation.ts'
import { type Identity, identityKey, maxIdentities } from '../identity/identity.ts'
import type { IdentityWrites } from '../identity/writes.ts'
import { announce } from '../mail/announcements.ts'
import type { MailQueue } from '../mail/queue.ts'
import { type HolderDeps, proveHolder, type Terms } from './login.ts'
import type { UserLogin } from './shapes.ts'

export type ConnectingDeps = HolderDeps &
  Configured<'mailFrom'> & {
    accounts: AccountReads
    identities: Pick<IdentityWrites, 'findHolder' | 'connect'>
    queueMail: MailQueue
  }

/**
 * Proves the owner by address and password, and connects the provider when the proof is spent. An unverified address
 * has no owner yet, unless the provider has proven the same address, which verifies it. An identity that is connected
 * already is a login.
 *
 * @throws {DomainError} those of `proveHolder`, `email-not-verified`, `provider-taken`, `provider-limit`; from `spend` those of
 *   `attach`
 */
export async function connect(
  deps: ConnectingDeps,
  clientAddress: string,
  confirmation: Confirmation,
  credentials: Pick<UserLogin, 'email' | 'password' | 'code'>,
  enrol: Terms['enrol'],
): Promise<Proven> {
  const { issuer, subject, email, isEmailProven } = confirmation.confirmed
  const isProven = isEmailProven && email === credentials.email
  const proven = await proveHolder(deps, clientAddress, credentials, { mustBeVerified: !isProven, enrol })
  const key = identityKey(issuer, subject)
  const { account } = proven
  if (!isConnected(account, key)) await requireRoom(deps, account, key)
  const owned = isProven ? { ...account, isVerified: true } : account
  return {
    ...proven,
    account: owned,
    async spend() {
      await confirmation.spend()
      if (!isConnected(account, key)) await attach(deps, account, confirmation, key, isProven)
      deps.log({ event: 'provider-login', provider: confirmation.provider.id, account_id: account.id })
    },
  }
}

const isConnected = ({ identities }: Account, identity: string): boolean =>
  identities.some(({ key }) => key === identity)

/** @returns the id in the identity's entry as read: null, or of an account that counts as none @throws {DomainError} `provider-taken`, `provider-limit`, `unavailable` */
async function requireRoom(deps: ConnectingDeps, account: Account, key: string) {
  const { account: holder, read } = await deps.identities.findHolder(key)
  if (holder !== null && holder.id !== account.id) throw new DomainError('provider-taken')
  if (account.identities.length >= maxIdentities) throw new DomainError('provider-limit')
  return read
}

/**
 * Connects an identity that the account did not have when read.
 *
 * @throws {DomainError} `provider-taken`, `provider-limit`, `bad-credentials` when the account is gone or its token version has
 *   changed, `unavailable`
 */
async function attach(
  deps: ConnectingDeps,
  account: Account,
  { provider, confirmed }: Confirmation,
  key: string,
  isProven: boolean,
): Promise<void> {
  const { issuer, subject, email, isEmailProven } = confirmed
  const hash = await announce(deps, 'provider-connected', { ...account, isVerified: true }, provider.name)
  for (let present = account, attempt = 0; attempt < maxAttempts; attempt++) {
    const read = await requireRoom(deps, present, key)
    const now = deps.now()
    const change = changeOf(present, { kind: 'provider', hash, hasLink: mayUndoSetUp(deps, present) }, now)
    const connectedAt = change.at
    const identity: Identity = { key, issuer, subject, email: isEmailProven ? email : null, connectedAt }
    const verifies = isProven && !present.isVerified
    if (await deps.identities.connect(present, { identity, read, change }, verifies, now)) {
      deps.log({ event: 'provider-connected', provider: provider.id, account_id: account.id })
      return
    }
    const fresh = await deps.accounts.find(account.id)
    if (fresh?.id !== account.id || fresh.tokenVersion !== account.tokenVersion)
      throw new DomainError('bad-credentials')
    if (isConnected(fresh, key)) return
    present = fresh
  }
  throw new DomainError('unavailable')
}
