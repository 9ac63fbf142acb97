import { drawLoginOptions } from '../accounts/passkey/options.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { challenges, rateLimits, system } from '../api/live.ts'
import { passkeyRequest } from '../api/passkey-replies.ts'

const options = endpoint('passkey-login-options', async (_, deps) => passkeyRequest(await drawLoginOptions(deps)))

export default options
export const handler = lambda(options, () => ({ ...system, ...rateLimits(), ...challenges() }))
