import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { bearer, rateLimits, system } from '../api/live.ts'
import { passkeyList } from '../api/passkey-replies.ts'

const list = endpoint('list-passkeys', async ({ account }, deps) => passkeyList(deps, account), authenticate)

export default list
export const handler = lambda(list, () => ({ ...system, ...bearer(), ...rateLimits() }))
