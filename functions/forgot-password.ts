import { requestMail } from '../shared/accounts/mail/queue.ts'
import { messageResponse } from '../shared/endpoints/replies.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { mailQueue, rateLimits, system } from '../shared/live.ts'
import { lambda } from '../shared/runtime/lambda.ts'

const forgotPassword = endpoint('forgot-password', async ({ body }, deps) => {
  await requestMail(deps, 'reset', body.email)
  return messageResponse('forgot-password')
})

export default forgotPassword
export const handler = lambda(forgotPassword, () => ({ ...system, ...rateLimits(), ...mailQueue() }))
