import { senderIn } from '../accounts/application/client.ts'
import { requestMail } from '../accounts/mail/queue.ts'
import { endpoint } from '../api/endpoint.ts'
import { messageResponse } from '../api/make-replies.ts'

export default endpoint('forgot-password', async ({ body, clientAddress }, deps) => {
  await requestMail(deps, clientAddress, 'reset', body.email, senderIn(deps.clients, body.client_id))
  return messageResponse('forgot-password')
})
