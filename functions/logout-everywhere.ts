import { logOutEverywhere } from '../accounts/session/logout-everywhere.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { bearer, rateLimits, system } from '../api/live.ts'
import { messageResponse } from '../api/make-replies.ts'

const logout = endpoint(
  'logout-everywhere',
  async ({ account, clientAddress }, deps) => {
    await logOutEverywhere(deps, clientAddress, account)
    return messageResponse('logout-everywhere')
  },
  authenticate,
)

export default logout
export const handler = lambda(logout, () => ({ ...system, ...rateLimits(), ...bearer() }))
