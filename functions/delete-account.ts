import { deleteAccount } from '../shared/accounts/deletion.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { messageResponse } from '../shared/endpoints/replies.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { mailQueue, publicKeys, rateLimits, system, users } from '../shared/live.ts'
import { lambda } from '../shared/runtime/lambda.ts'

const deletion = endpoint(
  'delete-account',
  async ({ account, body, remote }, deps) => {
    await deleteAccount(deps, remote, account, body)
    return messageResponse('delete-account')
  },
  authenticate,
)

export default deletion
export const handler = lambda(deletion, () => ({
  ...system,
  ...rateLimits(),
  ...users(),
  ...publicKeys(),
  ...mailQueue(),
}))
