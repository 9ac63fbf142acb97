import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { signInMethods } from '../api/provider-replies.ts'

export default endpoint('sign-in-methods', async ({ account }, deps) => signInMethods(deps, account), authenticate)
