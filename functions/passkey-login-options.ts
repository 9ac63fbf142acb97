import { drawLoginOptions } from '../shared/accounts/passkeys/options.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { challenges, rateLimits, system } from '../shared/api/live.ts'
import { passkeyRequest } from '../shared/api/passkey-replies.ts'

const options = endpoint('passkey-login-options', async (_, deps) => passkeyRequest(await drawLoginOptions(deps)))

export default options
export const handler = lambda(options, () => ({ ...system, ...rateLimits(), ...challenges() }))
