import { drawProofOptions } from '../shared/accounts/passkeys/options.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { bearer, challenges, rateLimits, system } from '../shared/api/live.ts'
import { passkeyRequest } from '../shared/api/passkey-replies.ts'

const options = endpoint(
  'passkey-proof-options',
  async ({ account, body }, deps) => passkeyRequest(await drawProofOptions(deps, account, body.for)),
  authenticate,
)

export default options
export const handler = lambda(options, () => ({ ...system, ...bearer(), ...rateLimits(), ...challenges() }))
