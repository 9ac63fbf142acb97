/** The rows of the pages for people; `api/routes.ts` has their paths. */
export const rows = {
  home: {
    function: 'pages',
    summary: 'A page that says what this is.',
    reply: 'page',
  },
  reference: {
    function: 'pages',
    summary: 'This API, described for people: every endpoint with its errors, and examples to copy.',
    reply: 'page',
  },
  'account-page': {
    function: 'pages',
    summary: 'The page on which people use their account: from registering to deleting it.',
    reply: 'page',
  },
  'change-password-page': {
    function: 'pages',
    summary:
      'Leads password managers to where people change their password (W3C, "A Well-Known URL for Changing Passwords").',
    reply: 'page',
  },
  'passkey-endpoints': {
    function: 'pages',
    summary:
      'Tells password managers where people add and remove passkeys (W3C, "A Well-Known URL for Relying Party Passkey Endpoints").',
    reply: 'page',
  },
  'authorize-page': {
    function: 'pages',
    summary: 'The page on which people log in to an application (OpenID Connect Core §3.1.2).',
    reply: 'page',
    withClients: true,
  },
  'logout-page': {
    function: 'pages',
    summary: 'The page on which people log out of a browser (OpenID Connect RP-Initiated Logout).',
    reply: 'page',
    withClients: true,
  },
  'sign-in-page': {
    function: 'pages',
    summary: 'The page to which a provider sends people back.',
    reply: 'page',
    withProviders: true,
  },
  'verify-email-page': {
    function: 'pages',
    summary: "The page that a verification mail's link opens.",
    reply: 'page',
  },
  'reset-password-page': {
    function: 'pages',
    summary: "The page that a reset mail's link opens.",
    reply: 'page',
  },
  'invitation-page': {
    function: 'pages',
    summary: 'The page that the link in an invitation opens.',
    reply: 'page',
  },
  'second-factor-page': {
    function: 'pages',
    summary: 'The page on which people set up a second factor, where everybody needs one: a mailed link opens it.',
    reply: 'page',
  },
  'change-email-page': {
    function: 'pages',
    summary: 'The page that the link to a new address opens.',
    reply: 'page',
  },
  'undo-page': {
    function: 'pages',
    summary: "The page that a notice's undo link opens.",
    reply: 'page',
  },
} as const

/** Needs of functions that several paths share, or that no path names. */
export const functions = {
  pages: {
    summary:
      'The pages for people: what this is, their account, the reference of this API, and those that the mails link to.',
    isBare: true,
    settings: [
      'ACCENT_COLOR',
      'ACCOUNT_PAGE',
      'APP_URL',
      'BROWSER_URL',
      'ISSUER',
      'LANGUAGES',
      'LOGO_URL',
      'OIDC_CLIENTS',
      'PASSKEY_RP_ID',
      'PRIVACY_URL',
      'PRODUCT_NAME',
      'REQUIRE_EMAIL_VERIFICATION',
      'SECOND_FACTOR',
      'SESSION_DAYS',
      'SIGN_IN_PROVIDERS',
      'SIGN_UP',
      'SSO',
      'SUPPORT_EMAIL',
      'TERMS_URL',
    ],
    timeout: 3,
  },
} as const
