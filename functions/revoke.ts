import { revoke as revokeToken } from '../accounts/application/revocation.ts'
import { endpoint } from '../api/endpoint.ts'
import { oauth } from '../api/oauth.ts'

export default endpoint(
  'revoke',
  async (request, deps) => {
    await revokeToken(deps, request.oauth)
    return {}
  },
  oauth,
)
