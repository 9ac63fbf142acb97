import { revoke as revokeToken } from '../shared/accounts/applications/revocation.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { clients, system, users } from '../shared/api/live.ts'
import { oauth } from '../shared/api/oauth.ts'

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
