import { continueSession } from '../shared/accounts/applications/authorization.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { clients, grants, publicKeys, rareMailQueue, system, users } from '../shared/api/live.ts'
import { ownPages } from '../shared/api/own-pages.ts'

const authorizeSession = endpoint(
  'authorize-session',
  async ({ body, browser }, deps) => ({ location: await continueSession(deps, browser, body) }),
  ownPages,
)

export default authorizeSession
export const handler = lambda(authorizeSession, () => ({
  ...clients(),
  ...grants(),
  ...publicKeys(),
  ...rareMailQueue(),
  ...system,
  ...users(),
}))
