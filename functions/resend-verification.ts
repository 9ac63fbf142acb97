import { requestMail } from '../shared/accounts/mail.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { lambda } from '../shared/http/lambda.ts'
import { mailQueue, rateLimits } from '../shared/live.ts'
import { message } from '../shared/message.ts'

const resendVerification = endpoint('resend-verification', async ({ body }, deps) => {
  await requestMail(deps, 'verification', body.email)
  return message('If an unverified account with this email exists, a verification link has been sent.')
})

export default resendVerification
export const handler = lambda(resendVerification, rateLimits, mailQueue)
