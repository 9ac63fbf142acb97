import { changePassword } from '../shared/accounts/passwords/password-change.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { tokenResponse } from '../shared/endpoints/replies.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { commonPasswords, mailQueue, publicKeys, rateLimits, signer, system, users } from '../shared/live.ts'
import { lambda } from '../shared/runtime/lambda.ts'

const change = endpoint(
  'change-password',
  async ({ account, body, remote }, deps) => tokenResponse(await changePassword(deps, remote, account, body)),
  authenticate,
)

export default change
export const handler = lambda(change, () => ({
  ...system,
  ...rateLimits(),
  ...users(),
  ...publicKeys(),
  ...mailQueue(),
  ...signer(),
  ...commonPasswords(),
}))
