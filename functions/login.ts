import { logIn } from '../accounts/login/login.ts'
import { issueLoginTokens } from '../accounts/session/opening.ts'
import { endpoint } from '../api/endpoint.ts'
import { tokenResponse } from '../api/make-replies.ts'

export default endpoint('login', async ({ body, clientAddress }, deps) =>
  tokenResponse(await issueLoginTokens(deps, await logIn(deps, clientAddress, body), body.session)),
)
