import { confirmEmailChange } from '../accounts/address/confirmation.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { emailChanges, mailQueue, passwordCheck, system } from '../api/live.ts'
import { messageResponse } from '../api/make-replies.ts'

const confirm = endpoint('confirm-email-change', async ({ body, clientAddress }, deps) => {
  await confirmEmailChange(deps, clientAddress, body)
  return messageResponse('confirm-email-change')
})

export default confirm
export const handler = lambda(confirm, () => ({ ...system, ...passwordCheck(), ...emailChanges(), ...mailQueue() }))
