import { accountView } from '../shared/accounts/account.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { lambda } from '../shared/http/lambda.ts'
import { publicKeys, users } from '../shared/live.ts'

const getMe = endpoint('get-me', async ({ account }) => accountView(account))

export default getMe
export const handler = lambda(getMe, users, publicKeys)
