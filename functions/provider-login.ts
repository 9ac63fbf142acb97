import { logInByProvider } from '../accounts/login/by-provider.ts'
import { issueLoginTokens } from '../accounts/session/login-tokens.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { mailQueue, passwordCheck, providerExchange, providers, publicKeys, signer, system } from '../api/live.ts'
import { tokenResponse } from '../api/make-replies.ts'

const login = endpoint('provider-login', async ({ body, clientAddress, acceptLanguage }, deps) =>
  tokenResponse(
    await logInByProvider(deps, { clientAddress, acceptLanguage }, body, proven =>
      issueLoginTokens(deps, proven, body.session),
    ),
  ),
)

export default login
export const handler = lambda(login, () => ({
  ...system,
  ...passwordCheck(),
  ...providers(),
  ...providerExchange(),
  ...publicKeys(),
  ...mailQueue(),
  ...signer(),
}))
