import { changePassword } from '../shared/accounts/passwords/password-change.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { commonPasswords, mailQueue, ownerCheck, publicKeys, signer, system } from '../shared/api/live.ts'
import { tokenResponse } from '../shared/api/make-replies.ts'

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
