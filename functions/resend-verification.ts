import { senderIn } from '../accounts/application/client.ts'
import { requestMail } from '../accounts/mail/queue.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { clients, mailQueue, rateLimits, system } from '../api/live.ts'
import { messageResponse } from '../api/make-replies.ts'

const resendVerification = endpoint('resend-verification', async ({ body, clientAddress }, deps) => {
  await requestMail(deps, clientAddress, 'verification', body.email, senderIn(deps.clients, body.client_id))
  return messageResponse('resend-verification')
})

export default resendVerification
export const handler = lambda(resendVerification, () => ({ ...system, ...rateLimits(), ...mailQueue(), ...clients() }))
