import { renameAccount } from '../shared/accounts/account.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { userResponse } from '../shared/endpoints/replies.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { publicKeys, system, users } from '../shared/live.ts'
import { lambda } from '../shared/runtime/lambda.ts'

const updateMe = endpoint(
  'update-me',
  async ({ account, body }, deps) => userResponse(await renameAccount(deps, account, body.name)),
  authenticate,
)

export default updateMe
export const handler = lambda(updateMe, () => ({ ...system, ...users(), ...publicKeys() }))
