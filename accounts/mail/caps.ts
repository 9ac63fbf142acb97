import type { Configured } from '../../shared/base/config.ts'
import { keyIn } from '../../shared/base/families.ts'
import { type Counters, pseudonym } from '../../shared/base/limits/counters.ts'
import { day, hour, type Policy, windowOf } from '../../shared/base/limits/windows.ts'
import type { Account } from '../account/account.ts'
import { hashToken } from '../token/token.ts'
import { mailboxOf } from './mailbox.ts'
import type { LinkMessage, MailMessage, MessageOf, NoticeMessage } from './queue.ts'

/**
 * Caps on mails. Each counts a message once, in the window of its request, however often the queue delivers it: a
 * counted message that could not be stored or sent is within the cap when it is retried.
 */

/** Links per kind and address: enough for a person who keeps asking, too few to flood an inbox. */
export const perAddress: Policy = { limit: 5, seconds: hour }

/** Links to all variants of one mailbox together. Anybody can cause them, by giving its address one tag after the other. */
export const perVariants: Policy = { limit: 20, seconds: day }

/**
 * The same to the plain address, counted apart, so that using up the variants does not block it. Each of Gmail's two
 * domains has a plain address of its own.
 */
export const perPlainAddress: Policy = { limit: 10, seconds: day }

/**
 * Notices of one kind of change to one account, and its requests to change the address: more than an owner causes, too
 * few to flood an inbox.
 */
export const perAccount: Policy = { limit: 5, seconds: hour }

/** Links to new addresses for one account: people mistype an address twice, and no account may mail strangers at will. */
export const newAddresses: Policy = { limit: 10, seconds: day }

type CapDeps = Configured<'rateLimits'> & { counters: Pick<Counters<'Mails'>, 'takeOnce'> }

/** Counts a link against the caps of its address and its mailbox. @returns false when it exceeds one */
export async function countLink(
  deps: CapDeps,
  message: LinkMessage,
  { email, isVerified }: Pick<Account, 'email' | 'isVerified'>,
): Promise<boolean> {
  // Uncapped: an undo link works once, and operators move and invite few accounts.
  if (message.kind === 'undone' || message.kind === 'moved' || message.kind === 'invitation') return true
  // The new address is unverified, whatever the account's is.
  if (message.is_excess && (message.kind === 'email-change' || !isVerified)) return false
  if (message.kind === 'email-change') {
    const subject = `email-change#${message.account_id}`
    if (!(await countIfCapped(deps, subject, perAccount, message))) return false
    if (!(await countIfCapped(deps, `${subject}#day`, newAddresses, message))) return false
    // For the new address's mailbox it is a verification mail.
    const email = message.new_email
    return countLink(deps, { ...message, kind: 'verification', email }, { email, isVerified: false })
  }
  const { kind } = message
  // A registration is the first mail to its address, so it is counted by the mailbox alone.
  const isWithinAddress =
    kind === 'registration' || (await countIfCapped(deps, `address#${kind}#${pseudonym(email)}`, perAddress, message))
  if (!isWithinAddress) return false
  // Owners of a verified address can always reset their password, whatever others cause.
  if (kind !== 'registration' && kind !== 'verification' && isVerified) return true
  const { mailbox, isPlain } = mailboxOf(email)
  return isPlain
    ? countIfCapped(deps, `plain#${pseudonym(email)}`, perPlainAddress, message)
    : countIfCapped(deps, `variants#${pseudonym(mailbox)}`, perVariants, message)
}

/** Notices of one deletion, for longer than the queue keeps a message. The account may be restored after that. */
export const perDeletion: Policy = { limit: 1, seconds: 2 * day }

/**
 * Counts a notice against the cap of its kind and account. The caps are apart: many changes of the password must not
 * use up the notice of a second factor, whose link undoes it. @returns false over the cap
 */
export const countChange = (deps: CapDeps, message: NoticeMessage): Promise<boolean> =>
  countIfCapped(deps, `notice#${message.kind}#${message.account_id}`, perAccount, message)

/** Notices of events that a thief may cause at will. */
export const perThief: Policy = { limit: 1, seconds: day }

/** Counts such a notice: it is mailed once a day, capped or not. @returns false when one was mailed that day */
export const countDaily = (
  deps: CapDeps,
  { kind, account_id, ...message }: MessageOf<'password-known' | 'session-reused'>,
): Promise<boolean> => countOnce(deps, `daily#${kind}#${account_id}`, perThief, message)

/** Counts a notice of a deletion: it is mailed once to each mailbox, capped or not. @returns false when one was mailed */
export const countDeletion = (deps: CapDeps, message: MessageOf<'account-deleted'>): Promise<boolean> =>
  countOnce(deps, `deletion#${message.account_id}#${pseudonym(message.email)}`, perDeletion, message)

type Counted = Pick<MailMessage, 'token' | 'requested_at'>

/** Counts a message, unless `RATE_LIMITS=off` lifts the caps. */
const countIfCapped = async (deps: CapDeps, subject: string, policy: Policy, message: Counted): Promise<boolean> =>
  deps.config.rateLimits === null || countOnce(deps, subject, policy, message)

function countOnce(
  { counters }: Pick<CapDeps, 'counters'>,
  subject: string,
  policy: Policy,
  { token, requested_at }: Counted,
): Promise<boolean> {
  const { index, resetsAt } = windowOf(policy, new Date(requested_at))
  return counters.takeOnce(keyIn('Mails', subject, index), hashToken(token), { limit: policy.limit, resetsAt })
}
