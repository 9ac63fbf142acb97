import { undoChange } from '../shared/accounts/email-changes/undo.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { emailChanges, mailQueue, rateLimits, system, users } from '../shared/api/live.ts'
import { messageResponse } from '../shared/api/make-replies.ts'

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
