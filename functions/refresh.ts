import { refresh as refreshTokens } from '../accounts/session/refresh.ts'
import { endpoint } from '../api/endpoint.ts'
import { tokenResponse } from '../api/make-replies.ts'

export default endpoint('refresh', async ({ body }, deps) =>
  tokenResponse(await refreshTokens(deps, body.refresh_token)),
)
