import type { CountedEvent } from '../../shared/base/system.ts'

/** Parts of a stack that depend on its settings. */
export type Optional = 'blocklist' | 'clients' | 'passkeys' | 'providers'

/**
 * Events that are harmless one by one, and a sign of an attack in large numbers: in five minutes, for each million of
 * `EXPECTED_ACCOUNTS`, but at least `least`. A million accounts stay below the thresholds: they log in 460 times in
 * five minutes, and 2,300 times in their busiest hour.
 */
type Floods = {
  [E in CountedEvent]?: {
    perMillion: number
    least: number
    /** Of the count; five if absent. */
    minutes?: number
    /** Only with a setting that has its part of the stack; without it there is no alarm. */
    only?: Optional
  }
}

/** A paragraph, or its lines, if it contains a list or a block of code. */
type Text = string | readonly string[]

export interface RunbookText {
  /** The meaning of its alarms. */
  meaning: string
  firstAid: string
  /** The events whose floods have an alarm. */
  floods?: Floods
  /** What the section adds to the meaning. */
  more?: Text
  /** All steps to take. */
  steps: readonly Text[]
}

/** Meaning and first aid are an alarm's description; all but the first aid is the section of the same name in `docs/deploy.md`. In Markdown. */
export const runbooks = {
  'dead-letters': {
    meaning: 'Mails failed ten times and will not be tried again.',
    firstAid:
      "Read the mail worker's log, fix the cause, then put the mails back with `npm run mail -- redrive`. They are deleted after four days.",
    more: 'They are deleted after four days.',
    steps: [
      'Mend the cause as for [mail-failed](#mail-failed), whose alarm came first.',
      '`npm run mail -- redrive --outputs outputs.json`. The worker drops links that have expired (a reset after an hour, a verification after a day): these people ask again.',
      'The alarm ends when the queue is empty. SES never accepts the recipient of messages that come back: let them expire.',
    ],
  },
  'mail-failed': {
    meaning: 'Mails keep failing. Each is tried ten times within half an hour.',
    firstAid:
      "Read the mail worker's log for the error, then check SES's sending status, its quota, and that the identity is verified.",
    more: 'Act before it is a [dead letter](#dead-letters).',
    steps: [
      [
        'In the log of `OnMailQueued`: `filter level = "ERROR"`. `message.cause.error` is the name of AWS\'s error. (Its text may name recipients: it is not logged.)',
        '- `MessageRejected`, `MailFromDomainNotVerifiedException`: the identity or, in the sandbox, the recipient is not verified, or DKIM records are gone.',
        '- `AccountSendingPausedException`, `ConfigurationSetSendingPausedException`: SES has paused sending. Its mail says why.',
        '- `Throttling`, `LimitExceededException`: the rate or the daily quota is used up.',
        '- `AccessDenied…`: somebody changed a policy. `STAGE=prod npx cdk drift` shows how.',
      ],
      '`aws sesv2 get-account` shows quota and status, `aws sesv2 get-email-identity --email-identity example.com` the identity.',
      '`filter message.reason in ["malformed", "not-a-token", "dated-ahead"]`: somebody else writes to the queue, or (`dated-ahead`) a clock is wrong. Who has `OperatorMailPolicy`? Let these messages expire: they cause no mail.',
      'The retries then send the waiting mails.',
    ],
  },
  'capped-mails': {
    meaning:
      'Mails are dropped, because too many went to one mailbox, or one account or caller asked for too many: somebody may be flooding mailboxes.',
    firstAid:
      "Find the accounts in the logs of the mail worker and of ChangeEmail, and who asks in the access log; an operator can verify the owner's address by hand.",
    more: 'Five mails in an hour were over [the caps](security.md#mails-and-links).',
    steps: [
      'Which accounts? In the logs of `OnMailQueued` and `ChangeEmail`: `filter message.event = "mail-capped" | stats count(*) by message.account_id`. Many: variants of one address (`+tags`) or, in `ChangeEmail`, somebody who mails strangers.',
      'Who asks? `filter route like /register|login|resend-verification|forgot-password|change-email/ | stats count(*) as requests by route, ip | sort requests desc`. One IP address: `RATE_LIMITS=register-day=20/day,resend-verification=3/minute`, deploy. `register-day` (200) bounds the mails of `change-email` too. Lock the accounts that mail strangers.',
      'The caps end with the hour, and at midnight UTC. For an owner who waits for a link, once you are sure who it is: `npm run users -- verify <email or id>`.',
    ],
  },
  'oldest-mail': {
    meaning: 'A mail has waited in the queue for a quarter of an hour.',
    firstAid:
      'Check the mail worker for throttles and time-outs, that its event source mapping is enabled, and how many mails wait.',
    more: '[Failed](#mail-failed) mails do not count after their third delivery.',
    steps: [
      'Throttles of `OnMailQueued`? Then [function-throttles](#function-throttles).',
      'Is the event source mapping enabled? Lambda → `OnMailQueued` → Triggers shows what is missing.',
      "Neither: [SES is slow](#slow-logins), or there are more mails than two workers send. How many wait (`ApproximateNumberOfMessagesVisible`), and who registers? Unwanted: `RATE_LIMITS=register=5/minute`, deploy. Wanted: raise `maxConcurrency` in `infra/service-stack.ts`, but not above SES's rate.",
    ],
  },
  'server-errors': {
    meaning: 'Requests are answered with 5xx: at least one in a hundred, or a few in each quarter of an hour.',
    firstAid:
      'Find the routes on the dashboard ("Failures by route"), and whether the functions or API Gateway answered; roll back the last deploy if it was recent.',
    more: [
      '- `ServerErrors`: one in a hundred, at least five, within five minutes.',
      '- `RecurringServerErrors`: one in a hundred, however few, in two of the last eight quarters of an hour.',
      '- `LastingErrors`: three for each million of `EXPECTED_ACCOUNTS`, at least three, in three of four quarters of an hour, as from one endpoint that always fails.',
      '- `CatalogueErrors` (in us-east-1 alone): those of CloudFront.',
      '',
      'Fewer raise no alarm: after each deploy, and now and then, look at the dashboard, "Failures by route".',
    ],
    steps: [
      "Which routes, and with `functionError`? `filter status like /^5/ | stats count(*) as requests by route, status, functionError | sort requests desc`. With it, a function crashed or timed out: [function-errors](#function-errors). Without it, `unavailable` in the function's log says which part of AWS does not answer.",
      'An outage of AWS? See health.aws.amazon.com. The service recovers by itself; nothing is half done.',
      'Did it begin with a deploy? [Roll back](#updates-and-rollback).',
      '503 with throttles: [function-throttles](#function-throttles) or [table-throttles](#table-throttles).',
    ],
  },
  'function-errors': {
    meaning: 'The mail worker crashes or runs out of time.',
    firstAid: 'Read its log from the first error on; roll back the last deploy if it was recent.',
    more: 'Each mail is tried again. The steps help for other functions too.',
    steps: [
      'Its log: `filter level = "ERROR" or record.status != "success" | sort @timestamp asc`. A crash has `message.errorType` and `message.errorMessage`; a stack trace is a bug. A time-out has Lambda\'s report with `record.status = "timeout"`; the `slow` lines around it say which service does not answer ([slow-logins](#slow-logins)).',
      'Did it begin with a deploy? [Roll back](#updates-and-rollback), then look.',
      "`AccessDenied`: somebody changed a policy or a key's policy. `STAGE=prod npx cdk drift` shows how.",
    ],
  },
  'unusable-keys': {
    meaning:
      'KMS refuses a key of this service: it is disabled, pending deletion or gone, or denied to a function. It stays so until you act.',
    firstAid:
      "Find the key and the call in the functions' logs, then `aws kms cancel-key-deletion` and `enable-key`; if it is denied, mend the policy.",
    floods: {
      // KMS refuses this way only for lasting causes: one refusal is no chance.
      'key-unusable': { perMillion: 0, least: 1 },
    },
    more: '503 answers what needs the key. `GetPublicKey`: tokens that it signed; the key set leaves it out. `Sign`: logins and refreshes. `Encrypt`, `Decrypt`: codes of apps or, by `ProviderKey`, logins by providers.',
    steps: [
      'Which key, and which call? In the logs of all functions: `filter message.event = "key-unusable" | stats count(*) by message.key, message.reason`. A deploy that takes its name out of `SIGNING_KEYS` also causes it, and ends it.',
      "`aws kms describe-key --key-id <key>`. `PendingDeletion`: `aws kms cancel-key-deletion --key-id <key>`; then, and if it is `Disabled`, `aws kms enable-key --key-id <key>`. The next request uses it; other services know it after five minutes, API Gateway's authorizers after two hours.",
      "`Enabled`: the key's policy or the role's denies it. `STAGE=prod npx cdk drift` shows what somebody changed: change it back.",
      'Gone for good: a signing key: put another name into `SIGNING_KEYS`, deploy. `FactorKey`: recovery codes still log their owners in; for the others, `npm run users -- second-factor off <email or id>`. `ProviderKey`: encrypt the secrets again.',
    ],
  },
  'function-throttles': {
    meaning: 'The account has no concurrent executions left for the mail worker.',
    firstAid:
      "Compare ConcurrentExecutions with the account's quota, look for an attack in the access log, and request a higher quota.",
    more: 'Mails wait, and people may see 503.',
    steps: [
      "Compare Lambda → `ConcurrentExecutions` with the account's quota. A new account has ten: [have it raised](#an-empty-account).",
      'Another application in the account, or an attack? See who calls most.',
      'The limits stop an attack from one address. From many: lower `EXPECTED_ACCOUNTS`, and so the throttles, and deploy.',
    ],
  },
  'slow-logins': {
    meaning: 'One login in a hundred takes much longer than its password hash.',
    firstAid:
      'Find the slow part in the log of Login: DynamoDB, KMS or the hash; check the last deploy and BCRYPT_COST.',
    steps: [
      'Which part waits? Requests over a second log `slow`, with the milliseconds of each service and of hashes. In the log of `Login`: `filter message.event = "slow" | stats count(*), avg(message.hash), avg(message.DynamoDB), avg(message.KMS) by bin(5m)`. Other functions have `SQS`, `SES` and `provider` too.',
      "The hash: was `BCRYPT_COST` raised? Each account's next login hashes twice. The threshold follows the cost, so the alarm ends when most people have logged in.",
      'DynamoDB or KMS: health.aws.amazon.com. None: cold starts, after a deploy or with very few logins, which pass.',
    ],
  },
  'table-throttles': {
    meaning: 'DynamoDB refuses reads or writes of the table or index.',
    firstAid:
      'Look for one key that gets most requests (an attack on one address), then check the quotas of the account.',
    more: "People see 503. The alarm's name says which, and of which table or index: while an index cannot keep up, DynamoDB refuses writes to its table.",
    steps: [
      '`RateLimits`: one address is attacked or one caller floods (DynamoDB takes 1,000 writes a second per key). The limits hold. See who calls most.',
      '`Accounts`: a sudden load, such as an import during a campaign. The table doubles its capacity within minutes. Pause the import; it continues where it stopped.',
      "Neither: the account's quota for on-demand tables, in Service Quotas.",
    ],
  },
  'too-many-requests': {
    meaning: 'Many requests are answered with 429, by limits or by throttles.',
    firstAid:
      'Find the senders in the access log, and whether functions or API Gateway refused; if a throttle is used up, put a web ACL in front.',
    more: 'Usually one of the next alarms comes too, and says more.',
    steps: [
      [
        'Who refuses? A function, if the log has `functionStatus`; if that is `-`, a throttle of API Gateway:',
        '',
        '```',
        'filter status = "429" | stats count(*) as requests by route, functionStatus, ip | sort requests desc | limit 20',
        '```',
      ],
      'A throttle: nobody else gets through on that route. From few addresses: [AWS WAF](#aws-waf-in-front). From real users: raise `EXPECTED_ACCOUNTS`, deploy.',
      'API Gateway may not log each of very many refusals. Its metric `4xx` counts them all.',
    ],
  },
  'limited-requests': {
    meaning: 'Many requests exceed the limit of their caller.',
    firstAid:
      'Check in the access log whether they come from few addresses (an office, a client in a loop) or from many (an attack).',
    floods: {
      // A client that obeys Retry-After is refused once a minute: it takes a hundred such clients at once, or ten.
      'request-limited': { perMillion: 500, least: 50 },
    },
    steps: [
      'One address: a client that ignores `Retry-After`, or an office. For your users, `RATE_LIMITS=login=120/minute`, for example, deploy.',
      'Many addresses: an attack. The limits hold; [failed-logins](#failed-logins) and [registrations](#registrations) say what it is after.',
    ],
  },
  'failed-logins': {
    meaning: 'More logins fail than typing errors explain: somebody is trying passwords, perhaps a stolen list.',
    firstAid:
      'Find their source in the access log; look for logins that succeeded from there, and have those passwords reset.',
    floods: {
      // A fifth of the logins in the busiest hour. One client may fail ten times per address: at least fifty pairs, or five.
      'login-failed': { perMillion: 500, least: 50 },
      // People give up after a few: it takes about twenty people who forgot their passwords at once, or four.
      'login-limited': { perMillion: 100, least: 20 },
    },
    steps: [
      'Where from? `filter route = "POST /auth/login" | stats count(*) as logins by ip, status | sort logins desc`. From everywhere, since a deploy: it broke a client.',
      'Did any succeed? [Credential stuffing](#credential-stuffing).',
      'Against many addresses: a rate-based rule or a managed list of [AWS WAF](#aws-waf-in-front).',
      'With `REQUIRE_EMAIL_VERIFICATION`, right passwords of unverified addresses count too: after a campaign, see whether mails arrive. After an import, `hash-unsupported` names accounts whose argon2 no function computes: they need a reset.',
    ],
  },
  'wrong-passwords': {
    meaning:
      'Many requests with valid access tokens, or links to new addresses, state a wrong current password: somebody may have stolen tokens.',
    firstAid:
      "Find the accounts in the functions' logs; if it is not the owner, have the password reset, which revokes the tokens.",
    floods: {
      // Needs an access token, or a link to a new address. One client may fail ten times per account: at least five accounts, or two.
      'wrong-password': { perMillion: 50, least: 20 },
    },
    steps: [
      'Which accounts? `filter message.event = "wrong-password" | stats count(*) by message.account_id`.',
      'One account, one address: its owner, or a client in a loop, with ten guesses in a quarter of an hour.',
      'Several accounts: tokens leaked. Have the owners reset the passwords, which revokes the tokens, and find the leak.',
    ],
  },
  'wrong-codes': {
    meaning: 'Many second factors are wrong, after right passwords: somebody has a list of passwords, and tries codes.',
    firstAid: "Find the accounts in the functions' logs; have their passwords reset: whoever tries codes knows them.",
    floods: {
      // Needs the right password. An account allows five in a quarter of an hour: at least ten accounts, or four.
      'wrong-code': { perMillion: 50, least: 20 },
    },
    steps: [
      'Which accounts? `filter message.event = "wrong-code" | stats count(*) by message.account_id`. An account takes five in a quarter of an hour, from anywhere. After a hundred in a row its codes are disabled, until its owner uses a recovery code or resets the password.',
      'Their passwords are known, as a mail a day tells each owner ("Somebody may know your password"). Have them reset, or `npm run users -- revoke <email or id>`.',
      'Since a release of your application? It may send each code twice.',
    ],
  },
  'recovery-codes': {
    meaning:
      'Many recovery codes are used at once: somebody has a list, or an authenticator app has lost its accounts.',
    firstAid:
      "Find the accounts in the functions' logs and their callers in the access log; from one address, lock these accounts.",
    floods: {
      // One owner in a hundred loses the phone in a month: two in five minutes.
      'recovery-code-used': { perMillion: 20, least: 5 },
    },
    more: 'Each works once and mails its owner.',
    steps: [
      'Which accounts, from where? `filter message.event = "recovery-code-used" | stats count(*) by message.account_id`; the access log has IP addresses, by `functionRequestId`.',
      'From few addresses: somebody has passwords and codes. [Each account was taken over](#an-account-was-taken-over).',
      'From everywhere: an app has lost its accounts. People set up another, and need nothing from you.',
    ],
  },
  'passkeys-elsewhere': {
    meaning:
      'Passkeys are used at unlisted pages: a new page of yours, or a sub-domain that somebody else has taken over.',
    firstAid:
      'See which pages are below PASSKEY_RP_ID, and whose: list a new one in PASSKEY_ORIGINS, and take a name that you do not use out of the DNS.',
    floods: {
      // Browsers offer a passkey only to pages of its domain: only owners of such pages can cause this. Ten an hour.
      'passkey-origin-refused': { perMillion: 0, least: 10, minutes: 60, only: 'passkeys' },
    },
    more: 'Nobody got in: the reason is `origin`. The page is below `PASSKEY_RP_ID`, or in a frame.',
    steps: [
      'Did you deploy a page or an app that uses passkeys? Add its origin, as exact text, to `PASSKEY_ORIGINS`. [integrate.md](integrate.md#passkeys) and `GET /auth/passkeys` say what else it needs.',
      'If not, somebody has a page there, such as at a forgotten DNS name of a service that anybody can claim. Delete dangling names of your domain.',
      'Which accounts? `filter message.event = "passkey-origin-refused" | stats count(*) by message.account_id`. Their owners were misled. Let them look at their passkeys and sessions.',
    ],
  },
  'copied-passkeys': {
    meaning: 'A passkey that counts its uses came with a count that fell: somebody may have copied it.',
    firstAid: "Find the account in the functions' logs, ask its owner, and have the passkey removed.",
    floods: {
      // A key that cannot be synced is on one device: a single copy is a theft.
      'passkey-copied': { perMillion: 0, least: 1, only: 'passkeys' },
    },
    more: 'It is bound to one device, and was refused (`count`).',
    steps: [
      'Which account? `filter message.event = "passkey-copied" | stats count(*) by message.account_id`.',
      "Ask its owner: a copy, a virtual machine's restored image, or a test (Chromium's virtual authenticator)?",
      'If nobody can explain it, have the owner remove the passkey, or `npm run users -- passkeys off <email or id>`, and [treat the account as taken over](#an-account-was-taken-over).',
    ],
  },
  'reused-sessions': {
    meaning:
      'Refresh tokens were used that had been replaced twice: somebody copies them, or a client does not keep the newest.',
    firstAid:
      "Find the accounts and the application in the functions' logs; after a release of the application, look for requests without a lock.",
    floods: {
      // The owner and somebody else, or a client that does not store its new tokens: 4,600 refresh in five minutes.
      'session-reused': { perMillion: 20, least: 5 },
    },
    more: 'Each such session has ended: its owner logs in again, its thief cannot.',
    steps: [
      'Which accounts? `filter message.event = "session-reused" | stats count(*) by message.account_id`. Many accounts, each once or twice, after a release of your application: a client that breaks [the rules](integrate.md#staying-logged-in).',
      'Otherwise a store of tokens has leaked: a page with a foreign script, a backup of a server, a log. Find what these accounts share, close it, then end what else was copied: `npm run users -- sign-out <email or id>` for single accounts, or [everything](#everything-must-end-now).',
    ],
  },
  'reused-codes': {
    meaning:
      'An authorization code was used a second time, with its verifier: somebody has a copy, or an application sends requests twice.',
    firstAid:
      "Find the account in the functions' logs, and the application; its session has ended. Close the leak: a log of addresses, a proxy that repeats requests.",
    floods: {
      // No standard client replays a code.
      'code-reused': { perMillion: 0, least: 1, only: 'clients' },
    },
    more: 'No standard client does so. The session of the first exchange has ended; an access token without a session works to its `exp`.',
    steps: [
      'Which account, and when? `filter message.event = "code-reused"`. The access log has both callers, by `functionRequestId`.',
      'Both are one server of yours: mend the proxy or library that sends requests twice. That person was logged out.',
      'Otherwise the application or the browser leaks: a log of whole addresses, a script in its page, an app of another maker. `npm run users -- sign-out <email or id>`, or [everything](#everything-must-end-now).',
    ],
  },
  'refused-clients': {
    meaning: 'Many requests to the token endpoint name an unknown application or a wrong secret.',
    firstAid:
      'Find the callers in the access log. One address: an application whose secret has changed. Many: somebody guesses, which is hopeless against 256 bits.',
    floods: {
      // An application without its secret fails at each login and each refresh: a hundred people, or twenty.
      'client-refused': { perMillion: 100, least: 20, only: 'clients' },
    },
    more: '`/auth/revoke` counts too, pages of origins outside `CORS_ORIGINS` do not.',
    steps: [
      'Who? `filter path like "/auth/token" and status in ["400", "401"] | stats count(*) by ip`.',
      "One address, your application's server: its secret does not fit the deployed `OIDC_CLIENTS`. `npm run clients -- list --stage <stage>` shows how many there are: give it one, or make [another](#an-applications-secret-has-leaked).",
      'Many strange addresses: nobody guesses 256 bits, and a throttle bounds the costs. [AWS WAF](#aws-waf-in-front) stops them.',
    ],
  },
  'misconfigured-providers': {
    meaning: 'A provider does not know this service, or its secret cannot be decrypted: nobody can log in by it.',
    firstAid:
      "Find the provider and the reason in the functions' logs. A secret that has expired is renewed at the provider, encrypted with `npm run providers -- secret`, and deployed.",
    floods: {
      // It fails in the same way for everybody.
      'provider-misconfigured': { perMillion: 0, least: 1, only: 'providers' },
    },
    more: 'People read that it does not answer. Passwords and passkeys work; `forgot-password` mails people without a password a link.',
    steps: [
      [
        'Which one, and why? `filter message.event = "provider-misconfigured" | stats count(*) by message.provider, message.reason`.',
        '- `client`: the secret has expired (at Microsoft after two years at most), was deleted, or is of another client; Apple revoked the key, or `team`, `key` or `client_id` are wrong; GitHub lacks the redirect address.',
        '- `secret`: the ciphertext belongs to another provider, stage or key, or holds no secret of the kind that `auth` needs. Or [its key cannot be used](#unusable-keys).',
      ],
      'Make a new secret at the provider, beside the old one where it allows two. [Encrypt it, deploy, log in once](#sign-in-with-other-providers), then delete the old secret.',
      'Note when it expires: providers do not tell.',
    ],
  },
  'silent-providers': {
    meaning: 'A provider does not answer: people cannot log in by it.',
    firstAid:
      "See the provider's own page of its status, and compare the list with what it says of itself: `npm run providers -- check`.",
    floods: {
      // One late answer is chance. People try twice, then log in another way: five of them.
      'provider-unavailable': { perMillion: 0, least: 10, only: 'providers' },
    },
    more: 'Nothing is half done.',
    steps: [
      [
        'Which one, and how? `filter message.event = "provider-unavailable" | stats count(*) by message.provider, message.reason`.',
        '- `silent`: no answer within three seconds.',
        '- `answer`: not one of OpenID Connect, such as 5xx, also to a page of `redirects` that is not registered there, or to made-up codes; these come from one IP address: `filter path like "provider-login" and status = "503" | stats count(*) by ip`.',
        '- `keys`: its keys cannot be fetched. A function keeps those that it has for a day.',
      ],
      '`npm run providers -- check <id> --stage prod` says whether its addresses have changed: change the entry, deploy.',
      'An outage: wait, or [hide its button](#sign-in-with-other-providers); the identities stay.',
      'It is gone for good: tell people, who go on with a password or a link by `forgot-password`, while the entry is there without `secret`; then take it out. `npm run users -- disconnect <email or id>` removes what is left on an account.',
      "Mails to `privaterelay.appleid.com` do not arrive? Apple's relay takes those of [registered senders](integrate.md#at-the-provider) alone. Such an address ends with the connection: its owner needs another.",
    ],
  },
  'silent-blocklist': {
    meaning: 'Have I Been Pwned does not answer: people can choose passwords known from breaches.',
    firstAid: 'Nothing else is affected: wait, or set PASSWORD_BLOCKLIST to on.',
    floods: {
      // One late answer is chance. Of a million accounts some ten in five minutes choose a password.
      'blocklist-unavailable': { perMillion: 0, least: 10, only: 'blocklist' },
    },
    more: 'Common passwords are still refused.',
    steps: [
      'Why? `filter message.event = "blocklist-unavailable" | stats count(*) by message.reason`. `silent`: nothing within a second; `answer`: no range. Wait, or deploy `PASSWORD_BLOCKLIST=on`.',
    ],
  },
  'changed-addresses': {
    meaning:
      'Many accounts change their address, or many such changes are undone: somebody may be taking accounts over.',
    firstAid:
      "Find the accounts in the functions' logs and the callers in the access log; lock the accounts that are not their owner's, and find where the passwords come from.",
    floods: {
      // Of a million accounts, one or two move in five minutes, and six in the busiest hour.
      'email-changed': { perMillion: 50, least: 10 },
      // Each is an owner whose password somebody else knows.
      'change-undone': { perMillion: 10, least: 3 },
    },
    more: 'A move takes the password; an undo says that a thief had it.',
    steps: [
      'Which accounts? `filter message.event in ["email-changed", "change-undone"] | stats count(*) by message.account_id`. Or has a company moved its mail to another domain?',
      'Who? `filter route = "POST /auth/confirm-email-change" and status = "200" | stats count(*) by ip`. A few IP addresses for many accounts: [credential stuffing](#credential-stuffing).',
      "`npm run users -- lock <email or id>` for each that is no longer its owner's. The undo link works for seven days, for a locked account too. `unlock` only at the owner's address; otherwise [it was taken over](#an-account-was-taken-over).",
    ],
  },
  registrations: {
    meaning: 'Many accounts are opened at once: by bots, or after a campaign.',
    firstAid:
      'Find the callers in the access log; lower the limit in RATE_LIMITS against bots: one address may open 200 accounts a day.',
    floods: {
      // Of a million accounts, 6 register in five minutes, and 29 in the busiest hour. One client may register 200 a day.
      registered: { perMillion: 100, least: 20 },
    },
    steps: [
      'A campaign? Then check that mails go out ([oldest-mail](#oldest-mail)).',
      'Who registers? `filter route = "POST /auth/register" and status = "201" | stats count(*) by ip`. Against bots: `RATE_LIMITS=register-day=20/day`, deploy. For an office or a school, `1000/day`.',
      'From many addresses: [AWS WAF](#aws-waf-in-front). Watch [bounces](#bounces) and [complaints](#complaints).',
      '`npm run users -- list --since <time>` shows the accounts, `npm run users -- delete <email or id>` removes one, in scripts with `--yes`.',
    ],
  },
  bounces: {
    meaning: 'One mail in twenty bounces; SES pauses sending at one in ten.',
    firstAid:
      'Find out which addresses bounce; against registrations by bots, lower RATE_LIMITS, or set SIGN_UP=invited until they stop.',
    more: 'The whole AWS account then sends nothing.',
    steps: [
      'Which addresses? `aws sesv2 list-suppressed-destinations --reasons BOUNCE`. Bots? [Registrations](#registrations).',
      '`RATE_LIMITS=register=3/minute`, deploy. If that is not enough, `SIGN_UP=invited` until it is over.',
      'After an import, people ask for resets to old mailboxes. That passes: SES mails each but once.',
      'If SES reviews the account, answer its mail: say what happened and what you did.',
    ],
  },
  complaints: {
    meaning: 'One mail in a thousand is reported as spam; SES pauses sending at one in two hundred.',
    firstAid: 'Look in the access log, by IP address, for callers who register addresses of other people.',
    steps: [
      "Somebody registers other people's addresses. A mailbox gets at most thirty mails a day that strangers ask for.",
      'Do as for [bounces](#bounces), 2 and 4.',
    ],
  },
} as const satisfies Record<string, RunbookText>

export type Runbook = keyof typeof runbooks

export const describe = (runbook: Runbook): string => {
  const { meaning, firstAid } = runbooks[runbook]
  return `${meaning} Runbook: ${firstAid} (docs/deploy.md#${runbook})`
}
