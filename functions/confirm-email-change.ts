import type { Account } from '../accounts/account/account.ts'
import { confirmEmailChange } from '../accounts/address/confirmation.ts'
import { proveByPassword } from '../accounts/login/proof.ts'
import { endpoint } from '../api/endpoint.ts'
import { messageResponse } from '../api/make-replies.ts'

export default endpoint('confirm-email-change', async ({ body: { token, ...typed }, clientAddress }, deps) => {
  const prove = (account: Account) => proveByPassword(deps, clientAddress, account, typed)
  await confirmEmailChange(deps, prove, clientAddress, token)
  return messageResponse('confirm-email-change')
})
