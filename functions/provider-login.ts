import { logInByProvider } from '../shared/accounts/providers/login.ts'
import { issueLoginTokens } from '../shared/accounts/sessions/login-tokens.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import {
  mailQueue,
  passwordCheck,
  providerExchange,
  providers,
  publicKeys,
  signer,
  system,
} from '../shared/api/live.ts'
import { tokenResponse } from '../shared/api/make-replies.ts'

const login = endpoint('provider-login', async ({ body, clientAddress, acceptLanguage }, deps) =>
  tokenResponse(
    await logInByProvider(deps, { clientAddress, acceptLanguage }, body, admitted =>
      issueLoginTokens(deps, admitted, body.session),
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
