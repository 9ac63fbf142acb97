import { drawProofOptions } from '../accounts/passkey/options.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { passkeyRequest } from '../api/passkey-replies.ts'

export default endpoint(
  'passkey-proof-options',
  async ({ account, body }, deps) => passkeyRequest(await drawProofOptions(deps, account, body.for)),
  authenticate,
)
