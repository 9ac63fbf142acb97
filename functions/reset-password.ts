import { resetPassword } from '../shared/accounts/passwords/password-reset.ts'
import { messageResponse } from '../shared/endpoints/replies.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { commonPasswords, mailQueue, rateLimits, system, users } from '../shared/live.ts'
import { lambda } from '../shared/runtime/lambda.ts'

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
