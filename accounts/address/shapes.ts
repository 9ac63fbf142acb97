import * as v from 'valibot'
import { Code, type MeaningsOf, Text } from '../../shared/base/shapes.ts'
import { GivenPassword } from '../password/password.ts'
import { canonicalEmail } from './address.ts'

/** An address in its canonical form (see `address.ts`). */
export const Email = v.pipe(
  Text,
  v.transform(canonicalEmail),
  v.string('must be an e-mail address, such as ada@example.com'),
)

/** Its bodies by name, for the route table. */
export const bodies = {
  VerifyEmailRequest: v.object({ token: Text }),
  ChangeEmailRequest: v.object({ new_email: Email }),
  /** Nobody is logged in there: a passkey does not do. */
  ConfirmEmailChangeRequest: v.object({ token: Text, password: GivenPassword, code: Code }),
  UndoRequest: v.object({ token: Text }),
} as const

export const meanings: MeaningsOf<typeof bodies> = {
  VerifyEmailRequest: ['A proof of the address.'],
  ChangeEmailRequest: ['Where the link is mailed to.'],
  ConfirmEmailChangeRequest: [
    'A proof of the new address, and of the account.',
    { token: 'From the link in the mail to the new address. It works once; a wrong password does not use it up.' },
  ],
  UndoRequest: ['A proof of the former address.', { token: 'From the undo link in the notice. It works once.' }],
}

export const memberExamples = { email: 'ada@example.com', new_email: 'ada@example.org' }
