import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { passkeyList } from '../api/passkey-replies.ts'

export default endpoint('list-passkeys', async ({ account }, deps) => passkeyList(deps, account), authenticate)
