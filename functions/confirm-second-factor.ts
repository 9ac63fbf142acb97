import { recoveryCodesView } from '../accounts/factor/factor.ts'
import { confirmFactor } from '../accounts/factor/set-up.ts'
import { tokenView } from '../accounts/token/access-token.ts'
import { authenticateForSetup } from '../accounts/token/authentication.ts'
import { isSetUpByProvider } from '../accounts/token/claims.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint(
  'confirm-second-factor',
  async ({ account, body, claims, clientAddress }, deps) => {
    const isByProvider = isSetUpByProvider(claims, deps.config)
    const confirmed = await confirmFactor(deps, clientAddress, account, body.code, claims.sid, isByProvider)
    return { ...tokenView(confirmed.tokens), ...recoveryCodesView(confirmed.recoveryCodes) }
  },
  authenticateForSetup,
)
