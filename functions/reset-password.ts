import { resetPassword } from '../shared/accounts/account.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { lambda } from '../shared/http/lambda.ts'
import { rateLimits, users } from '../shared/live.ts'
import { message } from '../shared/message.ts'

const reset = endpoint('reset-password', async ({ body }, deps) => {
  await resetPassword(deps, body)
  return message('Password has been reset successfully. You can now log in.')
})

export default reset
export const handler = lambda(reset, rateLimits, users)
