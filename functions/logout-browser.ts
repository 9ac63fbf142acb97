import { logOutBrowser } from '../accounts/application/browser-logout.ts'
import { endpoint } from '../api/endpoint.ts'
import { ownPages } from '../api/own-pages.ts'

export default endpoint(
  'logout-browser',
  async ({ body, browser }, deps) => ({ location: await logOutBrowser(deps, browser, body) }),
  ownPages,
)
