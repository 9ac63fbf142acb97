import { verifyEmail } from '../shared/accounts/account.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { lambda } from '../shared/http/lambda.ts'
import { rateLimits, users } from '../shared/live.ts'
import { message } from '../shared/message.ts'

const verify = endpoint('verify-email', async ({ body }, deps) => {
  await verifyEmail(deps, body.token)
  return message('Email verified successfully. You can now log in.')
})

export default verify
export const handler = lambda(verify, rateLimits, users)
