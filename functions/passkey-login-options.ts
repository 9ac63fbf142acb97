import { drawLoginOptions, requestOptionsView } from '../accounts/passkey/options.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint('passkey-login-options', async (_, deps) => requestOptionsView(await drawLoginOptions(deps)))
