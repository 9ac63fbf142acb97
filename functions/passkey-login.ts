import { logInByPasskey } from '../accounts/login/by-passkey.ts'
import { issueLoginTokens } from '../accounts/session/login-tokens.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { challenges, rateLimits, signer, system, users } from '../api/live.ts'
import { tokenResponse } from '../api/make-replies.ts'

const login = endpoint('passkey-login', async ({ body }, deps) =>
  tokenResponse(await issueLoginTokens(deps, await logInByPasskey(deps, body), body.session)),
)

export default login
export const handler = lambda(login, () => ({ ...system, ...users(), ...rateLimits(), ...challenges(), ...signer() }))
