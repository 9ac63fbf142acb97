import { bodies as account } from '../accounts/account/shapes.ts'
import { bodies as address } from '../accounts/address/shapes.ts'
import { bodies as application } from '../accounts/application/shapes.ts'
import { bodies as factor } from '../accounts/factor/shapes.ts'
import { bodies as identity } from '../accounts/identity/shapes.ts'
import { bodies as login } from '../accounts/login/shapes.ts'
import { bodies as passkey } from '../accounts/passkey/shapes.ts'
import { bodies as password } from '../accounts/password/shapes.ts'
import { bodies as session } from '../accounts/session/shapes.ts'

/** Bodies by name, for the route table. */
export const bodies = {
  ...session,
  ...factor,
  ...passkey,
  ...identity,
  ...password,
  ...address,
  ...account,
  ...login,
  ...application,
} as const
