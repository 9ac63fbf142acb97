import { logOut } from '../accounts/session/ending.ts'
import { endpoint } from '../api/endpoint.ts'
import { messageResponse } from '../api/make-replies.ts'

export default endpoint('logout', async ({ body }, deps) => {
  await logOut(deps, body.refresh_token)
  return messageResponse('logout')
})
