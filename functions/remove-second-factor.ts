import { removeFactor } from '../accounts/factor/change.ts'
import { ownerProof } from '../accounts/login/proof.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { mailQueue, ownerCheck, publicKeys, signer, system } from '../api/live.ts'
import { tokenResponse } from '../api/make-replies.ts'

const remove = endpoint(
  'remove-second-factor',
  async ({ account, body, claims, clientAddress }, deps) => {
    const prove = ownerProof(deps, clientAddress, account, body, 'second-factor/remove')
    return tokenResponse(await removeFactor(deps, prove, clientAddress, account, claims.sid))
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
