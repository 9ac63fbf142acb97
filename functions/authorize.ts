import { authorize as authorizeByPassword } from '../accounts/application/authorization.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import {
  clients,
  grants,
  ownerCheck,
  providerExchange,
  providers,
  publicKeys,
  rareMailQueue,
  signer,
  system,
} from '../api/live.ts'
import { ownPages } from '../api/own-pages.ts'

const authorize = endpoint(
  'authorize',
  async ({ body, clientAddress, acceptLanguage, browser }, deps) => ({
    location: await authorizeByPassword(deps, { clientAddress, acceptLanguage }, browser, body),
  }),
  ownPages,
)

export default authorize
export const handler = lambda(authorize, () => ({
  ...clients(),
  ...grants(),
  ...providers(),
  ...providerExchange(),
  ...signer(),
  ...ownerCheck(),
  ...publicKeys(),
  ...rareMailQueue(),
  ...system,
}))
