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
import { shareOf } from '../mail/mailbox.ts'
import { queueDelay } from '../mail/outcomes.ts'
import type { MailQueue } from '../mail/queue.ts'
import { type BreachDeps, hashUnbreached } from '../password/breaches.ts'
import { type CommonPasswords, requireUncommon, requireUnlikeAddress } from '../password/common-passwords.ts'
import { requireLongEnough } from '../password/password.ts'
import { drawToken, oneTimeToken } from '../token/token.ts'
import type { NewAccount } from './account.ts'
import type { UserCreate } from './shapes.ts'
import type { AccountWrites } from './writes.ts'

type OpenDeps = System &
  CountWhileDeps &
  BreachDeps &
  Configured<'adminEmail' | 'bcryptCost' | 'languages' | 'mailFrom' | 'signUp' | 'signUpDomains'> & {
    accounts: Pick<AccountWrites, 'open'>
    queueMail: MailQueue
  }

/**
 * A registration. `Accept-Language` counts where the body names no offered language. `client` is the id of the
 * application that sent the person, if any.
 */
type Person = Omit<UserCreate, 'language' | 'client_id'> &
  Partial<Pick<UserCreate, 'language'>> & { acceptLanguage?: string | undefined; client?: string | undefined }

/**
 * Opens an account and queues the mail with its verification link. The registration counts against its client's limit
 * before the password is hashed; a failed one is uncounted.
 *
 * @throws {DomainError} those of `mayOpen`, `password-too-short`, `password-too-common`, `too-many-requests`, `email-taken`, `unavailable`
 */
export async function openAccount(
  deps: OpenDeps & Configured<'productName'> & { isCommonPassword: CommonPasswords },
  clientAddress: string,
  person: Person,
): Promise<NewAccount> {
  const email = mayOpen(deps, person.email)
  requireLongEnough(person.password)
  requireUncommon(deps, person.password)
  requireUnlikeAddress(deps, person.password, email)
  const { name, policy } = accountsPerClient
  return countWhile(deps, name, policyOf(deps, name, policy), clientAddress, async count => {
    if (!count?.isRefused) return writeAccount(deps, clientAddress, { ...person, email })
    deps.log({ event: 'request-limited', reason: name })
    throw tooMany('new accounts from this remote address', count, rateLimitFields(count))
  })
}

/**
 * The mail is queued before the account is written, so that no account exists whose mail was lost. The worker sends it
 * only after the account holds the token's hash, so that a failed registration mails nothing.
 */
async function writeAccount(
  deps: OpenDeps,
  clientAddress: string,
  { email, password, name, language, acceptLanguage: accept, client }: Person & { email: OpenableEmail },
): Promise<NewAccount> {
  const passwordHash = await hashUnbreached(deps, password)
  const now = deps.now()
  const token = drawToken(deps)
  const account: NewAccount = {
    id: deps.newId(),
    email,
    name,
    // Apps pass on what browsers send: a language that is not offered is no error.
    language: saidLanguage(deps.config.languages, { lang: language ?? undefined, accept }),
    passwordHash,
    isAdmin: email === deps.config.adminEmail,
    isVerified: false,
    tokenVersion: 0,
    createdAt: now,
    verification: oneTimeToken('verification', token, now),
  }
  await shareOf(deps, clientAddress, email, async is_excess => {
    const requested_at = now.getTime()
    if (deps.config.mailFrom !== null) {
      const link = { account_id: account.id, token, requested_at, is_excess, ...(client && { client }) }
      await deps.queueMail({ kind: 'registration', ...link }, queueDelay)
    }
    if (!(await deps.accounts.open(account))) throw new DomainError('email-taken')
  })
  deps.log({ event: 'registered', account_id: account.id })
  return account
}
