import { senderIn } from '../accounts/application/client.ts'
import { requestMail } from '../accounts/mail/queue.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { clients, mailQueue, rateLimits, system } from '../api/live.ts'
import { messageResponse } from '../api/make-replies.ts'

const forgotPassword = endpoint('forgot-password', async ({ body, clientAddress }, deps) => {
  await requestMail(deps, clientAddress, 'reset', body.email, senderIn(deps.clients, body.client_id))
  return messageResponse('forgot-password')
})

export default forgotPassword
export const handler = lambda(forgotPassword, () => ({ ...system, ...rateLimits(), ...mailQueue(), ...clients() }))
