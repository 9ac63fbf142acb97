import type { bodies } from './accounts/schemas.ts'
import type { functionRefusals } from './endpoints/refusals.ts'
import type { replies } from './endpoints/replies.ts'
import type { SettingName } from './runtime/config.ts'

/**
 * The route table: the only list of endpoints. A row states only what is particular to it; `needs.ts` adds what follows
 * from `limit`, `access` and `hashes`.
 *
 * Infra makes functions, routes and grants from it; `endpoint()` takes body, access and limit from it, and gives a
 * function exactly the parts of the outside world that its row grants; tests loop over it. It is plain data and imports
 * nothing at run time, so that importing it loads nothing else.
 */

/** What a function may do, as single AWS actions by resource. Infra turns each into one IAM statement. */
export interface Grants {
  Users?: readonly ('GetItem' | 'PutItem' | 'UpdateItem' | 'DeleteItem')[]
  UsersByVerificationToken?: readonly 'Query'[]
  UsersByResetToken?: readonly 'Query'[]
  RateLimits?: readonly ('UpdateItem' | 'GetItem' | 'DeleteItem')[]
  MailQueue?: readonly 'SendMessage'[]
  /** The same queue at its other end; Lambda's poller works with the consumer's role. */
  QueuedMail?: readonly ('ReceiveMessage' | 'DeleteMessage' | 'ChangeMessageVisibility' | 'GetQueueAttributes')[]
  MailIdentity?: readonly 'SendEmail'[]
  /** The key that signs: the first of `SIGNING_KEYS`. */
  SigningKey?: readonly 'Sign'[]
  /** All published keys. */
  SigningKeys?: readonly 'GetPublicKey'[]
}

/** What a Lambda function is made of, whether it answers HTTP or events. */
export interface FunctionRow {
  summary: string
  /** What it may do in addition to what the rest of the row implies. */
  may?: Grants
  /** Settings that it reads in addition to those that the row implies. */
  settings?: readonly SettingName[]
  /** It hashes a password, and so gets a full vCPU. */
  hashes?: true
  /**
   * Seconds until Lambda stops it: 3 when it calls nothing, 20 for two hashes, 30 for a batch of mails. The default is
   * in `needs.ts`.
   */
  timeout?: number
}

export interface Route extends FunctionRow {
  /** API Gateway route keys. GET includes HEAD. */
  on: readonly string[]
  access: 'anyone' | 'bearer'
  /** Requests per minute and remote address (an office shares one), unless `RATE_LIMITS` changes it. */
  limit?: number
  /** Requests per second of all callers together, and the burst, where the stage's own throttle is too high. */
  throttle?: readonly [rate: number, burst: number]
  /** The shape in `schemas.ts` that the body must have. */
  body?: keyof typeof bodies
  /** The status of success, and its shape in `replies.ts`. */
  reply?: readonly [status: 200 | 201, shape: keyof typeof replies]
  /** The domain functions (`refusals.ts`) whose refusals it adds to those that the rest of the row implies. */
  refuses?: readonly (keyof typeof functionRefusals)[]
  /** What each path does, if the row has several paths and no `answers`. */
  summaries?: Readonly<Record<string, string>>
  /** What each path answers, if the row does without the pipeline and `reply` cannot say it. */
  answers?: Readonly<Record<string, PathAnswer>>
}

/** One path of a row: its name, what it does, and the shape of its 200. */
interface PathAnswer {
  name: string
  summary: string
  shape: keyof typeof replies
  refuses?: Route['refuses']
}

