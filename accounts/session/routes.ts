/** The rows of sessions; `api/routes.ts` has their paths. */
export const rows = {
  refresh: {
    summary: 'Exchanges a refresh token for a new access token and the newest refresh token of its session.',
    title: 'Refresh tokens',
    access: 'anyone',
    goal: 'sessions',
    // No limit: a server refreshes for many people from one address. This throttle bounds all callers together.
    perMonth: 40,
    body: 'RefreshRequest',
    reply: [200, 'Token'],
    refuses: ['invalid-refresh-token', 'email-not-verified'],
    // The owner is told of a reused token.
    may: { Users: ['GetItem', 'UpdateItem'], MailQueue: ['SendMessage'] },
    settings: ['MAIL_FROM', 'REQUIRE_EMAIL_VERIFICATION'],
    issuesToken: true,
  },
  logout: {
    summary: 'Ends the session of a refresh token. It needs no access token, which may have expired.',
    title: 'Log out',
    access: 'anyone',
    goal: 'sessions',
    limit: 60,
    body: 'RefreshRequest',
    reply: [200, 'MessageResponse', 'Logged out.'],
    may: { Users: ['GetItem', 'UpdateItem'] },
    settings: ['SECOND_FACTOR', 'SESSION_DAYS', 'SESSION_IDLE_DAYS', 'TOKENS_NOT_BEFORE'],
  },
  'list-sessions': {
    summary: 'The sessions of the current account: the current one first, then the last used.',
    access: 'bearer',
    goal: 'sessions',
    reply: [200, 'SessionList'],
  },
  'end-session': {
    summary: 'Ends a session of the current account.',
    access: 'bearer',
    goal: 'sessions',
    limit: 30,
    // One in a hundred ends a session.
    perMonth: 0.01,
    body: 'EndSessionRequest',
    reply: [200, 'MessageResponse', 'The session has ended.'],
    refuses: ['wrong-password'],
    checksPassword: true,
    takesPasskey: true,
    timeout: 20,
  },
  'logout-everywhere': {
    summary: "Voids all of the current account's access tokens, and ends its sessions.",
    title: 'Log out everywhere',
    access: 'bearer',
    goal: 'log-in',
    limit: 30,
    reply: [200, 'MessageResponse', 'Logged out everywhere.'],
    may: { Users: ['UpdateItem'] },
  },
} as const
