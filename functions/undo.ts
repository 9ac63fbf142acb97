import { undoChange } from '../accounts/address/undo.ts'
import { endpoint } from '../api/endpoint.ts'
import { messageResponse } from '../api/make-replies.ts'

export default endpoint('undo', async ({ body }, deps) => {
  await undoChange(deps, body.token)
  return messageResponse('undo')
})
