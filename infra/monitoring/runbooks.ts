import type { CountedEvent } from '../../shared/base/system.ts'

/**
 * Events that are harmless one by one, and a sign of an attack in large numbers: in five minutes, for each million of
 * `EXPECTED_ACCOUNTS`, but at least `least`. A million accounts do not reach the thresholds: they log in 460 times in five
 * minutes, and 2,300 times in their busiest hour.
 */
export type Floods = {
  [E in CountedEvent]?: {
    perMillion: number
    least: number
    /** It happens only where OIDC_CLIENTS lists applications: elsewhere there is no alarm. */
    withClients?: true
  }
}

/**
 * What each alarm means and what to do first, and the events whose floods have an alarm. This is the alarm's description; the section of the same name in
 * `docs/deploy.md` says the rest.
 */
export const runbooks = {
  'dead-letters': [
    'Mails failed ten times and will not be tried again.',
    "Read the mail worker's log, fix the cause, then put the mails back with `npm run mail -- redrive`. They are deleted after four days.",
  ],
  'mail-failed': [
    'Mails keep failing. Each is tried ten times within half an hour.',
    "Read the mail worker's log for the error, then check SES's sending status, its quota, and that the identity is verified.",
  ],
  'capped-mails': [
    'Mails are dropped, because too many went to one mailbox, or one account or caller asked for too many: somebody may be flooding mailboxes, and their owners miss mails.',
    "Find the accounts in the logs of the mail worker and of ChangeEmail, and who asks in the access log; an operator can verify the owner's address by hand.",
  ],
  'oldest-mail': [
    'A mail has waited in the queue for a quarter of an hour.',
    'Check the mail worker for throttles and time-outs, that its event source mapping is enabled, and how many mails wait.',
  ],
  'server-errors': [
    'Requests are answered with 5xx: at least one in a hundred, or a few in each quarter of an hour.',
    'Find the routes on the dashboard ("Failures by route"), and whether the functions or API Gateway answered; roll back the last deploy if it was recent.',
  ],
  'function-errors': [
    'The mail worker crashes or runs out of time.',
    'Read its log from the first error on; roll back the last deploy if it was recent.',
  ],
  'function-throttles': [
    'The account has no concurrent executions left for the mail worker.',
    "Compare ConcurrentExecutions with the account's quota, look for an attack in the access log, and request a higher quota.",
  ],
  'slow-logins': [
    'One login in a hundred takes much longer than its password hash.',
    'Find the slow part in the traces: DynamoDB, KMS or the hash; check the last deploy and BCRYPT_COST.',
  ],
  'table-throttles': [
    'DynamoDB refuses reads or writes of the table or index.',
    'Look for one key that gets most requests (an attack on one address), then check the quotas of the account.',
  ],
  'too-many-requests': [
    'Many requests are answered with 429, by limits or by throttles.',
    'Find the senders in the access log, and whether functions or API Gateway refused; if a throttle is used up, put a web ACL in front.',
  ],
  'limited-requests': [
    'Many requests exceed the limit of their caller.',
    'Check in the access log whether they come from few addresses (an office, a client in a loop) or from many (an attack).',
    {
      // A client that obeys Retry-After is refused once a minute: this takes a hundred such clients at once, or ten.
      'request-limited': { perMillion: 500, least: 50 },
    },
  ],
  'failed-logins': [
    'More logins fail than typing errors explain: somebody is trying passwords, perhaps a stolen list.',
    'Find their source in the access log; look for logins that succeeded from there, and have those passwords reset.',
    {
      // A fifth of the logins in the busiest hour. One client may fail ten times per address: at least fifty pairs, or five.
      'login-failed': { perMillion: 500, least: 50 },
      // People give up after a few: this takes some twenty people who forgot their passwords at once, or four.
      'login-limited': { perMillion: 100, least: 20 },
    },
  ],
  'wrong-passwords': [
    'Many requests with valid access tokens state a wrong current password: somebody may have stolen tokens.',
    "Find the accounts in the functions' logs; if it is not the owner, have the password reset, which voids the tokens.",
    {
      // Needs an access token, or a link to a new address. One client may fail ten times per account: at least five accounts, or two.
      'wrong-password': { perMillion: 50, least: 20 },
    },
  ],
  'wrong-codes': [
    'Many second factors are wrong, after right passwords: somebody has a list of passwords, and tries codes.',
    "Find the accounts in the functions' logs; have their passwords reset: whoever tries codes knows them.",
    {
      // Needs the right password. One account admits five in a quarter of an hour: at least ten accounts, or four.
      'wrong-code': { perMillion: 50, least: 20 },
    },
  ],
  'recovery-codes': [
    'Many recovery codes are used at once: somebody has got hold of a list, or an authenticator app has lost its accounts.',
    "Find the accounts in the functions' logs and their callers in the access log; from one address, lock these accounts.",
    {
      // One owner in a hundred loses the phone in a month: two do in five minutes.
      'recovery-code-used': { perMillion: 20, least: 5 },
    },
  ],
  'reused-sessions': [
    'Refresh tokens were used that had been replaced twice: somebody copies them, or a client does not keep the newest.',
    "Find the accounts and the application in the functions' logs; after a release of the application, look for requests without a lock.",
    {
      // A session's owner and somebody else, or a client that forgets to keep what it gets: 4,600 refresh in five minutes.
      'session-reused': { perMillion: 20, least: 5 },
    },
  ],
  'reused-codes': [
    'An authorization code was presented a second time, by who knew its application and verifier: somebody has a copy, or an application sends requests twice.',
    "Find the account in the functions' logs, and the application; its session has ended. Close the leak: a log of addresses, a proxy that repeats requests.",
    {
      // No standard client presents a code twice.
      'code-reused': { perMillion: 0, least: 1, withClients: true },
    },
  ],
  'refused-clients': [
    'Many requests to the token endpoint name an unknown application or a wrong secret.',
    'Find the callers in the access log. One address: an application whose secret has changed. Many: somebody guesses, which is hopeless against 256 bits.',
    {
      // An application without its secret fails at each login and each refresh: a hundred people, or twenty.
      'client-refused': { perMillion: 100, least: 20, withClients: true },
    },
  ],
  'changed-addresses': [
    'Many accounts change their address, or many such changes are undone: somebody may be taking accounts over with stolen passwords.',
    "Find the accounts in the functions' logs and the callers in the access log; lock the accounts that are not their owner's, and find where the passwords come from.",
    {
      // Of a million accounts, one or two move in five minutes, and six in the busiest hour.
      'email-changed': { perMillion: 50, least: 10 },
      // Each is an owner whose password somebody else knows.
      'change-undone': { perMillion: 10, least: 3 },
    },
  ],
  registrations: [
    'Many accounts are opened at once: by bots, or after a campaign.',
    'Find the callers in the access log; lower the limit in RATE_LIMITS against bots: one address may open 200 accounts a day.',
    {
      // Of a million accounts, 6 register in five minutes, and 29 in the busiest hour. One client may register 200 a day.
      registered: { perMillion: 100, least: 20 },
    },
  ],
  bounces: [
    'One mail in twenty bounces; SES pauses sending at one in ten.',
    'Find out which addresses bounce; against registrations by bots, lower RATE_LIMITS, or leave MAIL_FROM empty until they stop.',
  ],
  complaints: [
    'One mail in a thousand is reported as spam; SES pauses sending at one in two hundred.',
    'Look in the access log, by IP address, for callers who register addresses of other people.',
  ],
} as const satisfies Record<string, readonly [meaning: string, firstAid: string, floods?: Floods]>

export type Runbook = keyof typeof runbooks

export const describe = (runbook: Runbook): string => {
  const [meaning, firstAid] = runbooks[runbook]
  return `${meaning} Runbook: ${firstAid} (docs/deploy.md#${runbook})`
}
