import { requestEmailChange } from '../accounts/address/request.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { bearer, mailQueue, rateLimits, system } from '../api/live.ts'
import { messageResponse } from '../api/make-replies.ts'

const request = endpoint(
  'change-email',
  async ({ account, body, clientAddress }, deps) => {
    await requestEmailChange(deps, clientAddress, account, body.new_email)
    return messageResponse('change-email')
  },
  authenticate,
)

export default request
export const handler = lambda(request, () => ({ ...system, ...rateLimits(), ...bearer(), ...mailQueue() }))
