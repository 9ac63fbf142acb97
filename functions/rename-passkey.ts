import { renamePasskey } from '../accounts/passkey/change.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { passkeyView } from '../api/passkey-replies.ts'

export default endpoint(
  'rename-passkey',
  async ({ account, body }, deps) => passkeyView(await renamePasskey(deps, account, body)),
  authenticate,
)
