import { continueSession } from '../accounts/application/authorization.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { clients, grants, publicKeys, rareMailQueue, system, users } from '../api/live.ts'
import { ownPages } from '../api/own-pages.ts'

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
