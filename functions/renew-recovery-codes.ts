import { renewRecoveryCodes } from '../accounts/factor/change.ts'
import { ownerProof } from '../accounts/login/proof.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { recoveryCodes } from '../api/make-replies.ts'

export default endpoint(
  'renew-recovery-codes',
  async ({ account, prove }, deps) => recoveryCodes(await renewRecoveryCodes(deps, prove, account)),
  authenticate,
  ownerProof,
)
