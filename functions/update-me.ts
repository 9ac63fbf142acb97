import { changeProfile } from '../accounts/account/profile.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { userResponse } from '../api/make-replies.ts'

export default endpoint(
  'update-me',
  async ({ account, body }, deps) => userResponse(deps, await changeProfile(deps, account, body)),
  authenticate,
)
