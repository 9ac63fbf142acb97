import { drawProofOptions, requestOptionsView } from '../accounts/passkey/options.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint(
  'passkey-proof-options',
  async ({ account, body }, deps) => requestOptionsView(await drawProofOptions(deps, account, body.for)),
  authenticate,
)
