import { logOutEverywhere } from '../accounts/session/ending.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { messageResponse } from '../api/make-replies.ts'

export default endpoint(
  'logout-everywhere',
  async ({ account, clientAddress }, deps) => {
    await logOutEverywhere(deps, clientAddress, account)
    return messageResponse('logout-everywhere')
  },
  authenticate,
)
