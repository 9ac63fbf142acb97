import { openAccount } from '../accounts/account/opening.ts'
import { senderIn } from '../accounts/application/client.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { clients, commonPasswords, mailQueue, rateLimits, system, users } from '../api/live.ts'
import { userResponse } from '../api/make-replies.ts'

const register = endpoint('register', async ({ body, clientAddress, acceptLanguage }, deps) => {
  const { client_id, ...person } = body
  const client = senderIn(deps.clients, client_id)
  return userResponse(deps, await openAccount(deps, clientAddress, { ...person, acceptLanguage, client }))
})

export default register
export const handler = lambda(register, () => ({
  ...system,
  ...rateLimits(),
  ...mailQueue(),
  ...users(),
  ...commonPasswords(),
  ...clients(),
}))
