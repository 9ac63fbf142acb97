import { expect } from 'vitest'
import type { Account } from '../../../accounts/account/account.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { toPassword } from '../../../accounts/password/password.ts'
import type { TokenKind } from '../../../accounts/token/token.ts'
import { createHarness } from '../../support/service/harness.ts'
import { changePassword } from '../../support/service/owner.ts'
import { ada, find, lastMessage } from '../../support/service/people.ts'

type Act = 'lock' | 'unlock' | 'signOut' | 'revoke' | 'removePasskeys'

export const clientAddress = '203.0.113.7'
export const newPassword = toPassword('battery staple')
export const kinds: TokenKind[] = ['verification', 'reset']

/** Operators' changes to accounts during requests, for all tests of a file. */
export function operate() {
  const harness = createHarness()
  const { deps } = harness
  return {
    harness,
    deps,
    act: async (name: Act) => {
      expect(await harness.operator[name](await find(harness), deps.now())).toBe(true)
    },
    item: async () => (await harness.accountItems())[0],
    deliver: () => deliverMail(deps, lastMessage(harness), deps.now()),
    droppedFor: () => harness.events.at(-1)?.reason,

    /** Acts right before the next write of the account, once. */
    beforeUpdate: (act: () => Promise<unknown>) => harness.before('UpdateItem Accounts', act),

    change: (account: Account) =>
      changePassword(deps, clientAddress, account, { current_password: ada.password, new_password: newPassword }),
  }
}
