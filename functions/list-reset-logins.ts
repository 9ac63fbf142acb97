import { listResetLogins } from '../accounts/password/logins.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint('list-reset-logins', async ({ body }, deps) => ({
  logins: await listResetLogins(deps, body.token),
}))
