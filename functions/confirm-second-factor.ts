import { confirmFactor } from '../accounts/factor/set-up.ts'
import { authenticateForSetup } from '../accounts/token/authentication.ts'
import { isSetUpByProvider } from '../accounts/token/claims.ts'
import { endpoint } from '../api/endpoint.ts'
import { recoveryCodes, tokenResponse } from '../api/make-replies.ts'

export default endpoint(
  'confirm-second-factor',
  async ({ account, body, claims, clientAddress }, deps) => {
    const isByProvider = isSetUpByProvider(claims, deps.config)
    const confirmed = await confirmFactor(deps, clientAddress, account, body.code, claims.sid, isByProvider)
    return { ...tokenResponse(confirmed.tokens), ...recoveryCodes(confirmed.recoveryCodes) }
  },
  authenticateForSetup,
)
