import { changePassword } from '../accounts/password/change.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { commonPasswords, mailQueue, ownerCheck, publicKeys, signer, system } from '../api/live.ts'
import { tokenResponse } from '../api/make-replies.ts'

const change = endpoint(
  'change-password',
  async ({ account, body, claims, clientAddress }, deps) =>
    tokenResponse(await changePassword(deps, clientAddress, account, body, claims.sid)),
  authenticate,
)

export default change
export const handler = lambda(change, () => ({
  ...system,
  ...ownerCheck(),
  ...publicKeys(),
  ...mailQueue(),
  ...signer(),
  ...commonPasswords(),
}))
