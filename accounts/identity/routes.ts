/** The rows of other providers; `api/routes.ts` has their paths. */
export const rows = {
  providers: {
    summary: 'The other providers by which people log in, and what to send them there with.',
    title: 'List providers',
    access: 'anyone',
    goal: 'providers',
    withProviders: true,
    reply: [200, 'ProviderList'],
    settings: ['BROWSER_URL', 'ISSUER', 'SIGN_IN_PROVIDERS'],
  },
  'provider-login': {
    summary:
      'Exchanges what another provider confirms for an access token, opens an account if there is none, and connects the provider given the password.',
    title: 'Provider login',
    access: 'anyone',
    goal: 'providers',
    withProviders: true,
    limit: 60,
    // A hash is computed only to connect: a tenth of the logins.
    perMonth: 0.4,
    body: 'ProviderLogin',
    reply: [200, 'Token'],
    refuses: ['bad-credentials', 'account-locked', 'email-not-verified', 'second-factor-setup'],
    may: { SetupLinks: ['GetItem', 'UpdateItem'] },
    writes: ['password', 'sessions'],
    settings: ['REQUIRE_EMAIL_VERIFICATION'],
    checksPassword: true,
    takesProvider: true,
    issuesToken: true,
    // A provider takes 6 seconds at most, a hash 4, and a transaction may be retried.
    timeout: 20,
  },
  'sign-in-methods': {
    summary:
      'Whether the current account has a password, by which providers its owner logs in, and what changed in seven days.',
    title: 'List login methods',
    access: 'bearer',
    goal: 'providers',
    reply: [200, 'SignInMethods'],
    settings: ['SIGN_IN_PROVIDERS'],
  },
  'disconnect-provider': {
    summary:
      'Disconnects a provider from the current account, voids its access tokens and ends its other sessions. Answers with new tokens.',
    access: 'bearer',
    goal: 'providers',
    limit: 30,
    perMonth: 0.01,
    body: 'DisconnectProviderRequest',
    reply: [200, 'Token'],
    refuses: ['wrong-password'],
    may: { Identities: ['GetItem', 'DeleteItem'] },
    writes: ['ways in', 'sessions'],
    settings: ['SIGN_IN_PROVIDERS'],
    checksPassword: true,
    takesPasskey: true,
    issuesToken: true,
    timeout: 20,
  },
} as const
