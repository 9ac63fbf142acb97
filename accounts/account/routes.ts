/** The rows of accounts; `api/routes.ts` has their paths. */
export const rows = {
  register: {
    summary: 'Opens an account and mails a verification link to its address.',
    title: 'Register account',
    access: 'anyone',
    goal: 'open',
    limit: 60,
    // Each month one account in twenty is new.
    perMonth: 0.05,
    body: 'UserCreate',
    reply: [201, 'UserResponse'],
    refuses: ['sign-up-closed', 'email-domain-not-allowed', 'email-taken'],
    may: { MailQueue: ['SendMessage'], Accounts: ['PutItem'], Addresses: ['PutItem'] },
    settings: ['ADMIN_EMAIL', 'LANGUAGES', 'MAIL_FROM', 'OIDC_CLIENTS', 'SIGN_UP', 'SIGN_UP_DOMAINS'],
    choosesPassword: true,
  },
  'get-me': {
    summary: 'The current account.',
    title: 'Get account',
    access: 'bearer',
    goal: 'account',
    scopes: ['email', 'profile'],
    // Ten times per login.
    perMonth: 40,
    reply: [200, 'UserResponse'],
    settings: ['LANGUAGES'],
  },
  'update-me': {
    summary: "Changes the current account's name.",
    title: 'Update account',
    access: 'bearer',
    goal: 'account',
    limit: 30,
    body: 'UpdateUserRequest',
    reply: [200, 'UserResponse'],
    may: { Accounts: ['UpdateItem'] },
    settings: ['LANGUAGES'],
  },
  'delete-account': {
    summary: 'Deletes the current account.',
    access: 'bearer',
    goal: 'delete',
    limit: 30,
    // One in a hundred deletes the account.
    perMonth: 0.01,
    body: 'DeleteAccountRequest',
    reply: [200, 'MessageResponse', 'Your account has been deleted.'],
    refuses: ['administrator', 'wrong-password'],
    may: {
      DeletionMarks: ['UpdateItem'],
      Accounts: ['DeleteItem'],
      Addresses: ['DeleteItem'],
      Identities: ['GetItem', 'DeleteItem'],
    },
    checksPassword: true,
    takesPasskey: true,
  },
} as const
