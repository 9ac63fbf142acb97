import { ownerProof } from '../accounts/login/proof.ts'
import { removePasskey } from '../accounts/passkey/change.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { mailQueue, ownerCheck, publicKeys, signer, system } from '../api/live.ts'
import { tokenResponse } from '../api/make-replies.ts'

const remove = endpoint(
  'remove-passkey',
  async ({ account, body, claims, clientAddress }, deps) => {
    const prove = ownerProof(deps, clientAddress, account, body, 'passkeys/remove')
    return tokenResponse(await removePasskey(deps, prove, clientAddress, account, body.id, claims.sid))
  },
  authenticate,
)

export default remove
export const handler = lambda(remove, () => ({
  ...system,
  ...ownerCheck(),
  ...publicKeys(),
  ...mailQueue(),
  ...signer(),
}))
