import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { bearer, system } from '../shared/api/live.ts'

const userinfo = endpoint('userinfo', async ({ account }) => ({ sub: account.id }), authenticate)

export default userinfo
export const handler = lambda(userinfo, () => ({ ...bearer(), ...system }))
