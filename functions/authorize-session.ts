import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { clients, grants, publicKeys, rareMailQueue, system, users } from '../shared/api/live.ts'
import { ownPages } from '../shared/api/own-pages.ts'

const authorizeSession = endpoint('authorize-session', async () => ({ location: '' }), ownPages)

export default authorizeSession
export const handler = lambda(authorizeSession, () => ({
  ...clients(),
  ...grants(),
  ...publicKeys(),
  ...rareMailQueue(),
  ...system,
  ...users(),
}))
