import { accountView } from '../accounts/account/profile.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint('get-me', async ({ account }, deps) => accountView(deps, account), authenticate)
