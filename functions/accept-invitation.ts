import { acceptInvitation } from '../accounts/password/invitation.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { commonPasswords, mailQueue, rateLimits, system, users } from '../api/live.ts'
import { messageResponse } from '../api/make-replies.ts'

const accept = endpoint('accept-invitation', async ({ body, clientAddress }, deps) => {
  await acceptInvitation(deps, clientAddress, body)
  return messageResponse('accept-invitation')
})

export default accept
export const handler = lambda(accept, () => ({
  ...system,
  ...rateLimits(),
  ...users(),
  ...mailQueue(),
  ...commonPasswords(),
}))
