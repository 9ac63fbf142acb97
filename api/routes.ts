import type { replies as catalogueReplies, requests } from '../catalogue/model.ts'
import type { schemaType } from '../catalogue/notations/json-schema.ts'
import type { typescriptType } from '../catalogue/notations/typescript.ts'
import type { SettingName } from '../shared/base/config.ts'
import type { ErrorCode } from '../shared/base/errors.ts'
import type { Family } from '../shared/base/families.ts'
import type { bodies } from './bodies.ts'
import type { forms } from './forms.ts'
import type { goals } from './goals.ts'
import type { replies } from './replies.ts'

/**
 * The route table: the only list of paths, one row for each. A row states only what is particular to it; `needs.ts` adds
 * what follows from `limit`, `access`, `choosesPassword` and the like.
 *
 * Infra makes functions, routes and grants from it; `endpoint()` takes body, access and limit from it, and gives a
 * function exactly the parts of the outside world that its row grants; tests loop over it. It is plain data and imports
 * nothing at run time, so that importing it loads nothing else. Bundles hold only the rows of endpoints, and of
 * each only `servedMembers`.
 */

/** What a function may do to items in the table of counters, by family. */
export type ItemGrants = { [F in Family]?: readonly ('GetItem' | 'PutItem' | 'UpdateItem' | 'DeleteItem')[] }

/** What a function may do, as single AWS actions by resource. Infra turns them into IAM statements. */
export interface Grants extends ItemGrants {
  /** Accounts, in the table of users. */
  Users?: readonly ('GetItem' | 'PutItem' | 'UpdateItem' | 'DeleteItem')[]
  /** The pointers of identities, in the same table. */
  Identities?: readonly ('GetItem' | 'PutItem' | 'DeleteItem')[]
  UsersByVerificationToken?: readonly 'Query'[]
  UsersByResetToken?: readonly 'Query'[]
  UsersByPasskeyHandle?: readonly 'Query'[]
  MailQueue?: readonly 'SendMessage'[]
  /** The same queue at its other end; Lambda's poller works with the consumer's role. */
  QueuedMail?: readonly ('ReceiveMessage' | 'DeleteMessage' | 'ChangeMessageVisibility' | 'GetQueueAttributes')[]
  MailIdentity?: readonly 'SendEmail'[]
  /** The key that signs: the first of `SIGNING_KEYS`. */
  SigningKey?: readonly 'Sign'[]
  /** All published keys. */
  SigningKeys?: readonly 'GetPublicKey'[]
  /** The key that encrypts the secrets of second factors. */
  FactorKey?: readonly ('Encrypt' | 'Decrypt')[]
  /** The key that encrypts the secrets at providers. */
  ProviderKey?: readonly 'Decrypt'[]
}

/** What a Lambda function needs to do its work. */
interface Needing {
  /** What it may do in addition to what the rest of the row implies. */
  may?: Grants
  /**
   * What the function of the last release called and this one does not. It stays in the role for one release: a deploy, and a roll-back,
   * update policies before functions.
   */
  mayStill?: Grants
  /** Settings that it reads in addition to those that the row implies. */
  settings?: readonly SettingName[]
  /** It asks for the current password of an account, and so for its second factor. It hashes, and gets a full vCPU. */
  checksPassword?: true
  /** An assertion of a passkey proves what a password does, and a code. */
  takesPasskey?: true
  /** Another provider confirms who logs in, or opens an account. It does so only where SIGN_IN_PROVIDERS lists some. */
  takesProvider?: true
  /** People choose a password: it is hashed, and may be too short or too common. */
  choosesPassword?: true
  /** It answers with an access token. */
  issuesToken?: true
  /**
   * Seconds until Lambda stops it: 3 when it calls nothing, 20 for two hashes, 30 for a batch of mails. The default is
   * in `needs.ts`.
   */
  timeout?: number
  /**
   * How often an account sends it in a month. The throttle for all callers together follows from it, and what an account
   * costs. Each row that hashes states it; the others do where the usual throttle (`infra/constructs/throttles.ts`) does
   * not suit. Once deployed, a row keeps one: API Gateway keeps a throttle that is no longer stated.
   */
  perMonth?: number
}

