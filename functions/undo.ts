import { undoChange } from '../accounts/address/undo.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { emailChanges, mailQueue, rateLimits, system, users } from '../api/live.ts'
import { messageResponse } from '../api/make-replies.ts'

const undo = endpoint('undo', async ({ body }, deps) => {
  await undoChange(deps, body.token)
  return messageResponse('undo')
})

export default undo
export const handler = lambda(undo, () => ({
  ...system,
  ...rateLimits(),
  ...users(),
  ...emailChanges(),
  ...mailQueue(),
}))
