import { accountView, renameAccount } from '../shared/accounts/account.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { lambda } from '../shared/http/lambda.ts'
import { publicKeys, users } from '../shared/live.ts'

const updateMe = endpoint('update-me', async ({ account, body }, deps) =>
  accountView(await renameAccount(deps, account, body.name)),
)

export default updateMe
export const handler = lambda(updateMe, users, publicKeys)
