import { verifyEmail } from '../shared/accounts/email-verification.ts'
import { messageResponse } from '../shared/endpoints/replies.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { rateLimits, system, users } from '../shared/live.ts'
import { lambda } from '../shared/runtime/lambda.ts'

const verify = endpoint('verify-email', async ({ body }, deps) => {
  await verifyEmail(deps, body.token)
  return messageResponse('verify-email')
})

export default verify
export const handler = lambda(verify, () => ({ ...system, ...rateLimits(), ...users() }))
