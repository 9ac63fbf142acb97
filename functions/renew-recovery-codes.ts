import { renewRecoveryCodes } from '../shared/accounts/factors/factor-change.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { ownerCheck, publicKeys, rareMailQueue, system } from '../shared/api/live.ts'
import { recoveryCodes } from '../shared/api/make-replies.ts'

const renew = endpoint(
  'renew-recovery-codes',
  async ({ account, body, clientAddress }, deps) =>
    recoveryCodes(await renewRecoveryCodes(deps, clientAddress, account, body)),
  authenticate,
)

export default renew
export const handler = lambda(renew, () => ({ ...system, ...ownerCheck(), ...publicKeys(), ...rareMailQueue() }))
