import { ownerProof } from '../accounts/login/proof.ts'
import { removePasskey } from '../accounts/passkey/change.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { tokenResponse } from '../api/make-replies.ts'

export default endpoint(
  'remove-passkey',
  async ({ account, body, claims, clientAddress, prove }, deps) =>
    tokenResponse(await removePasskey(deps, prove, clientAddress, account, body.id, claims.sid)),
  authenticate,
  ownerProof,
)
