import { requireProof, setUpFactor } from '../accounts/factor/set-up.ts'
import { ownerProof } from '../accounts/login/proof.ts'
import { authenticateForSetup } from '../accounts/token/authentication.ts'
import { isSetUpByProvider } from '../accounts/token/claims.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint(
  'set-up-second-factor',
  async ({ account, body, claims, prove }, deps) => {
    const isByProvider = isSetUpByProvider(claims, deps.config)
    if (!isByProvider) requireProof(body)
    return setUpFactor(deps, isByProvider ? null : prove, account)
  },
  authenticateForSetup,
  ownerProof,
)
