import { changeProfile } from '../accounts/account/profile.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { bearer, rateLimits, system } from '../api/live.ts'
import { userResponse } from '../api/make-replies.ts'

const updateMe = endpoint(
  'update-me',
  async ({ account, body }, deps) => userResponse(deps, await changeProfile(deps, account, body)),
  authenticate,
)

export default updateMe
export const handler = lambda(updateMe, () => ({ ...system, ...rateLimits(), ...bearer() }))
