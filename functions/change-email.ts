import { requestEmailChange } from '../accounts/address/request.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { messageResponse } from '../api/make-replies.ts'

export default endpoint(
  'change-email',
  async ({ account, body, clientAddress }, deps) => {
    await requestEmailChange(deps, clientAddress, account, body.new_email)
    return messageResponse('change-email')
  },
  authenticate,
)
