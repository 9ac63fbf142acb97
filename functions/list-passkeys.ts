import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { bearer, rateLimits, system } from '../shared/api/live.ts'
import { passkeyList } from '../shared/api/passkey-replies.ts'

const list = endpoint('list-passkeys', async ({ account }, deps) => passkeyList(deps, account), authenticate)

export default list
export const handler = lambda(list, () => ({ ...system, ...bearer(), ...rateLimits() }))
