import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { bearer, rateLimits, system } from '../shared/api/live.ts'
import { secondFactor } from '../shared/api/make-replies.ts'

const get = endpoint('get-second-factor', async ({ account }) => secondFactor(account), authenticate)

export default get
export const handler = lambda(get, () => ({ ...system, ...rateLimits(), ...bearer() }))
