import { logOutBrowser } from '../accounts/application/browser-logout.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { clients, publicKeys, rateLimits, system, users } from '../api/live.ts'
import { ownPages } from '../api/own-pages.ts'

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
