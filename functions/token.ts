import { exchangeGrant } from '../shared/accounts/applications/exchange.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { clients, grants, rareMailQueue, signer, system, users } from '../shared/api/live.ts'
import { applicationTokens } from '../shared/api/make-replies.ts'
import { oauth } from '../shared/api/oauth.ts'

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
