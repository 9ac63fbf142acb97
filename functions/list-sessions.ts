import { listSessions } from '../accounts/session/session.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { sessionList } from '../api/make-replies.ts'

export default endpoint(
  'list-sessions',
  async ({ account, claims: { sid } }, { config, now }) =>
    sessionList(listSessions(account, sid, config, now()), sid, config),
  authenticate,
)