export const routes = {
  register: {
    on: ['POST /auth/register'],
    summary: 'Opens an account and mails a verification link to its address.',
    access: 'anyone',
    limit: 60,
    body: 'UserCreate',
    reply: [201, 'UserResponse'],
    refuses: ['openAccount'],
    may: { MailQueue: ['SendMessage'], Users: ['PutItem', 'GetItem'] },
    settings: ['ADMIN_EMAIL', 'MAIL_FROM', 'PASSWORD_BLOCKLIST', 'PRODUCT_NAME'],
    hashes: true,
  },
  login: {
    on: ['POST /auth/login'],
    summary: 'Exchanges an address and a password for an access token.',
    access: 'anyone',
    limit: 60,
    body: 'UserLogin',
    reply: [200, 'Token'],
    refuses: ['logIn', 'issueAccessToken'],
    may: { RateLimits: ['GetItem'], Users: ['GetItem', 'UpdateItem'], SigningKey: ['Sign'] },
    settings: ['ACCESS_TOKEN_EXPIRE_MINUTES', 'ISSUER', 'REQUIRE_EMAIL_VERIFICATION', 'TOKEN_AUDIENCE'],
    hashes: true,
    // The first login after a change of cost makes a second hash.
    timeout: 20,
  },
  'get-me': {
    on: ['GET /auth/me'],
    summary: 'The current account.',
    access: 'bearer',
    reply: [200, 'UserResponse'],
  },
  'update-me': {
    on: ['PUT /auth/me'],
    summary: "Changes the current account's name.",
    access: 'bearer',
    body: 'UpdateUserRequest',
    reply: [200, 'UserResponse'],
    refuses: ['renameAccount'],
    may: { Users: ['UpdateItem'] },
  },
  'forgot-password': {
    on: ['POST /auth/forgot-password'],
    summary: 'Mails a password reset link, if the account exists.',
    access: 'anyone',
    limit: 30,
    body: 'ForgotPasswordRequest',
    reply: [200, 'MessageResponse'],
    refuses: ['requestMail'],
    may: { MailQueue: ['SendMessage'] },
  },
  'reset-password': {
    on: ['POST /auth/reset-password'],
    summary: 'Sets a new password, given a reset token.',
    access: 'anyone',
    limit: 60,
    body: 'ResetPasswordRequest',
    reply: [200, 'MessageResponse'],
    refuses: ['resetPassword'],
    may: {
      RateLimits: ['DeleteItem'],
      UsersByResetToken: ['Query'],
      Users: ['GetItem', 'UpdateItem'],
      MailQueue: ['SendMessage'],
    },
    settings: ['MAIL_FROM', 'PASSWORD_BLOCKLIST', 'PRODUCT_NAME'],
    hashes: true,
  },
  'verify-email': {
    on: ['POST /auth/verify-email'],
    summary: 'Marks an address as verified, given a verification token.',
    access: 'anyone',
    limit: 60,
    body: 'VerifyEmailRequest',
    reply: [200, 'MessageResponse'],
    refuses: ['verifyEmail'],
    may: { UsersByVerificationToken: ['Query'], Users: ['GetItem', 'UpdateItem'] },
  },
  'resend-verification': {
    on: ['POST /auth/resend-verification'],
    summary: 'Mails a new verification link, if the account exists and is not verified.',
    access: 'anyone',
    limit: 10,
    body: 'ForgotPasswordRequest',
    reply: [200, 'MessageResponse'],
    refuses: ['requestMail'],
    may: { MailQueue: ['SendMessage'] },
  },
  'change-password': {
    on: ['POST /auth/change-password'],
    summary: "Replaces the current account's password, voids all its access tokens, and answers with a new one.",
    access: 'bearer',
    limit: 30,
    body: 'ChangePasswordRequest',
    reply: [200, 'Token'],
    refuses: ['changePassword'],
    may: {
      RateLimits: ['GetItem'],
      Users: ['UpdateItem'],
      MailQueue: ['SendMessage'],
      SigningKey: ['Sign'],
    },
    settings: ['ACCESS_TOKEN_EXPIRE_MINUTES', 'MAIL_FROM', 'PASSWORD_BLOCKLIST', 'PRODUCT_NAME'],
    hashes: true,
    timeout: 20,
  },
  'logout-everywhere': {
    on: ['POST /auth/logout-everywhere'],
    summary: "Voids all of the current account's access tokens.",
    access: 'bearer',
    limit: 30,
    reply: [200, 'MessageResponse'],
    refuses: ['logOutEverywhere'],
    may: { Users: ['UpdateItem'] },
  },
  'delete-account': {
    on: ['POST /auth/delete-account'],
    summary: 'Deletes the current account.',
    access: 'bearer',
    limit: 30,
    body: 'DeleteAccountRequest',
    reply: [200, 'MessageResponse'],
    refuses: ['deleteAccount'],
    may: { RateLimits: ['GetItem'], Users: ['DeleteItem'], MailQueue: ['SendMessage'] },
    settings: ['MAIL_FROM'],
    hashes: true,
  },
  'signing-keys': {
    on: ['GET /auth/.well-known/jwks.json', 'GET /auth/.well-known/openid-configuration'],
    summary: 'The public keys of access tokens (RFC 7517), and the part of a discovery document that verifiers read.',
    answers: {
      '/auth/.well-known/jwks.json': {
        name: 'get-signing-keys',
        summary: 'The public keys of access tokens (RFC 7517).',
        shape: 'KeySet',
        refuses: ['publicKeys'],
      },
      '/auth/.well-known/openid-configuration': {
        name: 'get-discovery',
        summary: 'The part of a discovery document that verifiers of tokens read.',
        shape: 'Discovery',
      },
    },
    access: 'anyone',
    may: { SigningKeys: ['GetPublicKey'] },
    settings: ['ISSUER'],
  },
  catalogue: {
    on: ['ANY /catalogue', 'ANY /catalogue/{path+}'],
    summary: 'The catalogue of query modules, from answers written at build time.',
    summaries: {
      '/catalogue': 'What the catalogue of query modules holds, with links.',
      '/catalogue/{path+}':
        'Its modules, their parameters and everything else that it holds, from answers written at build time.',
    },
    access: 'anyone',
    // Validating a query takes up to 130 ms of a full vCPU, and 512 MB have 0.29 of one: 50 a second keep 23
    // environments busy. One request in ten reaches it through CloudFront: 0.4 a second for a million accounts.
    throttle: [50, 100],
    timeout: 3,
  },
  openapi: {
    on: ['GET /openapi.json'],
    summary: 'This API, described for programs (OpenAPI 3.1), as it was written at build time.',
    answers: {
      '/openapi.json': {
        name: 'get-openapi',
        summary: 'This API, described for programs (OpenAPI 3.1).',
        shape: 'OpenapiDocument',
      },
    },
    access: 'anyone',
    timeout: 3,
  },
  pages: {
    on: ['GET /', 'GET /verify-email', 'GET /reset-password'],
    summary: 'A page that says what this is, and the two pages that the mails link to.',
    summaries: {
      '/': 'A page that says what this is.',
      '/verify-email': "The page that a verification mail's link opens.",
      '/reset-password': "The page that a reset mail's link opens.",
    },
    access: 'anyone',
    settings: ['APP_URL', 'PRODUCT_NAME', 'REQUIRE_EMAIL_VERIFICATION', 'SUPPORT_EMAIL'],
    timeout: 3,
  },
  'not-found': {
    on: ['$default'],
    summary: 'Answers unknown paths with 404 and wrong methods with 405.',
    access: 'anyone',
    timeout: 3,
  },
} as const satisfies Record<string, Route>

