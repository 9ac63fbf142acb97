import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { bearer, providers, system } from '../api/live.ts'
import { signInMethods } from '../api/provider-replies.ts'

const list = endpoint('sign-in-methods', async ({ account }, deps) => signInMethods(deps, account), authenticate)

export default list
export const handler = lambda(list, () => ({ ...system, ...bearer(), ...providers() }))
