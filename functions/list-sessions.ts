import { listSessions, sessionListView } from '../accounts/session/session.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint(
  'list-sessions',
  async ({ account, claims: { sid } }, { config, now }) =>
    sessionListView(listSessions(account, sid, config, now()), sid, config),
  authenticate,
)
