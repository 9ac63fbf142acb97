import { requestMail } from '../shared/accounts/mail/queue.ts'
import { messageResponse } from '../shared/endpoints/replies.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { mailQueue, rateLimits, system } from '../shared/live.ts'
import { lambda } from '../shared/runtime/lambda.ts'

const resendVerification = endpoint('resend-verification', async ({ body }, deps) => {
  await requestMail(deps, 'verification', body.email)
  return messageResponse('resend-verification')
})

export default resendVerification
export const handler = lambda(resendVerification, () => ({ ...system, ...rateLimits(), ...mailQueue() }))
