import { personClaims } from '../shared/accounts/applications/person-claims.ts'
import { authenticateForUserinfo } from '../shared/accounts/applications/userinfo.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { bearer, system } from '../shared/api/live.ts'

const userinfo = endpoint(
  'userinfo',
  async ({ account, claims: { scope = '' } }, deps) => personClaims(deps, account, scope.split(' ')),
  authenticateForUserinfo,
)

export default userinfo
export const handler = lambda(userinfo, () => ({ ...system, ...bearer() }))
