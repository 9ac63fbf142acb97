import { renewRecoveryCodes } from '../accounts/factor/change.ts'
import { recoveryCodesView } from '../accounts/factor/factor.ts'
import { ownerProof } from '../accounts/login/proof.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint(
  'renew-recovery-codes',
  async ({ account, prove }, deps) => recoveryCodesView(await renewRecoveryCodes(deps, prove, account)),
  authenticate,
  ownerProof,
)
