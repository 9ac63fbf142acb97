import { renameAccount } from '../shared/accounts/account.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { publicKeys, system, users } from '../shared/api/live.ts'
import { userResponse } from '../shared/api/make-replies.ts'

const updateMe = endpoint(
  'update-me',
  async ({ account, body }, deps) => userResponse(await renameAccount(deps, account, body.name)),
  authenticate,
)

export default updateMe
export const handler = lambda(updateMe, () => ({ ...system, ...users(), ...publicKeys() }))
