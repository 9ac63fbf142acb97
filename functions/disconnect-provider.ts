import { disconnectProvider } from '../shared/accounts/providers/disconnect.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { mailQueue, ownerCheck, providers, publicKeys, signer, system } from '../shared/api/live.ts'
import { tokenResponse } from '../shared/api/make-replies.ts'

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
