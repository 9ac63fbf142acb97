import { authenticate } from '../shared/accounts/tokens/authentication.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { bearer, providers, system } from '../shared/api/live.ts'
import { signInMethods } from '../shared/api/provider-replies.ts'

const list = endpoint('sign-in-methods', async ({ account }, deps) => signInMethods(deps, account), authenticate)

export default list
export const handler = lambda(list, () => ({ ...system, ...bearer(), ...providers() }))
