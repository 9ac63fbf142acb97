import { logOutEverywhere } from '../shared/accounts/sessions/logout-everywhere.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { bearer, rateLimits, system } from '../shared/api/live.ts'
import { messageResponse } from '../shared/api/make-replies.ts'

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
