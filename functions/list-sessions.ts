import { listSessions } from '../shared/accounts/session.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { bearer, system } from '../shared/api/live.ts'
import { sessionList } from '../shared/api/make-replies.ts'

const list = endpoint(
  'list-sessions',
  async ({ account, claims: { sid } }, { config, now }) =>
    sessionList(listSessions(account, sid, config, now()), sid, config),
  authenticate,
)

export default list
export const handler = lambda(list, () => ({ ...system, ...bearer() }))
