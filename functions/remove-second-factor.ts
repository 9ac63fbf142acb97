import { removeFactor } from '../accounts/factor/change.ts'
import { ownerProof } from '../accounts/login/proof.ts'
import { tokenView } from '../accounts/token/access-token.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint(
  'remove-second-factor',
  async ({ account, claims, clientAddress, prove }, deps) =>
    tokenView(await removeFactor(deps, prove, clientAddress, account, claims.sid)),
  authenticate,
  ownerProof,
)
