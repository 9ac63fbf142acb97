import { type AccountItem, attributes, invitedAttribute, toAccount } from '../../accounts/account/attributes.ts'
import { pendingEmailAttribute } from '../../accounts/address/address.ts'
import { methodsOf } from '../../accounts/factor/factor.ts'
import { stepSeconds } from '../../accounts/factor/totp.ts'
import { passkeysInForce } from '../../accounts/passkey/passkey.ts'
import { command, jsonOption } from '../command-line/command.ts'
import { type Stack, stackOptions } from '../command-line/stack.ts'
import { print } from '../command-line/terminal.ts'
import { accountOperand, findAccount, sessionsOf } from './find-account.ts'
import { describeHash, shownHash } from './hash-record.ts'
import { recordOf } from './kept-attributes.ts'
import { listed } from './roles.ts'

export const showCommand = command({
  summary: 'Shows an account, without hashes.',
  operand: accountOperand,
  options: { ...stackOptions, ...jsonOption },
  details: `--json prints what list does, and all else that is stored of a person but hashes, secrets and tokens: updated_at, changed_at,
password_changed_at, password ({form, …}, with what it costs), sessions (how many work), stored_sessions, recovery_codes_left,
second_factor_used_at, wrong_codes (how many), pending_second_factor ({expires, by_passkey}), passkeys, passkey_handle,
passkey_rp_id, identities ({issuer, subject, email, connected_at} each), changes of the last days, notices ({language, until}:
of notices, while theirs is another), remembered_remotes (times), pending_email, verification_link_expires,
verification_requested_at, reset_link_expires, reset_requested_at, reset_verifies, invitation_link_expires.`,
  async run(options, named) {
    const { account, stack } = await findAccount(options, named)
    const now = new Date()
    print(options.json ? JSON.stringify(shownAs(account, stack, now)) : describeAccount(account, stack, now))
    return 0
  },
})

/**
 * What programs are not shown of an account: hashes, secrets, and what guards or counts tokens and writes. All else that is stored is the
 * answer to a request for one's data.
 */
export const leftOut = [
  ...['password_hash', 'former_password_hash', 'email_verification_token', 'password_reset_token'],
  ...['password_reset_lists', 'recovery_codes', 'wrong_codes', 'remembered_remotes.hash', 'sessions.secret_hash'],
  ...['totp_secret', 'totp_pending_secret', 'sessions.salt', 'sessions.current', 'sessions.parent'],
  // Idempotency tokens.
  ...Object.keys(attributes).filter(name => name.endsWith('_by')),
]

/** What is stored of a person, for programs: each account has the same members. */
export function shownAs(item: AccountItem, stack: Pick<Stack, 'outputs'>, now: Date) {
  const account = toAccount(item)
  const { factor, pendingFactor } = account
  return {
    ...recordOf(item),
    updated_at: item.updated_at,
    password: shownHash(item.password_hash),
    sessions: sessionsOf(item, stack, now).length,
    recovery_codes_left: factor?.recoveryCodes.length ?? 0,
    passkeys: account.passkeys.map(passkey => ({
      label: passkey.label,
      created_at: passkey.createdAt,
      last_used_at: passkey.lastUsedAt,
      is_synced: passkey.backedUp,
      can_be_synced: passkey.backupEligible,
      credential_id: passkey.id,
      public_key: Buffer.from(passkey.publicKey).toString('base64url'),
      transports: passkey.transports,
      sign_count: passkey.signCount,
    })),
    identities: account.identities.map(({ issuer, subject, email, connectedAt }) => ({
      issuer,
      subject,
      email,
      connected_at: connectedAt,
    })),
    pending_email: item[pendingEmailAttribute] ?? null,
    verification_link_expires: item.email_verification_expires ?? null,
    reset_link_expires: isInvited(item) ? null : (item.password_reset_expires ?? null),
    invitation_link_expires: isInvited(item) ? (item.password_reset_expires ?? null) : null,
    verification_requested_at: item.email_verification_requested_at ?? null,
    reset_requested_at: item.password_reset_requested_at ?? null,
    reset_verifies: account.resetVerifies,
    notices: account.languageUntil && { language: account.languageBefore, until: account.languageUntil },
    second_factor_used_at: factor && new Date(factor.lastStep * stepSeconds * 1000),
    wrong_codes: account.wrongCodes,
    pending_second_factor: pendingFactor && { expires: pendingFactor.expiresAt, by_passkey: pendingFactor.byPasskey },
    passkey_handle: account.passkeyHandle,
    passkey_rp_id: account.passkeyRpId,
    remembered_remotes: account.clients.map(({ at }) => at),
    changed_at: account.changedAt,
    password_changed_at: account.passwordChangedAt,
    changes: account.changes.map(({ kind, email, at, hasLink, language }) => ({
      kind,
      email,
      at,
      has_link: hasLink,
      language,
    })),
    // Those that have ended are stored until the next write of sessions.
    stored_sessions: account.sessions.map(session => ({
      id: session.id,
      label: session.label,
      created_at: session.createdAt,
      last_used_at: session.rotatedAt,
      auth_time: session.authTime,
      amr: session.amr,
      application: session.application,
      scope: session.scope,
      browser: session.isBrowser,
      through: session.through,
      tab: session.isTab,
    })),
  }
}

