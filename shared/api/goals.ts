/** What people use the API for: the order and the headings of its reference. Each row of the route table names one. */
export const goals = {
  open: 'Open an account',
  'log-in': 'Log in and out',
  sessions: 'Stay logged in',
  account: 'Read and change an account',
  password: 'Change or recover a password',
  address: 'Change an email address',
  'second-factor': 'Protect an account with a second factor',
  passkeys: 'Log in with passkeys',
  delete: 'Delete an account',
  applications: 'Log people in to applications (OpenID Connect)',
  tokens: 'Accept access tokens in another service',
  'look-up': 'Look query modules up',
  check: 'Check a query',
  export: 'Take the whole catalogue',
  mediawiki: 'Answer clients of MediaWiki',
  generate: 'Generate a client',
} as const
