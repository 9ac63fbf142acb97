import { senderIn } from '../shared/accounts/applications/client.ts'
import { requestMail } from '../shared/accounts/mail/queue.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { clients, mailQueue, rateLimits, system } from '../shared/api/live.ts'
import { messageResponse } from '../shared/api/make-replies.ts'

const resendVerification = endpoint('resend-verification', async ({ body, clientAddress }, deps) => {
  await requestMail(deps, clientAddress, 'verification', body.email, senderIn(deps.clients, body.client_id))
  return messageResponse('resend-verification')
})

export default resendVerification
export const handler = lambda(resendVerification, () => ({ ...system, ...rateLimits(), ...mailQueue(), ...clients() }))
