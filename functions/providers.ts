import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { providers, system } from '../shared/api/live.ts'
import { providerList } from '../shared/api/provider-replies.ts'

const list = endpoint('providers', async (_, deps) => providerList(deps))

export default list
export const handler = lambda(list, () => ({ ...system, ...providers() }))
