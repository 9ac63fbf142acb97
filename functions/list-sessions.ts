import { listSessions } from '../accounts/session/session.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { bearer, system } from '../api/live.ts'
import { sessionList } from '../api/make-replies.ts'

const list = endpoint(
  'list-sessions',
  async ({ account, claims: { sid } }, { config, now }) =>
    sessionList(listSessions(account, sid, config, now()), sid, config),
  authenticate,
)

export default list
export const handler = lambda(list, () => ({ ...system, ...bearer() }))
