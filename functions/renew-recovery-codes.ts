import { renewRecoveryCodes } from '../accounts/factor/change.ts'
import { ownerProof } from '../accounts/login/proof.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { ownerCheck, publicKeys, rareMailQueue, system } from '../api/live.ts'
import { recoveryCodes } from '../api/make-replies.ts'

const renew = endpoint(
  'renew-recovery-codes',
  async ({ account, body, clientAddress }, deps) => {
    const prove = ownerProof(deps, clientAddress, account, body, 'second-factor/recovery-codes')
    return recoveryCodes(await renewRecoveryCodes(deps, prove, account))
  },
  authenticate,
)

export default renew
export const handler = lambda(renew, () => ({ ...system, ...ownerCheck(), ...publicKeys(), ...rareMailQueue() }))
