import { renamePasskey } from '../accounts/passkey/change.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { bearer, rateLimits, system } from '../api/live.ts'
import { passkeyView } from '../api/passkey-replies.ts'

const rename = endpoint(
  'rename-passkey',
  async ({ account, body }, deps) => passkeyView(await renamePasskey(deps, account, body)),
  authenticate,
)

export default rename
export const handler = lambda(rename, () => ({ ...system, ...bearer(), ...rateLimits() }))
