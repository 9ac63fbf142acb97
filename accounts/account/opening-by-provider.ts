import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { saidLanguage } from '../../shared/base/language.ts'
import {
  type CountWhileDeps,
  countWhile,
  policyOf,
  rateLimitFields,
  tooMany,
} from '../../shared/base/limits/request-limit.ts'
import { accountsPerClient } from '../../shared/base/limits/windows.ts'
import type { System } from '../../shared/base/system.ts'
import type { OpenableEmail } from '../address/address.ts'
import { mayOpen } from '../address/gate.ts'
import { changeOf, mayUndoSetUp } from '../change/changes.ts'
import type { Confirmation } from '../identity/confirmation.ts'
import type { Identity } from '../identity/identity.ts'
import type { IdentityWrites } from '../identity/writes.ts'
import { announce } from '../mail/announcements.ts'
import type { MailQueue } from '../mail/queue.ts'
import { type Account, type IdentifiedAccount, noPassword } from './account.ts'
import type { AccountWrites } from './writes.ts'

export interface Caller {
  clientAddress: string
  /** The `Accept-Language` header. */
  acceptLanguage: string | undefined
  /** The language chosen in the request. */
  language?: string | null
}

export type OpeningDeps = System &
  CountWhileDeps &
  Configured<'languages' | 'mailFrom' | 'secondFactor' | 'signUp' | 'signUpDomains'> & {
    accounts: Pick<AccountWrites, 'find' | 'findIdAt'>
    queueMail: MailQueue
    identities: Pick<IdentityWrites, 'findHolder' | 'open'>
  }

/**
 * Opens an account at the address that a provider has proven: verified, without a password, never an administrator's.
 *
 * @param read the id in the identity's entry as read: null, or of an account that counts as none
 * @returns null after a lost race
 * @throws {DomainError} `provider-email-unverified`, `password-required` when an account has the address, those of `mayOpen`,
 *   `too-many-requests`, those of `spend`, `unavailable`
 */
export async function openByProvider(
  deps: OpeningDeps,
  caller: Caller,
  confirmation: Confirmation,
  key: string,
  read: string | null,
): Promise<Account | null> {
  const { email, isEmailProven } = confirmation.confirmed
  if (email === null || !isEmailProven) throw new DomainError('provider-email-unverified')
  if ((await deps.accounts.findIdAt(email)) !== null) {
    // A parallel first login of the same person may have opened the account.
    const { account } = await deps.identities.findHolder(key)
    if (account !== null) return account
    throw new DomainError('password-required', { members: { email } })
  }
  const openable = mayOpen(deps, email)
  const { name, policy } = accountsPerClient
  const lost = new Error('another first login came first')
  try {
    return await countWhile(deps, name, policyOf(deps, name, policy), caller.clientAddress, async count => {
      if (count?.isRefused) {
        deps.log({ event: 'request-limited', reason: name })
        throw tooMany('new accounts from this remote address', count, rateLimitFields(count))
      }
      const opened = await write(deps, confirmation, { email: openable, key, read, caller })
      if (opened === null) throw lost
      return opened
    })
  } catch (error) {
    if (error === lost) return null
    throw error
  }
}

interface Opening extends Pick<Identity, 'key'> {
  email: OpenableEmail
  caller: Caller
  read: string | null
}

/** Mails the owner an undo link: the provider may have vouched for a stranger. */
async function write(
  deps: OpeningDeps,
  { provider, confirmed, spend }: Confirmation,
  { email, key, read, caller }: Opening,
): Promise<Account | null> {
  const at = deps.now()
  const account: IdentifiedAccount = {
    id: deps.newId(),
    email,
    name: confirmed.name,
    language: saidLanguage(deps.config.languages, {
      lang: caller.language ?? undefined,
      accept: caller.acceptLanguage,
    }),
    passwordHash: noPassword,
    // Whoever registers ADMIN_EMAIL becomes an administrator, and a provider's word must not be enough for that.
    isAdmin: false,
    isVerified: true,
    tokenVersion: 0,
    createdAt: at,
  }
  const { issuer, subject } = confirmed
  const identity: Identity = { key, issuer, subject, email, connectedAt: at }
  await spend()
  const owner = { ...account, factor: null, languageBefore: null, languageUntil: null, changedAt: null }
  const hash = await announce(deps, 'provider-connected', owner, provider.name)
  const change = changeOf(owner, { kind: 'provider', hash, hasLink: mayUndoSetUp(deps, owner) }, at)
  if ((await deps.identities.open(account, { identity, read, change })) !== 'opened') return null
  deps.log({ event: 'registered', provider: provider.id, account_id: account.id })
  return deps.accounts.find(account.id)
}
