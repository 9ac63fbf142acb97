import { logIn } from '../shared/accounts/login.ts'
import { issueAccessToken } from '../shared/accounts/tokens/access-token.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { rateLimits, signer, system, users } from '../shared/api/live.ts'
import { tokenResponse } from '../shared/api/replies.ts'

const login = endpoint('login', async ({ body, clientAddress }, deps) =>
  tokenResponse(await issueAccessToken(deps, await logIn(deps, clientAddress, body))),
)

export default login
export const handler = lambda(login, () => ({ ...system, ...rateLimits(), ...users(), ...signer() }))
