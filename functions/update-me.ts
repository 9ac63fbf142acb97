import { changeProfile } from '../shared/accounts/profile.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { bearer, rateLimits, system } from '../shared/api/live.ts'
import { userResponse } from '../shared/api/make-replies.ts'

const updateMe = endpoint(
  'update-me',
  async ({ account, body }, deps) => userResponse(deps, await changeProfile(deps, account, body)),
  authenticate,
)

export default updateMe
export const handler = lambda(updateMe, () => ({ ...system, ...rateLimits(), ...bearer() }))
