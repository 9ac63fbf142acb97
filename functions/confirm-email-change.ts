import { confirmEmailChange } from '../shared/accounts/email-changes/confirmation.ts'
import { endpoint } from '../shared/api/endpoint.ts'
import { lambda } from '../shared/api/lambda.ts'
import { emailChanges, mailQueue, passwordCheck, system } from '../shared/api/live.ts'
import { messageResponse } from '../shared/api/make-replies.ts'

const confirm = endpoint('confirm-email-change', async ({ body, clientAddress }, deps) => {
  await confirmEmailChange(deps, clientAddress, body)
  return messageResponse('confirm-email-change')
})

export default confirm
export const handler = lambda(confirm, () => ({ ...system, ...passwordCheck(), ...emailChanges(), ...mailQueue() }))
