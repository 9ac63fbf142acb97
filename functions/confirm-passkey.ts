import { confirmPasskey } from '../accounts/passkey/set-up.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { bearer, challenges, mailQueue, rateLimits, system } from '../api/live.ts'
import { passkeyView } from '../api/passkey-replies.ts'

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
