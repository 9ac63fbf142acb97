import { logOut } from '../accounts/session/ending.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { rateLimits, system, users } from '../api/live.ts'
import { messageResponse } from '../api/make-replies.ts'

const logout = endpoint('logout', async ({ body }, deps) => {
  await logOut(deps, body.refresh_token)
  return messageResponse('logout')
})

export default logout
export const handler = lambda(logout, () => ({ ...system, ...rateLimits(), ...users() }))
