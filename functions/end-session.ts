import { ownerProof } from '../accounts/login/proof.ts'
import { endOtherSessions, endOwnSession } from '../accounts/session/ending.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { messageResponse } from '../api/make-replies.ts'
import { invalidMember } from '../shared/base/errors.ts'

export default endpoint(
  'end-session',
  async ({ account, claims, body: { id, others }, clientAddress, prove }, deps) => {
    if (others) await endOtherSessions(deps, prove, clientAddress, account, claims.sid)
    else if (id === undefined) throw invalidMember('id', 'is required')
    else await endOwnSession(deps, prove, account, id)
    return messageResponse('end-session')
  },
  authenticate,
  ownerProof,
)
