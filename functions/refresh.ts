import { refresh as refreshTokens } from '../shared/accounts/sessions/refresh.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { rareMailQueue, signer, system, users } from '../shared/api/live.ts'
import { tokenResponse } from '../shared/api/make-replies.ts'

const refresh = endpoint('refresh', async ({ body }, deps) =>
  tokenResponse(await refreshTokens(deps, body.refresh_token)),
)

export default refresh
export const handler = lambda(refresh, () => ({ ...system, ...users(), ...rareMailQueue(), ...signer() }))
