import type { Configured } from '../base/config.ts'
import { DomainError } from '../base/errors.ts'
import type { Counters } from '../base/limits/counters.ts'
import { countRequest, policyOf, rateLimitFields, tooMany } from '../base/limits/request-limit.ts'
import { accountsPerClient } from '../base/limits/windows.ts'
import { logError } from '../base/log.ts'
import type { System } from '../base/system.ts'
import type { Accounts, NewAccount } from './account.ts'
import { queueDelay } from './mail/outcomes.ts'
import type { MailQueue } from './mail/queue.ts'
import { type CommonPasswords, requireUncommon, requireUnlikeAddress } from './passwords/common-passwords.ts'
import { requireLongEnough } from './passwords/password.ts'
import { hashPassword } from './passwords/password-hash.ts'
import type { UserCreate } from './schemas.ts'
import { drawToken, oneTimeToken } from './tokens/one-time-token.ts'

type CountDeps = Pick<System, 'now' | 'log'> & Configured<'rateLimits'> & { counters: Counters }

type OpenDeps = System &
  Configured<'adminEmail' | 'bcryptCost' | 'mailFrom'> & { accounts: Accounts; queueMail: MailQueue }

/**
 * Opens an account, and queues the mail with its verification link. The account counts against the limit of its client
 * before the password is hashed, and no longer if it is not opened.
 *
 * @throws {DomainError} `password-too-short`, `password-too-common`, `too-many-requests`, `email-taken`, `unavailable`
 */
export async function openAccount(
  deps: OpenDeps & CountDeps & Configured<'passwordBlocklist' | 'productName'> & { isCommonPassword: CommonPasswords },
  clientAddress: string,
  person: UserCreate,
): Promise<NewAccount> {
  requireLongEnough(person.password)
  requireUncommon(deps, person.password)
  requireUnlikeAddress(deps, person.password, person.email)
  const giveBack = await countAccount(deps, clientAddress)
  try {
    return await writeAccount(deps, person)
  } catch (error) {
    await giveBack().catch(cause => logError(deps, cause))
    throw error
  }
}

/** Counts an account against the limit of its client address. @returns a function that takes it back */
async function countAccount(deps: CountDeps, clientAddress: string): Promise<() => Promise<void>> {
  const { name, policy: usual } = accountsPerClient
  const policy = policyOf(deps, name, usual)
  if (policy === null) return async () => {}
  const count = await countRequest(deps, name, policy, clientAddress)
  if (!count.isRefused) return () => deps.counters.giveBack(count.key)
  deps.log({ event: 'request-limited', reason: name })
  throw tooMany('new accounts from this remote address', count, rateLimitFields(count))
}

/**
 * The mail is queued before the account is written, so that no account exists whose mail was lost. The worker sends it
 * only after the account holds the token's hash, so that a failed registration mails nothing.
 */
async function writeAccount(deps: OpenDeps, { email, password, name }: UserCreate): Promise<NewAccount> {
  const passwordHash = await hashPassword(deps, password)
  const now = deps.now()
  const token = drawToken(deps)
  const account: NewAccount = {
    id: deps.newId(),
    email,
    name,
    passwordHash,
    isAdmin: email === deps.config.adminEmail,
    isVerified: false,
    tokenVersion: 0,
    createdAt: now,
    verification: oneTimeToken('verification', token, now),
  }
  if (deps.config.mailFrom !== null) {
    await deps.queueMail({ kind: 'registration', email, token, requested_at: now.getTime() }, queueDelay)
  }
  if (!(await deps.accounts.insert(account))) throw new DomainError('email-taken')
  deps.log({ event: 'registered', account_id: account.id })
  return account
}
