import type { Configured } from '../../base/config.ts'
import { DomainError } from '../../base/errors.ts'
import type { CountWhileDeps } from '../../base/limits/request-limit.ts'
import type { System } from '../../base/system.ts'
import type { Accounts } from '../account.ts'
import type { AdmissionDeps } from '../admission/admission.ts'
import type { Admitted } from '../admission/admitted.ts'
import type { EnrolmentDeps } from '../factors/enrolment.ts'
import type { SetupLinks } from '../factors/setup-link.ts'
import type { ProviderLogin } from '../schemas.ts'
import type { PublicKeys } from '../tokens/authentication.ts'
import type { ExchangeDeps } from './exchange.ts'
import type { Provider } from './provider.ts'
import type { SealDeps } from './provider-token.ts'

/** What a login by a provider takes, which may open an account or connect one. */
export type ProviderDeps = System &
  AdmissionDeps &
  CountWhileDeps &
  ExchangeDeps &
  SealDeps &
  Configured<'browserUrl' | 'languages' | 'signUp' | 'signUpDomains'> & {
    accounts: Pick<Accounts, 'find' | 'findByIdentity' | 'openByIdentity' | 'connectIdentity'>
    counters: Pick<SetupLinks, 'allowUndo'>
    providers: readonly Provider[]
    publicKeys: PublicKeys
  }

/** Who asks. */
export interface Caller {
  clientAddress: string
  /** What the caller's browser says of its reader. */
  acceptLanguage: string | undefined
}

export async function logInByProvider<T>(
  _deps: ProviderDeps & EnrolmentDeps & Configured<'requireEmailVerification'>,
  _caller: Caller,
  _login: ProviderLogin,
  _issue: (admitted: Admitted) => Promise<T>,
): Promise<T> {
  throw new DomainError('provider-unavailable')
}
