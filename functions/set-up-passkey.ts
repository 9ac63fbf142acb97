import { ownerProof } from '../accounts/login/proof.ts'
import { setUpPasskey } from '../accounts/passkey/set-up.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { ownerCheck, publicKeys, rareMailQueue, system } from '../api/live.ts'
import { passkeyCreation } from '../api/passkey-replies.ts'

const setUp = endpoint(
  'set-up-passkey',
  async ({ account, body, clientAddress }, deps) => {
    const prove = ownerProof(deps, clientAddress, account, body, 'passkeys/setup')
    return passkeyCreation(deps, await setUpPasskey(deps, prove, account))
  },
  authenticate,
)

export default setUp
export const handler = lambda(setUp, () => ({ ...system, ...ownerCheck(), ...publicKeys(), ...rareMailQueue() }))
