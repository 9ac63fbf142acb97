import { logIn } from '../accounts/login/login.ts'
import { issueLoginTokens } from '../accounts/session/opening.ts'
import { tokenView } from '../accounts/token/access-token.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint('login', async ({ body, clientAddress }, deps) =>
  tokenView(await issueLoginTokens(deps, await logIn(deps, clientAddress, body), body.session)),
)
