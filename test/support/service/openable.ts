import type { OpenableEmail } from '../../../accounts/address/address.ts'
import { mayOpen } from '../../../accounts/address/gate.ts'

/** An address by the gate as it stands without settings: anybody opens an account. */
export const openable = (email: string): OpenableEmail =>
  mayOpen({ config: { signUp: 'open', signUpDomains: null } }, email)
