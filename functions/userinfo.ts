import { personClaims } from '../accounts/application/person-claims.ts'
import { authenticateForUserinfo } from '../accounts/application/userinfo.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { bearer, system } from '../api/live.ts'

const userinfo = endpoint(
  'userinfo',
  async ({ account, claims: { scope = '' } }, deps) => personClaims(deps, account, scope.split(' ')),
  authenticateForUserinfo,
)

export default userinfo
export const handler = lambda(userinfo, () => ({ ...system, ...bearer() }))
