import { signInMethodsView } from '../accounts/identity/provider.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint('sign-in-methods', async ({ account }, deps) => signInMethodsView(deps, account), authenticate)
