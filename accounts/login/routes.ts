/** The rows of logins; `api/routes.ts` has their paths. */
export const rows = {
  login: {
    summary: 'Exchanges an address and a password for an access token, and opens a session if asked to.',
    title: 'Log in',
    access: 'anyone',
    goal: 'log-in',
    limit: 60,
    // Once a week.
    perMonth: 4,
    body: 'UserLogin',
    reply: [200, 'Token'],
    refuses: ['bad-credentials', 'account-locked', 'email-not-verified', 'second-factor-setup'],
    may: { Addresses: ['GetItem'], SetupLinks: ['GetItem', 'UpdateItem'] },
    writes: ['password', 'links', 'sessions'],
    rarely: ['MailQueue'],
    settings: ['REQUIRE_EMAIL_VERIFICATION'],
    checksPassword: true,
    issuesToken: true,
    // The first login after a change of cost makes a second hash.
    timeout: 20,
  },
} as const
