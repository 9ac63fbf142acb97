import { logInByPasskey } from '../accounts/login/by-passkey.ts'
import { issueLoginTokens } from '../accounts/session/opening.ts'
import { tokenView } from '../accounts/token/access-token.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint('passkey-login', async ({ body }, deps) =>
  tokenView(await issueLoginTokens(deps, await logInByPasskey(deps, body), body.session)),
)
