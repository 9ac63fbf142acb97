import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { clients, grants, publicKeys, rareMailQueue, system, users } from '../shared/api/live.ts'

const authorizeSession = endpoint('authorize-session', async () => ({ location: '' }))

export default authorizeSession
export const handler = lambda(authorizeSession, () => ({
  ...clients(),
  ...grants(),
  ...publicKeys(),
  ...rareMailQueue(),
  ...system,
  ...users(),
}))
