import { endOwnSession } from '../shared/accounts/sessions/own-session.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { ownerCheck, publicKeys, rareMailQueue, system } from '../shared/api/live.ts'
import { messageResponse } from '../shared/api/make-replies.ts'

const end = endpoint(
  'end-session',
  async ({ account, body, clientAddress }, deps) => {
    await endOwnSession(deps, clientAddress, account, body)
    return messageResponse('end-session')
  },
  authenticate,
)

export default end
export const handler = lambda(end, () => ({ ...system, ...ownerCheck(), ...publicKeys(), ...rareMailQueue() }))
