import { resetPassword } from '../accounts/password/reset.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { commonPasswords, mailQueue, rateLimits, system, users } from '../api/live.ts'
import { messageResponse } from '../api/make-replies.ts'

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
