import { acceptInvitation } from '../accounts/password/invitation.ts'
import { endpoint } from '../api/endpoint.ts'
import { messageResponse } from '../api/make-replies.ts'

export default endpoint('accept-invitation', async ({ body, clientAddress }, deps) => {
  await acceptInvitation(deps, clientAddress, body)
  return messageResponse('accept-invitation')
})
