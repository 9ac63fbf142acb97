import { logIn } from '../accounts/login/login.ts'
import { issueLoginTokens } from '../accounts/session/login-tokens.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { passwordCheck, rareMailQueue, signer, system } from '../api/live.ts'
import { tokenResponse } from '../api/make-replies.ts'

const login = endpoint('login', async ({ body, clientAddress }, deps) =>
  tokenResponse(await issueLoginTokens(deps, await logIn(deps, clientAddress, body), body.session)),
)

export default login
export const handler = lambda(login, () => ({ ...system, ...passwordCheck(), ...rareMailQueue(), ...signer() }))
