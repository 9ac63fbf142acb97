import { openAccount } from '../shared/accounts/registration.ts'
import { userResponse } from '../shared/endpoints/replies.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { commonPasswords, mailQueue, rateLimits, system, users } from '../shared/live.ts'
import { lambda } from '../shared/runtime/lambda.ts'

const register = endpoint('register', async ({ body, remote }, deps) =>
  userResponse(await openAccount(deps, remote, body)),
)

export default register
export const handler = lambda(register, () => ({
  ...system,
  ...rateLimits(),
  ...mailQueue(),
  ...users(),
  ...commonPasswords(),
}))
