import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { clients, grants, rareMailQueue, signer, system, users } from '../shared/api/live.ts'

const token = endpoint('token', async () => ({
  access_token: '',
  token_type: 'Bearer' as const,
  expires_in: 1,
  scope: '',
}))

export default token
export const handler = lambda(token, () => ({
  ...clients(),
  ...grants(),
  ...rareMailQueue(),
  ...signer(),
  ...system,
  ...users(),
}))
