import { requestEmailChange } from '../shared/accounts/email-changes/request.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { bearer, mailQueue, rateLimits, system } from '../shared/api/live.ts'
import { messageResponse } from '../shared/api/make-replies.ts'

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
