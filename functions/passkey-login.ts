import { logInByPasskey } from '../shared/accounts/passkeys/login.ts'
import { issueLoginTokens } from '../shared/accounts/sessions/login-tokens.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { challenges, rateLimits, signer, system, users } from '../shared/api/live.ts'
import { tokenResponse } from '../shared/api/make-replies.ts'

const login = endpoint('passkey-login', async ({ body }, deps) =>
  tokenResponse(await issueLoginTokens(deps, await logInByPasskey(deps, body), body.session)),
)

export default login
export const handler = lambda(login, () => ({ ...system, ...users(), ...rateLimits(), ...challenges(), ...signer() }))
