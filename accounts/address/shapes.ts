import * as v from 'valibot'
import { Code, Text } from '../../shared/base/shapes.ts'
import { GivenPassword } from '../password/password.ts'
import { canonicalEmail } from './address.ts'

/** An address in its canonical form (see `address.ts`). */
export const Email = v.pipe(
  Text,
  v.transform(canonicalEmail),
  v.string('must be an e-mail address, such as ada@example.com'),
)

/** Nobody is logged in there: a passkey does not do. */
export const ConfirmEmailChangeRequest = v.object({ token: Text, password: GivenPassword, code: Code })
export type ConfirmEmailChangeRequest = v.InferOutput<typeof ConfirmEmailChangeRequest>
