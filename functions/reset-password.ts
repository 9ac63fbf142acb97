import { resetPassword } from '../shared/accounts/passwords/password-reset.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { commonPasswords, mailQueue, rateLimits, system, users } from '../shared/api/live.ts'
import { messageResponse } from '../shared/api/make-replies.ts'

const reset = endpoint('reset-password', async ({ body, clientAddress }, deps) => {
  await resetPassword(deps, clientAddress, body)
  return messageResponse('reset-password')
})

export default reset
export const handler = lambda(reset, () => ({
  ...system,
  ...rateLimits(),
  ...users(),
  ...mailQueue(),
  ...commonPasswords(),
}))
