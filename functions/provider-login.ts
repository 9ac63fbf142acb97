import { logInByProvider } from '../accounts/login/by-provider.ts'
import { issueLoginTokens } from '../accounts/session/opening.ts'
import { tokenView } from '../accounts/token/access-token.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint('provider-login', async ({ body, clientAddress, acceptLanguage }, deps) =>
  tokenView(
    await logInByProvider(deps, { clientAddress, acceptLanguage }, body, proven =>
      issueLoginTokens(deps, proven, body.session),
    ),
  ),
)
