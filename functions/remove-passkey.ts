import { removePasskey } from '../shared/accounts/passkeys/change.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { mailQueue, ownerCheck, publicKeys, signer, system } from '../shared/api/live.ts'
import { tokenResponse } from '../shared/api/make-replies.ts'

const remove = endpoint(
  'remove-passkey',
  async ({ account, body, claims, clientAddress }, deps) =>
    tokenResponse(await removePasskey(deps, clientAddress, account, body, claims.sid)),
  authenticate,
)

export default remove
export const handler = lambda(remove, () => ({
  ...system,
  ...ownerCheck(),
  ...publicKeys(),
  ...mailQueue(),
  ...signer(),
}))
