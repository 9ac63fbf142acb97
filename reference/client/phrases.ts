/** What people type for what is here. */

/** Lines of words with one meaning. */
export const synonyms = [
  'delete remove erase close cancel destroy',
  'change edit modify update replace',
  'email mail address',
  'user person account profile member',
  'login authenticate authentication credential',
  'password passphrase',
  'passkey webauthn fido fingerprint face touch biometric',
  'phone device browser',
  'app authenticator',
  'recovery backup scratch',
  'token jwt bearer',
  'provider google microsoft apple github social federated',
  'error fail failure problem',
  'limit throttle throttling quota',
  'setting option environment variable config configuration',
  'all every everywhere',
]

/** Phrases by the ids that they mean, separated by commas. */
export const phrases: Record<string, string> = {
  register: 'sign up, signup, create account, new user, new account, open account, join, add user, registration',
  'accept-invitation': 'invite, invitation, invited',
  'verify-email': 'confirm email, activate, activation, confirm address, verification link',
  'resend-verification': 'verification again, send link again, no email arrives, email did not arrive, resend',
  login: 'sign in, signin, log on, logon, authenticate, get token, get access token, credentials',
  'logout-everywhere':
    'log out all devices, sign out everywhere, log out everywhere, end all sessions, stolen phone, lost phone, revoke all tokens',
  refresh:
    'renew token, new access token, token expired, stay logged in, keep logged in, refresh token, extend session',
  logout: 'sign out, signout, log off, logoff, end my session',
  'list-sessions': 'devices, where am I logged in, active sessions, who is logged in, logged in devices',
  'end-session': 'log out another device, log out one device, sign out other device, kick out, revoke session',
  'get-me': 'whoami, profile, my account, current user, user info, who am I, my email, is verified',
  'update-me': 'change name, update profile, set name, edit profile, display name',
  'forgot-password': 'forgot, lost password, reset link, password reset email, recover account, cannot log in',
  'reset-password': 'set new password, choose new password, password reset',
  'change-password': 'change my password, update password, new password',
  'change-email': 'change address, new email, change my email, update email, other email',
  undo: 'take back, revert, undo change, was not me, account taken over, hacked, stolen account',
  'get-second-factor': '2fa, mfa, otp, totp, two factor, two step, multi factor, is 2fa on',
  'set-up-second-factor':
    'turn on 2fa, enable 2fa, set up authenticator, enable mfa, enable two factor, QR code, add authenticator app',
  'confirm-second-factor': 'first code, finish 2fa',
  'renew-recovery-codes': 'backup codes, recovery codes, new codes, lost codes, scratch codes',
  'remove-second-factor': 'turn off 2fa, disable 2fa, remove authenticator, disable mfa, lost authenticator',
  'set-up-passkey':
    'add passkey, create passkey, register passkey, webauthn, fingerprint, face id, security key, yubikey',
  'passkey-login': 'passwordless, log in with passkey, log in without password',
  'list-passkeys': 'my passkeys, which passkeys',
  'rename-passkey': 'name of passkey, label of passkey',
  'remove-passkey': 'delete passkey, lost security key',
  providers:
    'social login, log in with google, google, github, apple, microsoft, which providers, buttons, sign in with google, log in with apple',
  'provider-login': 'oauth callback, exchange code, id token of google, link google',
  'sign-in-methods': 'connected accounts, linked accounts, ways to log in, login methods',
  'disconnect-provider': 'unlink google, unlink, disconnect google, remove google login',
  'delete-account':
    'delete my account, close account, remove account, erase my data, gdpr, unsubscribe, deactivate, right to be forgotten',
  authorize: 'oauth, openid connect, authorization code, sso, single sign on, pkce, sign in for applications',
  token: 'exchange authorization code, code for token, grant type, client secret',
  revoke: 'revoke token, invalidate token, invalidate refresh token',
  userinfo: 'claims, openid userinfo',
  'get-signing-keys':
    'jwks, public key, public keys, verify token, validate jwt, verify access token, signature, key rotation',
  'get-discovery': 'openid configuration, well known, issuer, metadata',
  'code-too-many-requests': 'rate limit, rate limits, rate limiting, throttling, 429, throttle, how many requests',
  'code-account-locked': 'brute force, locked, account is locked, blocked user, suspended, banned, unlock account',
  'code-origin-not-allowed': 'cors, cross origin, access control allow origin, preflight',
  'code-email-not-verified': 'unverified, not verified',
  'get-openapi': 'openapi, swagger, sdk, client generator, postman, schema of api',
  'validate-query': 'check query, validate query, mediawiki query',
  'call-tools': 'mcp, agents, tools, model context protocol',
  'absent-webhooks':
    'webhook, webhooks, events, callback, notify my server, notifications, subscribe, hooks, web hooks',
  'absent-users':
    'list users, all users, search users, find user by email, admin api, administrator, impersonate, user management, ban a user, delete another user',
  'absent-api-keys':
    'api key, api keys, machine to machine, service account, client credentials, personal access token',
  'absent-codes': 'sms, text message, magic link, email code, one time password by email, passwordless email',
  'absent-roles': 'roles, permissions, teams, organizations, tenants, groups, scopes, rbac, organisation, workspace',
  'absent-attributes':
    'avatar, picture, phone number, username, user name, metadata of user, custom fields, custom attributes, date of birth',
  'absent-saml': 'saml, scim, ldap, active directory, directory sync, enterprise sso',
  'absent-introspection':
    'introspection, introspect, dynamic client registration, device flow, device code, register application, is token valid',
}
