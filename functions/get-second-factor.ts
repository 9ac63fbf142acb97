import { authenticate } from '../accounts/token/authentication.ts'
import { endpoint } from '../api/endpoint.ts'
import { secondFactor } from '../api/make-replies.ts'

export default endpoint('get-second-factor', async ({ account }) => secondFactor(account), authenticate)
