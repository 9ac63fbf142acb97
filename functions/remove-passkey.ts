import { ownerProof } from '../accounts/login/proof.ts'
import { removePasskey } from '../accounts/passkey/change.ts'
import { tokenView } from '../accounts/token/access-token.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint(
  'remove-passkey',
  async ({ account, body, claims, clientAddress, prove }, deps) =>
    tokenView(await removePasskey(deps, prove, clientAddress, account, body.id, claims.sid)),
  authenticate,
  ownerProof,
)
