import { confirmPasskey } from '../shared/accounts/passkeys/setup.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { bearer, challenges, mailQueue, rateLimits, system } from '../shared/api/live.ts'
import { passkeyView } from '../shared/api/passkey-replies.ts'

const confirm = endpoint(
  'confirm-passkey',
  async ({ account, body }, deps) => passkeyView(await confirmPasskey(deps, account, body)),
  authenticate,
)

export default confirm
export const handler = lambda(confirm, () => ({
  ...system,
  ...bearer(),
  ...rateLimits(),
  ...challenges(),
  ...mailQueue(),
}))
