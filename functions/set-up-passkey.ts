import { ownerProof } from '../accounts/login/proof.ts'
import { creationOptionsView, setUpPasskey } from '../accounts/passkey/set-up.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint(
  'set-up-passkey',
  async ({ account, prove }, deps) => creationOptionsView(deps, await setUpPasskey(deps, prove, account)),
  authenticate,
  ownerProof,
)
