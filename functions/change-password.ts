import { ownerProof } from '../accounts/login/proof.ts'
import { changePassword } from '../accounts/password/change.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { commonPasswords, mailQueue, ownerCheck, publicKeys, signer, system } from '../api/live.ts'
import { tokenResponse } from '../api/make-replies.ts'

const change = endpoint(
  'change-password',
  async ({ account, body: { new_password, ...proof }, claims, clientAddress }, deps) => {
    const { assertion, current_password: password, code } = proof
    const given = assertion === undefined ? { password, code } : { assertion }
    const prove = ownerProof(deps, clientAddress, account, given, 'change-password')
    return tokenResponse(await changePassword(deps, prove, clientAddress, account, new_password, claims.sid))
  },
  authenticate,
)

export default change
export const handler = lambda(change, () => ({
  ...system,
  ...ownerCheck(),
  ...publicKeys(),
  ...mailQueue(),
  ...signer(),
  ...commonPasswords(),
}))
