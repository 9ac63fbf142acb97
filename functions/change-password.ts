import { ownerProof } from '../accounts/login/proof.ts'
import { changePassword } from '../accounts/password/change.ts'
import { tokenView } from '../accounts/token/access-token.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint(
  'change-password',
  async ({ account, body, claims, clientAddress, prove }, deps) =>
    tokenView(await changePassword(deps, prove, clientAddress, account, body.new_password, claims.sid)),
  authenticate,
  ownerProof,
)
