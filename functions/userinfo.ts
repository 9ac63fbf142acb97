import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { bearer, system } from '../api/live.ts'
import { personClaims } from '../shared/accounts/applications/person-claims.ts'
import { authenticateForUserinfo } from '../shared/accounts/applications/userinfo.ts'

const userinfo = endpoint(
  'userinfo',
  async ({ account, claims: { scope = '' } }, deps) => personClaims(deps, account, scope.split(' ')),
  authenticateForUserinfo,
)

export default userinfo
export const handler = lambda(userinfo, () => ({ ...system, ...bearer() }))
