import { senderIn } from '../accounts/application/client.ts'
import { requestMail } from '../accounts/mail/queue.ts'
import { endpoint } from '../api/endpoint.ts'
import { messageResponse } from '../api/make-replies.ts'

export default endpoint('resend-verification', async ({ body, clientAddress }, deps) => {
  await requestMail(deps, clientAddress, 'verification', body.email, senderIn(deps.clients, body.client_id))
  return messageResponse('resend-verification')
})
