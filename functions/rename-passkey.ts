import { renamePasskey } from '../accounts/passkey/change.ts'
import { passkeyView } from '../accounts/passkey/passkey.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint(
  'rename-passkey',
  async ({ account, body }, deps) => passkeyView(await renamePasskey(deps, account, body)),
  authenticate,
)
