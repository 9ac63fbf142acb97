import { exchangeGrant } from '../accounts/application/exchange.ts'
import { applicationTokensView } from '../accounts/application/tokens.ts'
import { endpoint } from '../api/endpoint.ts'
import { oauth } from '../api/oauth.ts'

export default endpoint(
  'token',
  async (request, deps) => applicationTokensView(await exchangeGrant(deps, request.oauth)),
  oauth,
)
