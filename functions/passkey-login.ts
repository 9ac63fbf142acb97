import { logInByPasskey } from '../accounts/login/by-passkey.ts'
import { issueLoginTokens } from '../accounts/session/opening.ts'
import { endpoint } from '../api/endpoint.ts'
import { tokenResponse } from '../api/make-replies.ts'

export default endpoint('passkey-login', async ({ body }, deps) =>
  tokenResponse(await issueLoginTokens(deps, await logInByPasskey(deps, body), body.session)),
)
