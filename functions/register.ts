import { openAccount } from '../accounts/account/opening.ts'
import { senderIn } from '../accounts/application/client.ts'
import { endpoint } from '../api/endpoint.ts'
import { userResponse } from '../api/make-replies.ts'

export default endpoint('register', async ({ body, clientAddress, acceptLanguage }, deps) => {
  const { client_id, ...person } = body
  const client = senderIn(deps.clients, client_id)
  return userResponse(deps, await openAccount(deps, clientAddress, { ...person, acceptLanguage, client }))
})
