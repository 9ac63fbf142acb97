import { verifyEmail } from '../accounts/address/verification.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { rateLimits, system, users } from '../api/live.ts'
import { messageResponse } from '../api/make-replies.ts'

const verify = endpoint('verify-email', async ({ body, clientAddress }, deps) => {
  await verifyEmail(deps, clientAddress, body.token)
  return messageResponse('verify-email')
})

export default verify
export const handler = lambda(verify, () => ({ ...system, ...rateLimits(), ...users() }))
