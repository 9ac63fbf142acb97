import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { providers, system } from '../api/live.ts'
import { providerList } from '../api/provider-replies.ts'

const list = endpoint('providers', async (_, deps) => providerList(deps))

export default list
export const handler = lambda(list, () => ({ ...system, ...providers() }))
