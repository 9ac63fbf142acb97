import { resetPassword } from '../shared/accounts/passwords/password-reset.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { lambda } from '../shared/lambda.ts'
import { commonPasswords, mailQueue, rateLimits, system, users } from '../shared/live.ts'
import { messageResponse } from '../shared/replies.ts'

const reset = endpoint('reset-password', async ({ body, remote }, deps) => {
  await resetPassword(deps, remote, body)
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
