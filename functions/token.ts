import { exchangeGrant } from '../accounts/application/exchange.ts'
import { endpoint } from '../api/endpoint.ts'
import { applicationTokens } from '../api/make-replies.ts'
import { oauth } from '../api/oauth.ts'

export default endpoint(
  'token',
  async (request, deps) => applicationTokens(await exchangeGrant(deps, request.oauth)),
  oauth,
)
