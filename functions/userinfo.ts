import { personClaims } from '../accounts/application/person-claims.ts'
import { authenticateForUserinfo } from '../accounts/application/userinfo.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint(
  'userinfo',
  async ({ account, claims: { scope = '' } }, deps) => personClaims(deps, account, scope.split(' ')),
  authenticateForUserinfo,
)