/** What a row says of a path. */
interface Path extends Needing {
  /** Method and path (RFC 6570 variables). GET includes HEAD. */
  on: `${'GET' | 'POST' | 'PUT' | 'GET|POST'} /${string}`
  summary: string
  /** Two or three words for the API's description, where the row's name does not say it as well. */
  title?: string
  /** What people use it for: where the reference (`GET /reference`) lists it. Pages have none. */
  goal?: keyof typeof goals
  /** Requests per minute and client address (an office shares one), unless `RATE_LIMITS` changes it. */
  limit?: number
  /** The shape in `bodies.ts` that the body must have. */
  body?: keyof typeof bodies
  /** What the query string may hold: filters of the list of modules, or a document's tag. */
  query?: 'filters' | 'tags'
  /** The fields that it takes, in the query string or by POST. Its answer is not prebuilt, and `refuses` is complete. */
  fields?: keyof typeof requests
  /** The status of success and its shape, or the sentence that says no more; or a page, which is for people. */
  reply:
    | readonly [
        status: 200 | 201,
        shape: Exclude<keyof typeof replies, 'MessageResponse'> | keyof typeof catalogueReplies,
      ]
    | readonly [status: 200, shape: 'MessageResponse', message: string]
    | 'page'
  /** The media type of success, where it is not JSON's own. */
  type?: typeof schemaType | typeof typescriptType
  /** The refusals that nothing else in the row implies. */
  refuses?: readonly ErrorCode[]
  /** It is there only where OIDC_CLIENTS lists applications; elsewhere its path is an unknown one. */
  withClients?: true
  /** It is there only where SIGN_IN_PROVIDERS lists providers; elsewhere its path is an unknown one. */
  withProviders?: true
  /**
   * Only this service's own pages send it: it reads the cookie by which a browser stays logged in across applications, and
   * may set it. No other row sees a cookie.
   */
  ownPages?: true
  /** The shape in `forms.ts` of what it takes: it refuses as RFC 6749 §5.2 says, not by a problem document. */
  form?: keyof typeof forms
  /** The scopes with which it takes access tokens of applications too; the others refuse them. */
  scopes?: readonly string[]
  /** Another spelling of its path. */
  also?: `/${string}`
  /** Its name among the links of `GET /catalogue`. */
  link?: string
}

/** Who may call the function of its own name; or the one that it shares, for anyone, and whose needs are in `functions`. */
type Answering =
  | { access: 'anyone' | 'bearer'; function?: undefined }
  | { access?: undefined; function: SharedFunction }

/** A path, and what answers there. */
export type Route = Path & Answering

/** A function that several paths share, or that no path names. */
export interface SharedRow extends Needing {
  summary: string
  /** Its route keys in API Gateway, where they are not those of its paths. */
  gateway?: readonly string[]
  /** Its paths refuse what their rows do not say of the query string. The others ignore it. */
  refusesQuery?: true
}

