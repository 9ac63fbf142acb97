import { requestMail } from '../shared/accounts/mail.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { lambda } from '../shared/http/lambda.ts'
import { mailQueue, rateLimits } from '../shared/live.ts'
import { message } from '../shared/message.ts'

const forgotPassword = endpoint('forgot-password', async ({ body }, deps) => {
  await requestMail(deps, 'reset', body.email)
  return message('If an account with this email exists, a password reset link has been sent.')
})

export default forgotPassword
export const handler = lambda(forgotPassword, rateLimits, mailQueue)
