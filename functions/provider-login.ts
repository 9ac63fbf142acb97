import { logInByProvider } from '../accounts/login/by-provider.ts'
import { issueLoginTokens } from '../accounts/session/opening.ts'
import { endpoint } from '../api/endpoint.ts'
import { tokenResponse } from '../api/make-replies.ts'

export default endpoint('provider-login', async ({ body, clientAddress, acceptLanguage }, deps) =>
  tokenResponse(
    await logInByProvider(deps, { clientAddress, acceptLanguage }, body, proven =>
      issueLoginTokens(deps, proven, body.session),
    ),
  ),
)
