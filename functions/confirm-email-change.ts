import type { Account } from '../accounts/account/account.ts'
import { confirmEmailChange } from '../accounts/address/confirmation.ts'
import { proveByPassword } from '../accounts/login/proof.ts'
import { endpoint } from '../api/endpoint.ts'
import { lambda } from '../api/lambda.ts'
import { emailChanges, mailQueue, passwordCheck, system } from '../api/live.ts'
import { messageResponse } from '../api/make-replies.ts'

const confirm = endpoint('confirm-email-change', async ({ body: { token, ...typed }, clientAddress }, deps) => {
  const prove = (account: Account) => proveByPassword(deps, clientAddress, account, typed)
  await confirmEmailChange(deps, prove, clientAddress, token)
  return messageResponse('confirm-email-change')
})

export default confirm
export const handler = lambda(confirm, () => ({ ...system, ...passwordCheck(), ...emailChanges(), ...mailQueue() }))
