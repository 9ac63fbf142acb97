import { resetPassword } from '../accounts/password/reset.ts'
import { endpoint } from '../api/endpoint.ts'
import { messageResponse } from '../api/make-replies.ts'

export default endpoint('reset-password', async ({ body, clientAddress }, deps) => {
  await resetPassword(deps, clientAddress, body)
  return messageResponse('reset-password')
})
