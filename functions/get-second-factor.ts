import { factorView } from '../accounts/factor/factor.ts'
import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'

export default endpoint('get-second-factor', async ({ account }) => factorView(account), authenticate)
