import { passkeyListView } from '../accounts/passkey/passkey.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint('list-passkeys', async ({ account }, deps) => passkeyListView(deps, account), authenticate)
