import type { OpenableEmail } from '../../../accounts/address/address.ts'
import { mayOpen } from '../../../accounts/address/gate.ts'

/** An address that passes the gate without settings: anybody may open an account. */
export const openable = (email: string): OpenableEmail =>
  mayOpen({ config: { signUp: 'open', signUpDomains: null } }, email)
