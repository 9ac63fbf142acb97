import { accountView, openAccount } from '../shared/accounts/account.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { lambda } from '../shared/http/lambda.ts'
import { mailQueue, rateLimits, users } from '../shared/live.ts'

const register = endpoint('register', async ({ body }, deps) => accountView(await openAccount(deps, body)))

export default register
export const handler = lambda(register, rateLimits, mailQueue, users)