const isInvited = (account: AccountItem): boolean => account[invitedAttribute] !== undefined

/** Until when an account is invited, and whether its owner has a link: an import brings none. */
function invitationOf({ invited_until: until = '', password_reset_token: hash }: AccountItem, now: Date): string {
  return `${until > now.toISOString() ? 'until' : 'expired'} ${until}${hash === undefined ? ', without a link' : ''}`
}

/** Which second factor an account has, without its secret and codes. */
function factorOf(item: AccountItem): string {
  const { factor, ...account } = toAccount(item)
  if (factor === null) return 'none'
  const { length } = factor.recoveryCodes
  const app = methodsOf({ ...account, factor }).includes('code') ? '' : ', whose codes are disabled'
  return `authenticator app${app}; ${length} recovery ${length === 1 ? 'code' : 'codes'} left`
}

/** The passkeys, by label and day, and whether they log in here: those of another domain never do again. */
function passkeysOf(item: AccountItem, { outputs }: Stack): string {
  const account = toAccount(item)
  const isInForce = passkeysInForce(account, { passkeyRpId: outputs.PasskeyRpId ?? null }).length > 0
  const shown = account.passkeys.map(({ label, createdAt, lastUsedAt }) => {
    const used = lastUsedAt === null ? 'never used' : `last used on ${dayOf(lastUsedAt)}`
    return `${label}, added on ${dayOf(createdAt)}, ${used}`
  })
  return `${isInForce ? '' : `of ${account.passkeyRpId ?? 'no domain'}, which do not log in here: `}${shown.join('; ')}`
}

/** The logins by providers, with the address that each had proven when it was connected. */
const identitiesOf = (item: AccountItem): string =>
  toAccount(item)
    .identities.map(({ issuer, subject, email, connectedAt }) => {
      const as = email === null ? '' : ` (${email})`
      return `${subject} of ${issuer}${as}, connected on ${dayOf(connectedAt)}`
    })
    .join('; ')

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/** The language of mails, and that of notices while it is another. */
const languageOf = ({ language, language_before: before, language_until: until = '' }: AccountItem, now: Date) =>
  until > now.toISOString() ? `${language}; notices use ${before} until ${until}` : language

/** Lists an account's attributes. Of a hash it shows the cost, of a link its expiry. */
export function describeAccount(account: AccountItem, stack: Stack, now: Date): string[] {
  const link = (expires: string | undefined) =>
    expires === undefined ? 'none' : `${expires > now.toISOString() ? 'works until' : 'expired'} ${expires}`
  const pending = account[pendingEmailAttribute]
  const rows = {
    id: account.id,
    email: account.email,
    name: account.name ?? '(none)',
    ...(account.language !== undefined && { language: languageOf(account, now) }),
    admin: account.is_admin ? 'yes' : 'no',
    ...(account.roles && { roles: listed(account.roles) }),
    verified: account.is_verified ? 'yes' : 'no',
    locked: account.locked_at === undefined ? 'no' : `since ${account.locked_at}`,
    ...(isInvited(account) && { invited: invitationOf(account, now) }),
    password:
      describeHash(account.password_hash) ??
      `none: only ${isInvited(account) ? 'its invitation' : 'a reset by mail'} sets one`,
    'second factor': factorOf(account),
    ...(toAccount(account).passkeys.length > 0 && { passkeys: passkeysOf(account, stack) }),
    ...(Object.keys(account.identities).length > 0 && { 'logs in by': identitiesOf(account) }),
    'token version': account.token_version,
    sessions: sessionsOf(account, stack, now).length,
    created: account.created_at,
    updated: account.updated_at,
    // The same attributes hold the link to a new address.
    'verification link': link(pending === undefined ? account.email_verification_expires : undefined),
    'pending address':
      pending === undefined ? 'none' : `${pending}: its link ${link(account.email_verification_expires)}`,
    'reset link': link(isInvited(account) ? undefined : account.password_reset_expires),
  }
  return Object.entries(rows).map(([name, value]) => `${name.padEnd(19)}${value}`)
}
