import { refresh as refreshTokens } from '../accounts/session/refresh.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { rareMailQueue, signer, system, users } from '../api/live.ts'
import { tokenResponse } from '../api/make-replies.ts'

const refresh = endpoint('refresh', async ({ body }, deps) =>
  tokenResponse(await refreshTokens(deps, body.refresh_token)),
)

export default refresh
export const handler = lambda(refresh, () => ({ ...system, ...users(), ...rareMailQueue(), ...signer() }))
