import { renameAccountRefuses } from '../accounts/account.ts'
import { deleteAccountRefuses } from '../accounts/deletion.ts'
import { verifyEmailRefuses } from '../accounts/email-verification.ts'
import { logInRefuses } from '../accounts/login.ts'
import { logOutEverywhereRefuses } from '../accounts/logout.ts'
import { requestMailRefuses } from '../accounts/mail/queue.ts'
import { changePasswordRefuses } from '../accounts/passwords/password-change.ts'
import { resetPasswordRefuses } from '../accounts/passwords/password-reset.ts'
import { openAccountRefuses } from '../accounts/registration.ts'
import { issueAccessTokenRefuses } from '../accounts/tokens/access-token.ts'
import { publicKeysRefuses } from '../accounts/tokens/authentication.ts'
import type { Refuses } from '../base/errors.ts'

/** The refusals of domain functions, by function, for the route table. No bundle holds them. */
export const functionRefusals = {
  changePassword: changePasswordRefuses,
  deleteAccount: deleteAccountRefuses,
  issueAccessToken: issueAccessTokenRefuses,
  logIn: logInRefuses,
  logOutEverywhere: logOutEverywhereRefuses,
  openAccount: openAccountRefuses,
  publicKeys: publicKeysRefuses,
  renameAccount: renameAccountRefuses,
  requestMail: requestMailRefuses,
  resetPassword: resetPasswordRefuses,
  verifyEmail: verifyEmailRefuses,
} as const satisfies Record<string, Refuses>
