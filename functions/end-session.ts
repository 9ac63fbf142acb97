import { ownerProof } from '../accounts/login/proof.ts'
import { endOwnSession } from '../accounts/session/ending.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { messageResponse } from '../api/make-replies.ts'

export default endpoint(
  'end-session',
  async ({ account, body, prove }, deps) => {
    await endOwnSession(deps, prove, account, body.id)
    return messageResponse('end-session')
  },
  authenticate,
  ownerProof,
)
