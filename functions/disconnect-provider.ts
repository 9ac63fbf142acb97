import { disconnectProvider } from '../accounts/identity/disconnect.ts'
import { ownerProof } from '../accounts/login/proof.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { mailQueue, ownerCheck, providers, publicKeys, signer, system } from '../api/live.ts'
import { tokenResponse } from '../api/make-replies.ts'

const disconnect = endpoint(
  'disconnect-provider',
  async ({ account, body, claims, clientAddress }, deps) => {
    const prove = ownerProof(deps, clientAddress, account, body, 'disconnect-provider')
    return tokenResponse(await disconnectProvider(deps, prove, clientAddress, account, body.id, claims))
  },
  authenticate,
)

export default disconnect
export const handler = lambda(disconnect, () => ({
  ...system,
  ...ownerCheck(),
  ...providers(),
  ...publicKeys(),
  ...mailQueue(),
  ...signer(),
}))
