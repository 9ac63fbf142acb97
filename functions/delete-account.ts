import { deleteAccount } from '../accounts/account/deletion.ts'
import { ownerProof } from '../accounts/login/proof.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { emailChanges, mailQueue, ownerCheck, publicKeys, system } from '../api/live.ts'
import { messageResponse } from '../api/make-replies.ts'

const deletion = endpoint(
  'delete-account',
  async ({ account, body, clientAddress }, deps) => {
    await deleteAccount(deps, ownerProof(deps, clientAddress, account, body, 'delete-account'), account)
    return messageResponse('delete-account')
  },
  authenticate,
)

export default deletion
export const handler = lambda(deletion, () => ({
  ...system,
  ...ownerCheck(),
  ...publicKeys(),
  ...emailChanges(),
  ...mailQueue(),
}))
