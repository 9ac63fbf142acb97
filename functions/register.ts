import { openAccount } from '../shared/accounts/registration.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { commonPasswords, mailQueue, rateLimits, system, users } from '../shared/api/live.ts'
import { userResponse } from '../shared/api/make-replies.ts'

const register = endpoint('register', async ({ body, clientAddress, acceptLanguage }, deps) =>
  userResponse(deps, await openAccount(deps, clientAddress, { ...body, acceptLanguage })),
)

export default register
export const handler = lambda(register, () => ({
  ...system,
  ...rateLimits(),
  ...mailQueue(),
  ...users(),
  ...commonPasswords(),
}))
