import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { userResponse } from '../shared/endpoints/replies.ts'
import { endpoint } from '../shared/http/endpoint.ts'
import { publicKeys, system, users } from '../shared/live.ts'
import { lambda } from '../shared/runtime/lambda.ts'

const getMe = endpoint('get-me', async ({ account }) => userResponse(account), authenticate)

export default getMe
export const handler = lambda(getMe, () => ({ ...system, ...users(), ...publicKeys() }))
