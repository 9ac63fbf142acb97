import { logOutEverywhere } from '../shared/accounts/logout.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { messageResponse } from '../shared/endpoints/replies.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { publicKeys, rateLimits, system, users } from '../shared/live.ts'
import { lambda } from '../shared/runtime/lambda.ts'

const logout = endpoint(
  'logout-everywhere',
  async ({ account, remote }, deps) => {
    await logOutEverywhere(deps, remote, account)
    return messageResponse('logout-everywhere')
  },
  authenticate,
)

export default logout
export const handler = lambda(logout, () => ({ ...system, ...rateLimits(), ...users(), ...publicKeys() }))
