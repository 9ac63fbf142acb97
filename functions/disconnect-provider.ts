import { disconnectProvider } from '../accounts/identity/disconnect.ts'
import { ownerProof } from '../accounts/login/proof.ts'
import { tokenView } from '../accounts/token/access-token.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint(
  'disconnect-provider',
  async ({ account, body, claims, clientAddress, prove }, deps) =>
    tokenView(await disconnectProvider(deps, prove, clientAddress, account, body.id, claims)),
  authenticate,
  ownerProof,
)
