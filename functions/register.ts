import { openAccount } from '../accounts/account/opening.ts'
import { accountView } from '../accounts/account/profile.ts'
import { senderIn } from '../accounts/application/client.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint('register', async ({ body, clientAddress, acceptLanguage }, deps) => {
  const { client_id, ...person } = body
  const client = senderIn(deps.clients, client_id)
  return accountView(deps, await openAccount(deps, clientAddress, { ...person, acceptLanguage, client }))
})
