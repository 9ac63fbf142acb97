import { disconnectProvider } from '../accounts/identity/disconnect.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { mailQueue, ownerCheck, providers, publicKeys, signer, system } from '../api/live.ts'
import { tokenResponse } from '../api/make-replies.ts'

const disconnect = endpoint(
  'disconnect-provider',
  async ({ account, body, claims, clientAddress }, deps) =>
    tokenResponse(await disconnectProvider(deps, clientAddress, account, body, claims)),
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
