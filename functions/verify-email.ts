import { verifyEmail } from '../shared/accounts/email-verification.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { rateLimits, system, users } from '../shared/api/live.ts'
import { messageResponse } from '../shared/api/make-replies.ts'

const verify = endpoint('verify-email', async ({ body, clientAddress }, deps) => {
  await verifyEmail(deps, clientAddress, body.token)
  return messageResponse('verify-email')
})

export default verify
export const handler = lambda(verify, () => ({ ...system, ...rateLimits(), ...users() }))
