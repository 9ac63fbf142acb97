import { renewRecoveryCodes } from '../accounts/factor/change.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { ownerCheck, publicKeys, rareMailQueue, system } from '../api/live.ts'
import { recoveryCodes } from '../api/make-replies.ts'

const renew = endpoint(
  'renew-recovery-codes',
  async ({ account, body, clientAddress }, deps) =>
    recoveryCodes(await renewRecoveryCodes(deps, clientAddress, account, body)),
  authenticate,
)

export default renew
export const handler = lambda(renew, () => ({ ...system, ...ownerCheck(), ...publicKeys(), ...rareMailQueue() }))
