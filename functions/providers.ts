import { providerListView } from '../accounts/identity/provider.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint('providers', async (_, deps) => providerListView(deps))
