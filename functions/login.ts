import { logIn } from '../shared/accounts/login.ts'
import { issueAccessToken } from '../shared/accounts/tokens/access-token.ts'
import { tokenResponse } from '../shared/endpoints/replies.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { rateLimits, signer, system, users } from '../shared/live.ts'
import { lambda } from '../shared/runtime/lambda.ts'

const login = endpoint('login', async ({ body, remote }, deps) =>
  tokenResponse(await issueAccessToken(deps, await logIn(deps, remote, body))),
)

export default login
export const handler = lambda(login, () => ({ ...system, ...rateLimits(), ...users(), ...signer() }))
