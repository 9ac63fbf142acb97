import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { bearer, system } from '../api/live.ts'
import { userResponse } from '../api/make-replies.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'

const getMe = endpoint('get-me', async ({ account }, deps) => userResponse(deps, account), authenticate)

export default getMe
export const handler = lambda(getMe, () => ({ ...system, ...bearer() }))
