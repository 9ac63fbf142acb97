import { ownerProof } from '../accounts/login/proof.ts'
import { endOwnSession } from '../accounts/session/own-session.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { ownerCheck, publicKeys, rareMailQueue, system } from '../api/live.ts'
import { messageResponse } from '../api/make-replies.ts'

const end = endpoint(
  'end-session',
  async ({ account, body, clientAddress }, deps) => {
    const prove = ownerProof(deps, clientAddress, account, body, 'end-session')
    await endOwnSession(deps, prove, account, body.id)
    return messageResponse('end-session')
  },
  authenticate,
)

export default end
export const handler = lambda(end, () => ({ ...system, ...ownerCheck(), ...publicKeys(), ...rareMailQueue() }))
