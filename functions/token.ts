import { exchangeGrant } from '../accounts/application/exchange.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { clients, grants, rareMailQueue, signer, system, users } from '../api/live.ts'
import { applicationTokens } from '../api/make-replies.ts'
import { oauth } from '../api/oauth.ts'

const token = endpoint(
  'token',
  async (request, deps) => applicationTokens(await exchangeGrant(deps, request.oauth)),
  oauth,
)

export default token
export const handler = lambda(token, () => ({
  ...system,
  ...clients(),
  ...grants(),
  ...users(),
  ...rareMailQueue(),
  ...signer(),
}))
