import { refresh as refreshTokens } from '../accounts/session/refresh.ts'
import { tokenView } from '../accounts/token/access-token.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint('refresh', async ({ body }, deps) => tokenView(await refreshTokens(deps, body.refresh_token)))
