import { drawLoginOptions } from '../accounts/passkey/options.ts'
import { endpoint } from '../api/endpoint.ts'
import { passkeyRequest } from '../api/passkey-replies.ts'

export default endpoint('passkey-login-options', async (_, deps) => passkeyRequest(await drawLoginOptions(deps)))
