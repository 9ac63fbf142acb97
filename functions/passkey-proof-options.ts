import { drawProofOptions } from '../accounts/passkey/options.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { bearer, challenges, rateLimits, system } from '../api/live.ts'
import { passkeyRequest } from '../api/passkey-replies.ts'

const options = endpoint(
  'passkey-proof-options',
  async ({ account, body }, deps) => passkeyRequest(await drawProofOptions(deps, account, body.for)),
  authenticate,
)

export default options
export const handler = lambda(options, () => ({ ...system, ...bearer(), ...rateLimits(), ...challenges() }))
