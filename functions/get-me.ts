import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { userResponse } from '../api/make-replies.ts'

export default endpoint('get-me', async ({ account }, deps) => userResponse(deps, account), authenticate)