/** Functions that answer events instead of HTTP. */
export const consumers = {
  'on-mail-queued': {
    summary: 'Stores one-time tokens and sends the mails that carry them.',
    may: {
      QueuedMail: ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes'],
      RateLimits: ['UpdateItem'],
      Users: ['GetItem', 'UpdateItem'],
      MailIdentity: ['SendEmail'],
    },
    settings: ['MAIL_FROM', 'PRODUCT_NAME', 'RATE_LIMITS', 'SITE_URL', 'SUPPORT_EMAIL'],
    timeout: 30,
  },
} as const satisfies Record<string, FunctionRow>

/** All route keys of a row. API Gateway answers HEAD only by a route of its own, so each GET has one beside it. */
export const routeKeysOf = ({ on }: Pick<Route, 'on'>): string[] =>
  on.flatMap(key => (key.startsWith('GET ') ? [key, key.replace('GET', 'HEAD')] : [key]))

/** A route key by which a page can change something: POST and PUT are unsafe methods (RFC 9110 §9.2.1). */
export type UnsafeKey = `${'POST' | 'PUT'} /auth/${string}`

/** Whether a row takes unsafe methods under `/auth`. */
export const isUnsafe = ({ on = [] }: Partial<Pick<Route, 'on'>>): boolean =>
  on.some(key => /^(?:POST|PUT) \/auth\//.test(key))

export type RouteName = keyof typeof routes
type ConsumerName = keyof typeof consumers
export type FunctionName = RouteName | ConsumerName
