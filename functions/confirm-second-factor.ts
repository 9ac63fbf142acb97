import { confirmFactor } from '../accounts/factor/set-up.ts'
import { authenticateForSetup } from '../accounts/token/authentication.ts'
import { isSetUpByProvider } from '../accounts/token/claims.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { bearer, factorKey, mailQueue, rateLimits, signer, system } from '../api/live.ts'
import { recoveryCodes, tokenResponse } from '../api/make-replies.ts'

const confirm = endpoint(
  'confirm-second-factor',
  async ({ account, body, claims, clientAddress }, deps) => {
    const isByProvider = isSetUpByProvider(claims, deps.config)
    const confirmed = await confirmFactor(deps, clientAddress, account, body.code, claims.sid, isByProvider)
    return { ...tokenResponse(confirmed.tokens), ...recoveryCodes(confirmed.recoveryCodes) }
  },
  authenticateForSetup,
)

export default confirm
export const handler = lambda(confirm, () => ({
  ...system,
  ...rateLimits(),
  ...bearer(),
  ...mailQueue(),
  ...factorKey(),
  ...signer(),
}))
