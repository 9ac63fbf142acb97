import { logOut } from '../shared/accounts/sessions/ending.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { rateLimits, system, users } from '../shared/api/live.ts'
import { messageResponse } from '../shared/api/make-replies.ts'

const logout = endpoint('logout', async ({ body }, deps) => {
  await logOut(deps, body.refresh_token)
  return messageResponse('logout')
})

export default logout
export const handler = lambda(logout, () => ({ ...system, ...rateLimits(), ...users() }))
