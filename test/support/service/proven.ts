import type { Account, Proven } from '../../../accounts/account/account.ts'
import { finishProof } from '../../../accounts/login/proven.ts'
import { byPassword } from '../../../accounts/token/claims.ts'
import type { Deps } from '../../../api/deps.ts'

/** The owner of an account, as if the password had been entered just now, and a code where it has a second factor. */
export const proven = (deps: Pick<Deps, 'log' | 'now'>, account: Account): Promise<Proven> =>
  finishProof(
    deps,
    { account, by: 'password', login: byPassword(deps, account), askFactor: null, spend: async () => {} },
    false,
  )
