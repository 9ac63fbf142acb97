import { revoke as revokeToken } from '../accounts/application/revocation.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { clients, system, users } from '../api/live.ts'
import { oauth } from '../api/oauth.ts'

const revoke = endpoint(
  'revoke',
  async (request, deps) => {
    await revokeToken(deps, request.oauth)
    return {}
  },
  oauth,
)

export default revoke
export const handler = lambda(revoke, () => ({ ...system, ...clients(), ...users() }))
