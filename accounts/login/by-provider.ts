import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import { type Account, type AccountReads, maxAttempts, type Proven } from '../account/account.ts'
import { type Caller, type OpeningDeps, openByProvider } from '../account/opening-by-provider.ts'
import { type EnrolmentDeps, enrol } from '../factor/enrolment.ts'
import { type Confirmation, type ConfirmationDeps, confirm } from '../identity/confirmation.ts'
import { identityKey } from '../identity/identity.ts'
import type { ProviderProof } from '../identity/shapes.ts'
import type { IdentityWrites } from '../identity/writes.ts'
import { amrOf } from '../token/claims.ts'
import { type ConnectingDeps, connect } from './connection.ts'
import { type HolderDeps, requireEnrolment, type Terms } from './login.ts'
import { proveConfirmed } from './proof.ts'
import type { ProviderLogin } from './shapes.ts'

/** Dependencies of a login by a provider, which may open an account or connect the provider to one. */
export type ProviderDeps = ConfirmationDeps &
  HolderDeps &
  OpeningDeps &
  ConnectingDeps & { accounts: AccountReads; identities: Pick<IdentityWrites, 'findHolder'> }

/** The body of a login by a provider. Address and password connect it: both, or neither. */
type Sent = ProviderProof & Partial<Pick<ProviderLogin, 'email' | 'password' | 'code'>>

/**
 * Logs in by a provider. @param use acts for the proven owner, and spends the proof before its first write
 *
 * @throws {DomainError} those of `admitByProvider`, and of `use`
 */
export const logInByProvider = <T>(
  deps: ProviderDeps & EnrolmentDeps & Configured<'requireEmailVerification'>,
  caller: Caller,
  { language, mail_token, session: _, ...sent }: ProviderLogin,
  use: (proven: Proven) => Promise<T>,
): Promise<T> => {
  const terms: Terms = {
    mustBeVerified: deps.config.requireEmailVerification,
    enrol: (account, login) => enrol(deps, account, login, caller.clientAddress, mail_token),
  }
  return admitByProvider(deps, { ...caller, language }, sent, terms, use)
}

/**
 * Proves the owner of the account that has the confirmed identity. Without such an account it opens one at a proven new
 * address. An existing account never follows from its address: its password is needed, and connects the provider.
 * Refusals after a good proof carry a token for it, if anything can follow.
 *
 * @throws {DomainError} those of `confirm`, those of `proveConfirmed`, `second-factor-setup`, those of `openByProvider`, those of
 *   `connect`, and what `use` throws
 */
export async function admitByProvider<T>(
  deps: ProviderDeps,
  caller: Caller,
  { email, password, code, ...proof }: Sent,
  terms: Terms,
  use: (proven: Proven) => Promise<T>,
): Promise<T> {
  const confirmation = await confirm(deps, proof as ProviderProof)
  try {
    if (email !== undefined && password !== undefined) {
      // No account has an empty password: a page that connects sends it to learn the provider's address, and shows both addresses.
      if (password === '') throw new DomainError('password-required', { members: namedBy(confirmation) })
      const credentials = { email, password, code }
      return await use(await connect(deps, caller.clientAddress, confirmation, credentials, terms.enrol))
    }
    const account = await findOrOpen(deps, caller, confirmation)
    const spend = async () => {
      await confirmation.spend()
      deps.log({ event: 'provider-login', provider: confirmation.provider.id, account_id: account.id })
    }
    const login = confirmedLogin(deps, account, confirmation)
    const withoutFactor = (account: Account, login: Proven['login']) =>
      requireEnrolment(deps, account, login, terms.enrol)
    const { mustBeVerified } = terms
    return await use(await proveConfirmed(deps, { account, login, spend }, { mustBeVerified, code, withoutFactor }))
  } catch (error) {
    throw await confirmation.carriedBy(error)
  }
}

/** The address from the provider, proven or not. */
const namedBy = ({ confirmed: { email } }: Confirmation) => (email === null ? {} : { email })

/** The login of a confirmed person, with the provider's time of login if stated. */
const confirmedLogin = (
  { now }: Pick<System, 'now'>,
  account: Account,
  { confirmed: { authTime } }: Confirmation,
): Proven['login'] => ({ authTime: authTime ?? now(), amr: amrOf(account, 'fed') })

/** The account of the identity, opened if there is none. @throws {DomainError} those of `openByProvider` */
async function findOrOpen(deps: ProviderDeps, caller: Caller, confirmation: Confirmation): Promise<Account> {
  const { issuer, subject } = confirmation.confirmed
  const key = identityKey(issuer, subject)
  // Of two first logins, the second finds the account that the first opens.
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { account, read } = await deps.identities.findHolder(key)
    const found = account ?? (await openByProvider(deps, caller, confirmation, key, read))
    if (found !== null) return found
  }
  throw new DomainError('unavailable')
}
