import { authorize as authorizeByPassword } from '../accounts/application/authorization.ts'
import { endpoint } from '../api/endpoint.ts'
import { ownPages } from '../api/own-pages.ts'

export default endpoint(
  'authorize',
  async ({ body, clientAddress, acceptLanguage, browser }, deps) => ({
    location: await authorizeByPassword(deps, { clientAddress, acceptLanguage }, browser, body),
  }),
  ownPages,
)
