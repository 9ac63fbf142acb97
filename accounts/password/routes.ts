/** The rows of passwords; `api/routes.ts` has their paths. */
export const rows = {
  'forgot-password': {
    summary: 'Mails a password reset link, if the account exists.',
    access: 'anyone',
    goal: 'password',
    limit: 30,
    body: 'ForgotPasswordRequest',
    reply: [200, 'MessageResponse', 'If an account with this email exists, a password reset link has been sent.'],
    may: { MailQueue: ['SendMessage'] },
    settings: ['OIDC_CLIENTS'],
  },
  'reset-password': {
    summary: 'Sets a new password, given a reset token.',
    access: 'anyone',
    goal: 'password',
    limit: 60,
    // One owner in fifty forgets the password.
    perMonth: 0.02,
    body: 'ResetPasswordRequest',
    reply: [200, 'MessageResponse', 'Password has been reset successfully. You can now log in.'],
    refuses: ['invalid-reset-token', 'former-password'],
    may: {
      Guesses: ['UpdateItem', 'GetItem', 'DeleteItem'],
      Codes: ['UpdateItem', 'DeleteItem'],
      UsersByResetToken: ['Query'],
      Users: ['GetItem', 'UpdateItem'],
      Identities: ['GetItem', 'DeleteItem'],
      MailQueue: ['SendMessage'],
    },
    settings: ['MAIL_FROM', 'PASSKEY_RP_ID', 'SECOND_FACTOR'],
    choosesPassword: true,
    // After an undo it makes a second hash.
    timeout: 20,
  },
  'accept-invitation': {
    summary: 'Sets the first password of an account that an operator opened, given the token in the invitation.',
    access: 'anyone',
    goal: 'open',
    limit: 60,
    // Where accounts are opened by invitation, it replaces registering.
    perMonth: 0.05,
    body: 'AcceptInvitationRequest',
    reply: [200, 'MessageResponse', 'Your account is ready. You can now log in.'],
    refuses: ['invalid-invitation'],
    may: {
      Guesses: ['DeleteItem'],
      UsersByResetToken: ['Query'],
      Users: ['GetItem', 'UpdateItem'],
      MailQueue: ['SendMessage'],
    },
    settings: ['MAIL_FROM'],
    choosesPassword: true,
  },
  'change-password': {
    summary:
      "Replaces the current account's password, voids all its access tokens and ends its other sessions. Answers with new tokens.",
    access: 'bearer',
    goal: 'password',
    limit: 30,
    // One in fifty changes it.
    perMonth: 0.02,
    body: 'ChangePasswordRequest',
    reply: [200, 'Token'],
    refuses: ['wrong-password'],
    choosesPassword: true,
    checksPassword: true,
    takesPasskey: true,
    issuesToken: true,
    timeout: 20,
  },
} as const
