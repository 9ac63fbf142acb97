import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { bearer, system } from '../shared/api/live.ts'
import { userResponse } from '../shared/api/make-replies.ts'

const getMe = endpoint('get-me', async ({ account }, deps) => userResponse(deps, account), authenticate)

export default getMe
export const handler = lambda(getMe, () => ({ ...system, ...bearer() }))