export const routes = {
  register: {
    on: 'POST /auth/register',
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
    may: { MailQueue: ['SendMessage'], Users: ['PutItem', 'GetItem'] },
    settings: ['ADMIN_EMAIL', 'LANGUAGES', 'MAIL_FROM', 'OIDC_CLIENTS', 'SIGN_UP', 'SIGN_UP_DOMAINS'],
    choosesPassword: true,
  },
  login: {
    on: 'POST /auth/login',
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
    may: { SetupLinks: ['GetItem', 'UpdateItem'] },
    settings: ['REQUIRE_EMAIL_VERIFICATION'],
    checksPassword: true,
    issuesToken: true,
    // The first login after a change of cost makes a second hash.
    timeout: 20,
  },
  refresh: {
    on: 'POST /auth/refresh',
    summary: 'Exchanges a refresh token for a new access token and the newest refresh token of its session.',
    title: 'Refresh tokens',
    access: 'anyone',
    goal: 'sessions',
    // No limit: a server refreshes for many people from one address. This throttle bounds all callers together.
    perMonth: 40,
    body: 'RefreshRequest',
    reply: [200, 'Token'],
    refuses: ['invalid-refresh-token', 'email-not-verified'],
    // The owner is told of a token that was used twice.
    may: { Users: ['GetItem', 'UpdateItem'], MailQueue: ['SendMessage'] },
    settings: ['MAIL_FROM', 'REQUIRE_EMAIL_VERIFICATION'],
    issuesToken: true,
  },
  logout: {
    on: 'POST /auth/logout',
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
    on: 'GET /auth/sessions',
    summary: 'The sessions of the current account: the current one first, then the last used.',
    access: 'bearer',
    goal: 'sessions',
    reply: [200, 'SessionList'],
  },
  'end-session': {
    on: 'POST /auth/end-session',
    summary: 'Ends a session of the current account.',
    access: 'bearer',
    goal: 'sessions',
    limit: 30,
    // One in a hundred ends one.
    perMonth: 0.01,
    body: 'EndSessionRequest',
    reply: [200, 'MessageResponse', 'The session has ended.'],
    refuses: ['wrong-password'],
    checksPassword: true,
    takesPasskey: true,
    timeout: 20,
  },
  'get-me': {
    on: 'GET /auth/me',
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
    on: 'PUT /auth/me',
    summary: "Changes the current account's name.",
    title: 'Update account',
    access: 'bearer',
    goal: 'account',
    limit: 30,
    body: 'UpdateUserRequest',
    reply: [200, 'UserResponse'],
    may: { Users: ['UpdateItem'] },
    settings: ['LANGUAGES'],
  },
  'forgot-password': {
    on: 'POST /auth/forgot-password',
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
    on: 'POST /auth/reset-password',
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
    on: 'POST /auth/accept-invitation',
    summary: 'Sets the first password of an account that an operator opened, given the token in the invitation.',
    access: 'anyone',
    goal: 'open',
    limit: 60,
    // Where accounts are opened by invitation, it takes the place of registering.
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
  'verify-email': {
    on: 'POST /auth/verify-email',
    summary: 'Marks an address as verified, given a verification token.',
    access: 'anyone',
    goal: 'open',
    limit: 60,
    body: 'VerifyEmailRequest',
    reply: [200, 'MessageResponse', 'Email verified successfully. You can now log in.'],
    refuses: ['invalid-verification-token'],
    may: { UsersByVerificationToken: ['Query'], Users: ['GetItem', 'UpdateItem'] },
  },
  'resend-verification': {
    on: 'POST /auth/resend-verification',
    summary: 'Mails a new verification link, if the account exists and is not verified.',
    access: 'anyone',
    goal: 'open',
    limit: 10,
    body: 'ForgotPasswordRequest',
    reply: [
      200,
      'MessageResponse',
      'If an unverified account with this email exists, a verification link has been sent.',
    ],
    may: { MailQueue: ['SendMessage'] },
    settings: ['OIDC_CLIENTS'],
  },
  'change-password': {
    on: 'POST /auth/change-password',
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
  'get-second-factor': {
    on: 'GET /auth/second-factor',
    summary: 'Whether the current account has a second factor, and how many recovery codes are left.',
    access: 'bearer',
    goal: 'second-factor',
    limit: 10,
    reply: [200, 'SecondFactor'],
  },
  'set-up-second-factor': {
    on: 'POST /auth/second-factor/setup',
    summary: 'Makes a secret for an authenticator app. It waits 15 minutes to be confirmed.',
    title: 'Set up factor',
    access: 'bearer',
    goal: 'second-factor',
    limit: 10,
    // One in a hundred sets one up.
    perMonth: 0.01,
    body: 'SecondFactorSetupRequest',
    reply: [200, 'SecondFactorSetup'],
    refuses: ['wrong-password', 'email-not-verified', 'second-factor-off'],
    may: { FactorKey: ['Encrypt'] },
    settings: ['PRODUCT_NAME'],
    checksPassword: true,
    takesPasskey: true,
    timeout: 20,
  },
  'confirm-second-factor': {
    on: 'POST /auth/second-factor/confirm',
    summary:
      'Puts the secret that was set up last into force, given a code of the app. Voids all access tokens, ends the other sessions and answers with new tokens and with recovery codes, which no other answer shows.',
    title: 'Confirm factor',
    access: 'bearer',
    goal: 'second-factor',
    limit: 10,
    body: 'ConfirmSecondFactorRequest',
    reply: [200, 'SecondFactorConfirmation'],
    refuses: ['no-second-factor-setup', 'wrong-code', 'codes-disabled', 'second-factor-off'],
    may: {
      Codes: ['UpdateItem', 'GetItem'],
      UndoLinks: ['UpdateItem'],
      Users: ['UpdateItem'],
      FactorKey: ['Decrypt'],
      MailQueue: ['SendMessage'],
    },
    settings: ['MAIL_FROM'],
    issuesToken: true,
  },
  'renew-recovery-codes': {
    on: 'POST /auth/second-factor/recovery-codes',
    summary: 'Replaces the recovery codes of the current account by new ones, which no other answer shows.',
    access: 'bearer',
    goal: 'second-factor',
    limit: 10,
    perMonth: 0.01,
    body: 'SecondFactorRequest',
    reply: [200, 'RecoveryCodes'],
    refuses: ['no-second-factor', 'wrong-password'],
    checksPassword: true,
    takesPasskey: true,
  },
  'remove-second-factor': {
    on: 'POST /auth/second-factor/remove',
    summary:
      'Removes the second factor of the current account, voids its access tokens and ends its other sessions. Answers with new tokens.',
    title: 'Remove factor',
    access: 'bearer',
    goal: 'second-factor',
    limit: 10,
    perMonth: 0.01,
    body: 'SecondFactorRequest',
    reply: [200, 'Token'],
    refuses: ['no-second-factor', 'wrong-password', 'second-factor-required-here'],
    checksPassword: true,
    takesPasskey: true,
    issuesToken: true,
    timeout: 20,
  },
  'passkey-login-options': {
    on: 'POST /auth/passkeys/login-options',
    summary: 'Draws what a passkey signs to log in: the options that a browser asks for it with.',
    title: 'Get login options',
    access: 'anyone',
    goal: 'passkeys',
    limit: 300,
    reply: [200, 'PasskeyRequestOptions'],
    refuses: ['passkeys-off'],
    may: { Challenges: ['PutItem'] },
    settings: ['PASSKEY_RP_ID'],
  },
  'passkey-login': {
    on: 'POST /auth/passkeys/login',
    summary: 'Exchanges an assertion of a passkey for an access token, and opens a session if asked to.',
    title: 'Passkey login',
    access: 'anyone',
    goal: 'passkeys',
    limit: 60,
    body: 'PasskeyLogin',
    reply: [200, 'Token'],
    refuses: ['account-locked', 'email-not-verified'],
    may: { UsersByPasskeyHandle: ['Query'] },
    settings: ['REQUIRE_EMAIL_VERIFICATION'],
    takesPasskey: true,
    issuesToken: true,
  },
  'passkey-proof-options': {
    on: 'POST /auth/passkeys/proof-options',
    summary: 'Draws what a passkey of the current account signs in place of its password and code, at one endpoint.',
    title: 'Get proof options',
    access: 'bearer',
    goal: 'passkeys',
    limit: 30,
    body: 'PasskeyProofRequest',
    reply: [200, 'PasskeyRequestOptions'],
    refuses: ['passkeys-off', 'no-passkey'],
    may: { Challenges: ['PutItem'] },
    settings: ['PASSKEY_RP_ID'],
  },
  'set-up-passkey': {
    on: 'POST /auth/passkeys/setup',
    summary: 'Draws what a new passkey signs: the options that a browser makes one with. They work for ten minutes.',
    title: 'Set up passkey',
    access: 'bearer',
    goal: 'passkeys',
    limit: 10,
    // One in ten adds one.
    perMonth: 0.1,
    body: 'PasskeySetupRequest',
    reply: [200, 'PasskeyCreationOptions'],
    refuses: ['wrong-password', 'email-not-verified', 'too-many-passkeys'],
    may: { Challenges: ['PutItem'] },
    settings: ['PRODUCT_NAME'],
    checksPassword: true,
    takesPasskey: true,
    timeout: 20,
  },
  'confirm-passkey': {
    on: 'POST /auth/passkeys/confirm',
    summary: 'Adds the passkey that was made with the options of the last setup.',
    title: 'Add passkey',
    access: 'bearer',
    goal: 'passkeys',
    limit: 10,
    body: 'ConfirmPasskeyRequest',
    reply: [200, 'Passkey'],
    refuses: ['email-not-verified', 'too-many-passkeys'],
    may: { UndoLinks: ['UpdateItem'], MailQueue: ['SendMessage'] },
    settings: ['MAIL_FROM'],
    takesPasskey: true,
  },
  'list-passkeys': {
    on: 'GET /auth/passkeys',
    summary: 'The passkeys of the current account, the oldest first.',
    access: 'bearer',
    goal: 'passkeys',
    limit: 30,
    reply: [200, 'PasskeyList'],
    settings: ['PASSKEY_RP_ID'],
  },
  'rename-passkey': {
    on: 'POST /auth/passkeys/rename',
    summary: 'Gives a passkey of the current account another name.',
    access: 'bearer',
    goal: 'passkeys',
    limit: 30,
    body: 'RenamePasskeyRequest',
    reply: [200, 'Passkey'],
    refuses: ['no-passkey'],
    may: { Users: ['UpdateItem'] },
  },
  'remove-passkey': {
    on: 'POST /auth/passkeys/remove',
    summary:
      'Removes a passkey of the current account, voids its access tokens and ends its other sessions. Answers with new tokens.',
    access: 'bearer',
    goal: 'passkeys',
    limit: 10,
    perMonth: 0.01,
    body: 'RemovePasskeyRequest',
    reply: [200, 'Token'],
    refuses: ['no-passkey', 'wrong-password', 'second-factor-required-here'],
    checksPassword: true,
    takesPasskey: true,
    issuesToken: true,
    timeout: 20,
  },
  providers: {
    on: 'GET /auth/providers',
    summary: 'The other providers by which people log in, and what to send them there with.',
    title: 'List providers',
    access: 'anyone',
    goal: 'providers',
    withProviders: true,
    reply: [200, 'ProviderList'],
    settings: ['BROWSER_URL', 'ISSUER', 'SIGN_IN_PROVIDERS'],
  },
  'provider-login': {
    on: 'POST /auth/provider-login',
    summary:
      'Exchanges what another provider confirms for an access token, opens an account if there is none, and connects the provider given the password.',
    title: 'Provider login',
    access: 'anyone',
    goal: 'providers',
    withProviders: true,
    limit: 60,
    // It hashes only to connect: a tenth of the logins.
    perMonth: 0.4,
    body: 'ProviderLogin',
    reply: [200, 'Token'],
    refuses: ['bad-credentials', 'account-locked', 'email-not-verified', 'second-factor-setup'],
    may: { SetupLinks: ['GetItem', 'UpdateItem'] },
    settings: ['REQUIRE_EMAIL_VERIFICATION'],
    checksPassword: true,
    takesProvider: true,
    issuesToken: true,
    // A provider takes 3 seconds at most, a hash 4, and a transaction may meet others.
    timeout: 20,
  },
  'sign-in-methods': {
    on: 'GET /auth/sign-in-methods',
    summary: 'Whether the current account has a password, and by which providers its owner logs in.',
    title: 'List login methods',
    access: 'bearer',
    goal: 'providers',
    reply: [200, 'SignInMethods'],
    settings: ['SIGN_IN_PROVIDERS'],
  },
  'disconnect-provider': {
    on: 'POST /auth/disconnect-provider',
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
    settings: ['SIGN_IN_PROVIDERS'],
    checksPassword: true,
    takesPasskey: true,
    issuesToken: true,
    timeout: 20,
  },
  'logout-everywhere': {
    on: 'POST /auth/logout-everywhere',
    summary: "Voids all of the current account's access tokens, and ends its sessions.",
    title: 'Log out everywhere',
    access: 'bearer',
    goal: 'log-in',
    limit: 30,
    reply: [200, 'MessageResponse', 'Logged out everywhere.'],
    may: { Users: ['UpdateItem'] },
  },
  'delete-account': {
    on: 'POST /auth/delete-account',
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
      Moves: ['GetItem'],
      Users: ['DeleteItem'],
      Identities: ['GetItem', 'DeleteItem'],
    },
    checksPassword: true,
    takesPasskey: true,
  },
  'change-email': {
    on: 'POST /auth/change-email',
    summary: 'Mails a link to a new address, with which the current account can move to it.',
    access: 'bearer',
    goal: 'address',
    limit: 10,
    body: 'ChangeEmailRequest',
    reply: [200, 'MessageResponse', 'If the address can be used, a link has been sent to it.'],
    refuses: ['administrator', 'email-domain-not-allowed'],
    may: { MailQueue: ['SendMessage'] },
    settings: ['SIGN_UP_DOMAINS'],
  },
  'confirm-email-change': {
    on: 'POST /auth/confirm-email-change',
    summary: 'Moves an account to a new address, given the token mailed there and the password.',
    access: 'anyone',
    goal: 'address',
    limit: 60,
    // One in a hundred changes it.
    perMonth: 0.01,
    body: 'ConfirmEmailChangeRequest',
    reply: [200, 'MessageResponse', 'Your email address has been changed.'],
    refuses: [
      'invalid-email-change-token',
      'wrong-password',
      'account-locked',
      'administrator',
      'email-domain-not-allowed',
      'email-taken',
    ],
    may: {
      UsersByVerificationToken: ['Query'],
      Users: ['GetItem', 'PutItem', 'DeleteItem'],
      Identities: ['GetItem', 'PutItem'],
      DeletionMarks: ['UpdateItem'],
      Moves: ['GetItem', 'PutItem'],
      UndoLinks: ['PutItem'],
    },
    settings: ['SIGN_UP_DOMAINS'],
    checksPassword: true,
    // Its transaction may meet others, and is tried again.
    timeout: 20,
  },
  undo: {
    on: 'POST /auth/undo',
    summary: 'Undoes a change of an account, given the token in its notice, and mails a password reset link.',
    title: 'Undo change',
    access: 'anyone',
    goal: 'address',
    limit: 60,
    body: 'UndoRequest',
    reply: [200, 'MessageResponse', 'The change has been undone. A link to choose a new password has been sent.'],
    refuses: ['invalid-undo-token', 'administrator'],
    may: {
      Users: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      Identities: ['GetItem', 'DeleteItem'],
      DeletionMarks: ['GetItem', 'UpdateItem'],
      Moves: ['GetItem', 'PutItem'],
      UndoLinks: ['GetItem', 'DeleteItem'],
      MailQueue: ['SendMessage'],
    },
    settings: ['MAIL_FROM', 'PASSKEY_RP_ID', 'SECOND_FACTOR'],
  },
  authorize: {
    on: 'POST /auth/authorize',
    summary: 'Logs a person in to an application: says where the page goes on, with an authorization code.',
    title: 'Authorize application',
    access: 'anyone',
    goal: 'applications',
    withClients: true,
    ownPages: true,
    limit: 60,
    // As often as a login.
    perMonth: 4,
    body: 'AuthorizeRequest',
    reply: [200, 'Continuation'],
    refuses: [
      'invalid-authorization-request',
      'login-required',
      'bad-credentials',
      'account-locked',
      'email-not-verified',
      'second-factor-setup',
    ],
    may: { Grants: ['PutItem'], UsersByPasskeyHandle: ['Query'] },
    checksPassword: true,
    takesPasskey: true,
    takesProvider: true,
    timeout: 20,
  },
  'authorize-session': {
    on: 'POST /auth/authorize-session',
    summary: 'The same for a browser that has stayed logged in, without a password.',
    title: 'Continue to application',
    access: 'anyone',
    goal: 'applications',
    withClients: true,
    ownPages: true,
    // As often as a refresh: each visit of the page asks it first.
    perMonth: 40,
    body: 'ContinueRequest',
    reply: [200, 'Continuation'],
    refuses: ['invalid-authorization-request', 'login-required', 'email-not-verified', 'confirmation-required'],
    may: { Grants: ['PutItem'], Users: ['GetItem', 'UpdateItem'], MailQueue: ['SendMessage'] },
    settings: ['MAIL_FROM'],
  },
  'logout-browser': {
    on: 'POST /auth/logout-browser',
    summary: 'Logs a browser out that has stayed logged in across applications.',
    title: 'Log out browser',
    access: 'anyone',
    goal: 'applications',
    withClients: true,
    ownPages: true,
    limit: 60,
    body: 'ContinueRequest',
    reply: [200, 'LogoutContinuation'],
    refuses: ['confirmation-required'],
    may: { Users: ['GetItem', 'UpdateItem'] },
  },
  token: {
    on: 'POST /auth/token',
    summary: 'Exchanges an authorization code, or a refresh token of an application, for tokens (RFC 6749 §3.2).',
    title: 'Exchange code',
    access: 'anyone',
    goal: 'applications',
    withClients: true,
    form: 'TokenRequest',
    // As often as a refresh, and for the same reason without a limit: applications share few addresses.
    perMonth: 40,
    reply: [200, 'OAuthTokens'],
    may: {
      Grants: ['GetItem', 'UpdateItem'],
      Users: ['GetItem', 'UpdateItem'],
      MailQueue: ['SendMessage'],
    },
    settings: ['LANGUAGES', 'MAIL_FROM', 'OIDC_CLIENTS'],
    issuesToken: true,
  },
  revoke: {
    on: 'POST /auth/revoke',
    summary: "Ends the session of an application's refresh token (RFC 7009).",
    title: 'Revoke token',
    access: 'anyone',
    goal: 'applications',
    withClients: true,
    form: 'RevocationRequest',
    // The throttle of the exchange, for the same reason.
    perMonth: 40,
    reply: [200, 'Revoked'],
    may: { Users: ['GetItem', 'UpdateItem'] },
    settings: ['OIDC_CLIENTS', 'SECOND_FACTOR', 'SESSION_DAYS', 'SESSION_IDLE_DAYS', 'TOKENS_NOT_BEFORE'],
  },
  userinfo: {
    on: 'GET|POST /auth/userinfo',
    summary: 'What the scopes of an access token allow to know of its account (OpenID Connect Core §5.3).',
    title: 'Get user info',
    access: 'bearer',
    goal: 'applications',
    withClients: true,
    scopes: ['openid'],
    perMonth: 10,
    reply: [200, 'UserInfo'],
    settings: ['LANGUAGES'],
  },
  'get-signing-keys': {
    function: 'signing-keys',
    on: 'GET /auth/.well-known/jwks.json',
    summary: 'The public keys of access tokens (RFC 7517).',
    goal: 'tokens',
    reply: [200, 'KeySet'],
    refuses: ['unavailable'],
  },
  'get-discovery': {
    function: 'signing-keys',
    on: 'GET /auth/.well-known/openid-configuration',
    summary: 'The part of a discovery document that verifiers of tokens read.',
    goal: 'tokens',
    reply: [200, 'Discovery'],
  },
  'get-catalogue': {
    function: 'catalogue',
    on: 'GET /catalogue',
    link: 'self',
    summary: 'What the catalogue holds, how much of it, and where.',
    goal: 'look-up',
    reply: [200, 'CatalogueIndex'],
  },
  'list-modules': {
    function: 'catalogue',
    on: 'GET /catalogue/modules',
    link: 'modules',
    summary: 'The modules that all of the filters hold for, in the order of the specification.',
    goal: 'look-up',
    query: 'filters',
    reply: [200, 'ModuleList'],
  },
  'get-module': {
    function: 'catalogue',
    on: 'GET /catalogue/modules/query+{name}',
    also: '/catalogue/query+{name}',
    link: 'module',
    summary: 'A module with its parameters.',
    goal: 'look-up',
    reply: [200, 'Module'],
    refuses: ['module-not-found'],
  },
  'list-parameters': {
    function: 'catalogue',
    on: 'GET /catalogue/modules/query+{name}/parameters',
    also: '/catalogue/query+{name}/parameters',
    link: 'parameters',
    summary: 'The parameters of a module.',
    goal: 'look-up',
    reply: [200, 'ParameterList'],
    refuses: ['module-not-found'],
  },
  'get-parameter': {
    function: 'catalogue',
    on: 'GET /catalogue/modules/query+{name}/parameters/{parameter}',
    also: '/catalogue/query+{name}/parameters/{parameter}',
    link: 'parameter',
    summary: 'A parameter of a module.',
    goal: 'look-up',
    reply: [200, 'Parameter'],
    refuses: ['module-not-found', 'parameter-not-found'],
  },
  'get-module-schema': {
    function: 'catalogue',
    on: 'GET /catalogue/modules/query+{name}/schema',
    also: '/catalogue/query+{name}/schema',
    link: 'schema',
    summary: 'A module as JSON Schema: what a query of it may hold.',
    title: 'Get schema',
    goal: 'look-up',
    reply: [200, 'JsonSchema'],
    type: 'application/schema+json',
    refuses: ['module-not-found'],
  },
  'list-groups': {
    function: 'catalogue',
    on: 'GET /catalogue/groups',
    link: 'groups',
    summary: 'The groups of modules, with their meaning.',
    goal: 'look-up',
    reply: [200, 'GroupList'],
  },
  'list-types': {
    function: 'catalogue',
    on: 'GET /catalogue/types',
    link: 'types',
    summary: 'The types of parameters, with their meaning.',
    goal: 'look-up',
    reply: [200, 'TypeList'],
  },
  'list-sets': {
    function: 'catalogue',
    on: 'GET /catalogue/sets',
    link: 'sets',
    summary: 'The sets that modules share, and who uses them.',
    goal: 'look-up',
    reply: [200, 'SetList'],
  },
  'get-set': {
    function: 'catalogue',
    on: 'GET /catalogue/sets/{set}',
    link: 'set',
    summary: 'A set that modules share, and who uses it.',
    goal: 'look-up',
    reply: [200, 'SharedSet'],
    refuses: ['set-not-found'],
  },
  'export-catalogue': {
    function: 'catalogue',
    on: 'GET /catalogue/export/catalogue.json',
    link: 'export',
    summary: 'Everything in the catalogue.',
    goal: 'export',
    reply: [200, 'Catalogue'],
  },
  'export-schemas': {
    function: 'catalogue',
    on: 'GET /catalogue/export/query-modules.schema.json',
    link: 'schemas',
    summary: 'All modules as JSON Schema.',
    goal: 'export',
    reply: [200, 'JsonSchema'],
    type: 'application/schema+json',
  },
  'export-typescript': {
    function: 'catalogue',
    on: 'GET /catalogue/export/query-modules.d.ts',
    link: 'typescript',
    summary: 'All modules as types of TypeScript.',
    title: 'Export TypeScript',
    goal: 'export',
    reply: [200, 'TypeScript'],
    type: 'text/plain; charset=utf-8',
  },
  'validate-query': {
    function: 'catalogue',
    on: 'GET|POST /catalogue/validate',
    link: 'validate',
    summary: 'What is wrong with a query, where, and what mends it.',
    goal: 'check',
    fields: 'ValidationRequest',
    reply: [200, 'Report'],
    refuses: [
      'query-parameter-missing',
      'query-parameter-unknown',
      'query-parameter-repeated',
      'query-parameter-invalid',
      'query-too-long',
    ],
  },
  'get-paraminfo': {
    function: 'catalogue',
    on: 'GET|POST /catalogue/w/api.php',
    link: 'paraminfo',
    summary: 'Modules as clients of MediaWiki ask for them.',
    title: 'Describe modules',
    goal: 'mediawiki',
    fields: 'ParaminfoRequest',
    reply: [200, 'Paraminfo'],
  },
  explore: {
    function: 'catalogue',
    on: 'GET /catalogue/explore',
    link: 'explore',
    summary: 'The explorer: pages on which people look modules up, check queries and build them.',
    reply: 'page',
  },
  'explore-module': {
    function: 'catalogue',
    on: 'GET /catalogue/explore/query+{name}',
    summary: "A module's page.",
    reply: 'page',
  },
  'explore-set': {
    function: 'catalogue',
    on: 'GET /catalogue/explore/sets/{set}',
    summary: 'The page of a set that modules share.',
    reply: 'page',
  },
  'explore-asset': {
    function: 'catalogue',
    on: 'GET /catalogue/explore/assets/{file}',
    summary: "The explorer's scripts and style sheet, with a hash of their content in their names.",
    reply: 'page',
  },
  'get-openapi': {
    function: 'openapi',
    on: 'GET /openapi.json',
    summary: 'This API, described for programs (OpenAPI 3.1).',
    title: 'Describe API',
    goal: 'generate',
    query: 'tags',
    reply: [200, 'OpenapiDocument'],
  },
  home: {
    function: 'pages',
    on: 'GET /',
    summary: 'A page that says what this is.',
    reply: 'page',
  },
  reference: {
    function: 'pages',
    on: 'GET /reference',
    summary: 'This API, described for people: every endpoint with its errors, and examples to copy.',
    reply: 'page',
  },
  'account-page': {
    function: 'pages',
    on: 'GET /account',
    summary: 'The page on which people use their account: from registering to deleting it.',
    reply: 'page',
  },
  'change-password-page': {
    function: 'pages',
    on: 'GET /.well-known/change-password',
    summary:
      'Leads password managers to where people change their password (W3C, "A Well-Known URL for Changing Passwords").',
    reply: 'page',
  },
  'authorize-page': {
    function: 'pages',
    on: 'GET /authorize',
    summary: 'The page on which people log in to an application (OpenID Connect Core §3.1.2).',
    reply: 'page',
    withClients: true,
  },
  'logout-page': {
    function: 'pages',
    on: 'GET /logout',
    summary: 'The page on which people log out of a browser (OpenID Connect RP-Initiated Logout).',
    reply: 'page',
    withClients: true,
  },
  'sign-in-page': {
    function: 'pages',
    on: 'GET|POST /sign-in/{provider}',
    summary: 'The page to which a provider sends people back.',
    reply: 'page',
    withProviders: true,
  },
  'verify-email-page': {
    function: 'pages',
    on: 'GET /verify-email',
    summary: "The page that a verification mail's link opens.",
    reply: 'page',
  },
  'reset-password-page': {
    function: 'pages',
    on: 'GET /reset-password',
    summary: "The page that a reset mail's link opens.",
    reply: 'page',
  },
  'invitation-page': {
    function: 'pages',
    on: 'GET /invitation',
    summary: 'The page that the link in an invitation opens.',
    reply: 'page',
  },
  'second-factor-page': {
    function: 'pages',
    on: 'GET /second-factor',
    summary: 'The page on which people set up a second factor, where everybody needs one: a mailed link opens it.',
    reply: 'page',
  },
  'change-email-page': {
    function: 'pages',
    on: 'GET /change-email',
    summary: 'The page that the link to a new address opens.',
    reply: 'page',
  },
  'undo-page': {
    function: 'pages',
    on: 'GET /undo',
    summary: "The page that a notice's undo link opens.",
    reply: 'page',
  },
} as const satisfies Record<string, Route>

/** The functions that several paths share, and those that no path names: what each needs is stated here, once. */
export const functions = {
  'signing-keys': {
    summary: 'The public keys of access tokens (RFC 7517), and the part of a discovery document that verifiers read.',
    may: { SigningKeys: ['GetPublicKey'] },
    settings: ['BROWSER_URL', 'ISSUER', 'LANGUAGES', 'OIDC_CLIENTS', 'SESSION_DAYS'],
  },
  catalogue: {
    summary: 'The catalogue of query modules, from answers written at build time.',
    gateway: ['ANY /catalogue', 'ANY /catalogue/{path+}'],
    refusesQuery: true,
    // All that clients send. CloudFront answers nine of ten, where there is one.
    perMonth: 10,
    timeout: 3,
  },
  openapi: {
    summary: 'This API, described for programs (OpenAPI 3.1), as it was written at build time.',
    refusesQuery: true,
    settings: ['SUPPORT_EMAIL'],
    timeout: 3,
  },
  pages: {
    summary:
      'The pages for people: what this is, their account, the reference of this API, and those that the mails link to.',
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
      'PRODUCT_NAME',
      'REQUIRE_EMAIL_VERIFICATION',
      'SECOND_FACTOR',
      'SESSION_DAYS',
      'SIGN_IN_PROVIDERS',
      'SIGN_UP',
      'SSO',
      'SUPPORT_EMAIL',
    ],
    timeout: 3,
  },
  'not-found': {
    summary: 'Answers unknown paths with 404 and wrong methods with 405.',
    gateway: ['$default'],
    settings: [
      'ACCENT_COLOR',
      'APP_URL',
      'LANGUAGES',
      'LOGO_URL',
      'OIDC_CLIENTS',
      'PRODUCT_NAME',
      'SIGN_IN_PROVIDERS',
      'SUPPORT_EMAIL',
    ],
    timeout: 3,
  },
  /** The only one that answers events instead of HTTP. */
  'on-mail-queued': {
    summary: 'Stores one-time tokens and sends the mails that carry them.',
    may: {
      QueuedMail: ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes'],
      Mails: ['UpdateItem'],
      SetupLinks: ['UpdateItem'],
      Moves: ['GetItem'],
      UndoLinks: ['GetItem', 'UpdateItem'],
      Users: ['GetItem', 'UpdateItem'],
      MailIdentity: ['SendEmail'],
    },
    settings: [
      'LANGUAGES',
      'MAIL_FROM',
      'PASSKEY_RP_ID',
      'PRODUCT_NAME',
      'RATE_LIMITS',
      'SECOND_FACTOR',
      'SIGN_IN_PROVIDERS',
      'SITE_URL',
      'SUPPORT_EMAIL',
    ],
    timeout: 30,
  },
} as const satisfies Record<string, SharedRow>

export type RouteName = keyof typeof routes
type SharedFunction = keyof typeof functions
/** The rows that have a function of their own, which `endpoint()` serves. */
export type EndpointName = { [N in RouteName]: (typeof routes)[N] extends { function: string } ? never : N }[RouteName]
export type FunctionName = EndpointName | SharedFunction

/** The members that functions read while they serve. The build leaves the others out of their bundles. */
export const servedMembers = [
  'on',
  'access',
  'function',
  'limit',
  'body',
  'reply',
  'gateway',
  'ownPages',
  'form',
  'scopes',
] as const
export type ServedRow = Pick<Route, Exclude<(typeof servedMembers)[number], 'gateway'>>

/** The path of a row, as a type: what a bundle states again without the table, the compiler holds against it. */
export type PathOf<N extends RouteName> = (typeof routes)[N]['on'] extends `${string} ${infer P}` ? P : never
