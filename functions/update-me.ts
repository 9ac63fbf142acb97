import { accountView, changeProfile } from '../accounts/account/profile.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint(
  'update-me',
  async ({ account, body }, deps) => accountView(deps, await changeProfile(deps, account, body)),
  authenticate,
)
