import { passkeyView } from '../accounts/passkey/passkey.ts'
import { confirmPasskey } from '../accounts/passkey/set-up.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint(
  'confirm-passkey',
  async ({ account, body }, deps) => passkeyView(await confirmPasskey(deps, account, body)),
  authenticate,
)
