import type { Account } from '../../../accounts/account/account.ts'
import { type Admitted, admitProven } from '../../../accounts/login/admitted.ts'
import { byPassword } from '../../../accounts/token/claims.ts'
import type { Deps } from '../../../api/deps.ts'

/** The owner of an account, as if the password had been entered just now, and a code where it has a second factor. */
export const admitted = (deps: Pick<Deps, 'log' | 'now'>, account: Account): Promise<Admitted> =>
  admitProven(
    deps,
    { account, by: 'password', login: byPassword(deps, account), askFactor: null, spend: async () => {} },
    false,
  )
