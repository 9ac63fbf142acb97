import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { bearer, system } from '../api/live.ts'
import { userResponse } from '../api/make-replies.ts'

const getMe = endpoint('get-me', async ({ account }, deps) => userResponse(deps, account), authenticate)

export default getMe
export const handler = lambda(getMe, () => ({ ...system, ...bearer() }))
