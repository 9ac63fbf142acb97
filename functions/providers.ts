import { endpoint } from '../api/endpoint.ts'
import { providerList } from '../api/provider-replies.ts'

export default endpoint('providers', async (_, deps) => providerList(deps))
