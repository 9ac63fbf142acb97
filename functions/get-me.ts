import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { lambda } from '../shared/lambda.ts'
import { publicKeys, system, users } from '../shared/live.ts'
import { userResponse } from '../shared/replies.ts'

const getMe = endpoint('get-me', async ({ account }) => userResponse(account), authenticate)

export default getMe
export const handler = lambda(getMe, () => ({ ...system, ...users(), ...publicKeys() }))
