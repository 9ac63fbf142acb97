import { verifyEmail } from '../accounts/address/verification.ts'
import { endpoint } from '../api/endpoint.ts'
import { messageResponse } from '../api/make-replies.ts'

export default endpoint('verify-email', async ({ body, clientAddress }, deps) => {
  await verifyEmail(deps, clientAddress, body.token)
  return messageResponse('verify-email')
})
