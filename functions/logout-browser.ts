import { logOutBrowser } from '../shared/accounts/applications/browser-logout.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { clients, publicKeys, rateLimits, system, users } from '../shared/api/live.ts'
import { ownPages } from '../shared/api/own-pages.ts'

const logoutBrowser = endpoint(
  'logout-browser',
  async ({ body, browser }, deps) => ({ location: await logOutBrowser(deps, browser, body) }),
  ownPages,
)

export default logoutBrowser
export const handler = lambda(logoutBrowser, () => ({
  ...clients(),
  ...publicKeys(),
  ...rateLimits(),
  ...system,
  ...users(),
}))
