import { issueAccessToken } from '../shared/accounts/access-token.ts'
import { logIn } from '../shared/accounts/account.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { lambda } from '../shared/http/lambda.ts'
import { rateLimits, signer, users } from '../shared/live.ts'

const login = endpoint('login', async ({ body, remote }, deps) =>
  issueAccessToken(deps, await logIn(deps, remote, body)),
)

export default login
export const handler = lambda(login, rateLimits, users, signer)
