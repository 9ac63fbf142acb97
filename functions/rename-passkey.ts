import { renamePasskey } from '../shared/accounts/passkeys/change.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { bearer, rateLimits, system } from '../shared/api/live.ts'
import { passkeyView } from '../shared/api/passkey-replies.ts'

const rename = endpoint(
  'rename-passkey',
  async ({ account, body }, deps) => passkeyView(await renamePasskey(deps, account, body)),
  authenticate,
)

export default rename
export const handler = lambda(rename, () => ({ ...system, ...bearer(), ...rateLimits() }))
