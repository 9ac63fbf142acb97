import { setUpPasskey } from '../shared/accounts/passkeys/setup.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { ownerCheck, publicKeys, rareMailQueue, system } from '../shared/api/live.ts'
import { passkeyCreation } from '../shared/api/passkey-replies.ts'

const setUp = endpoint(
  'set-up-passkey',
  async ({ account, body, clientAddress }, deps) =>
    passkeyCreation(deps, await setUpPasskey(deps, clientAddress, account, body)),
  authenticate,
)

export default setUp
export const handler = lambda(setUp, () => ({ ...system, ...ownerCheck(), ...publicKeys(), ...rareMailQueue() }))
