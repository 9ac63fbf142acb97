import { acceptInvitation } from '../shared/accounts/passwords/invitation.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { commonPasswords, mailQueue, rateLimits, system, users } from '../shared/api/live.ts'
import { messageResponse } from '../shared/api/make-replies.ts'

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
