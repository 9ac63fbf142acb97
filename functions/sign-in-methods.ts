import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { bearer, providers, system } from '../api/live.ts'
import { signInMethods } from '../api/provider-replies.ts'
import { authenticate } from '../shared/accounts/tokens/authentication.ts'

const list = endpoint('sign-in-methods', async ({ account }, deps) => signInMethods(deps, account), authenticate)

export default list
export const handler = lambda(list, () => ({ ...system, ...bearer(), ...providers() }))
