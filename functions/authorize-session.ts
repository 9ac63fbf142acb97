import { continueSession } from '../accounts/application/authorization.ts'
import { endpoint } from '../api/endpoint.ts'
import { ownPages } from '../api/own-pages.ts'

export default endpoint(
  'authorize-session',
  async ({ body, browser }, deps) => ({ location: await continueSession(deps, browser, body) }),
  ownPages,
)
