import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { bearer, rateLimits, system } from '../api/live.ts'
import { secondFactor } from '../api/make-replies.ts'

const get = endpoint('get-second-factor', async ({ account }) => secondFactor(account), authenticate)

export default get
export const handler = lambda(get, () => ({ ...system, ...rateLimits(), ...bearer() }))
