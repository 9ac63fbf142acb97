import { deleteAccount } from '../accounts/account/deletion.ts'
import { ownerProof } from '../accounts/login/proof.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { messageResponse } from '../api/make-replies.ts'

export default endpoint(
  'delete-account',
  async ({ account, prove }, deps) => {
    await deleteAccount(deps, prove, account)
    return messageResponse('delete-account')
  },
  authenticate,
  ownerProof,
)
