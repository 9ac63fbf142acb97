import { ownerProof } from '../accounts/login/proof.ts'
import { setUpPasskey } from '../accounts/passkey/set-up.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { passkeyCreation } from '../api/passkey-replies.ts'

export default endpoint(
  'set-up-passkey',
  async ({ account, prove }, deps) => passkeyCreation(deps, await setUpPasskey(deps, prove, account)),
  authenticate,
  ownerProof,
)
