import type { Configured } from '../../base/config.ts'
import { type Counters, pseudonym } from '../../base/limits/counters.ts'
import { day, hour, type Policy, windowOf } from '../../base/limits/windows.ts'
import type { Account } from '../account.ts'
import { hashToken } from '../tokens/one-time-token.ts'
import type { LinkMessage, MailMessage, MessageOf, NoticeMessage } from './queue.ts'

/**
 * Caps on mails. Each counts a message once, in the window of its request, however often the queue delivers it: a
 * message that was counted and could then not be stored or sent is still within the cap when it is tried again.
 */

/** Links per kind and address: enough for a person who keeps asking, too few to flood an inbox. */
export const perAddress: Policy = { limit: 5, seconds: hour }

/** Links to one mailbox that anybody can cause, by giving its address one tag after the other: to all variants together. */
export const perVariants: Policy = { limit: 20, seconds: day }

/**
 * The same to its plain address, counted apart: somebody who uses up the variants keeps nobody from using their own
 * address. Each of the two domains of Gmail has a plain address of its own.
 */
export const perPlainAddress: Policy = { limit: 10, seconds: day }

/**
 * Notices of one kind of change to one account, and changes of address that it asks for: more than an owner causes, too
 * few to flood an inbox.
 */
export const perAccount: Policy = { limit: 5, seconds: hour }

type CapDeps = Configured<'rateLimits'> & { counters: Counters }

/** Counts a link against the caps of its address and its mailbox. @returns false when it exceeds one */
export async function countLink(
  deps: CapDeps,
  message: LinkMessage,
  { isVerified }: Pick<Account, 'isVerified'>,
): Promise<boolean> {
  // An undo has a link of its own, which works once.
  if (message.kind === 'undone') return true
  if (message.kind === 'email-change') {
    const subject = `email-change#${message.account_id}`
    if (!(await countIfCapped(deps, subject, perAccount, message))) return false
    // To the mailbox of the new address it is a verification mail.
    return countLink(deps, { ...message, kind: 'verification', email: message.new_email }, { isVerified: false })
  }
  const { kind, email } = message
  // A registration is the first mail to its address, so only its mailbox has others to be counted with.
  const isWithinAddress =
    kind === 'registration' || (await countIfCapped(deps, `mail#${kind}#${pseudonym(email)}`, perAddress, message))
  if (!isWithinAddress) return false
  // Owners of a verified address can always reset their password, whatever others cause.
  if (kind !== 'registration' && kind !== 'verification' && isVerified) return true
  const { mailbox, isPlain } = mailboxOf(email)
  return isPlain
    ? countIfCapped(deps, `plain#${pseudonym(email)}`, perPlainAddress, message)
    : countIfCapped(deps, `variants#${pseudonym(mailbox)}`, perVariants, message)
}

/** Domains of one provider, which ignores dots before the @ (Gmail Help, "Dots don't matter in Gmail addresses"). */
const gmail = ['gmail.com', 'googlemail.com']

/**
 * The mailbox that mail to a canonical address arrives in, and whether the address is its plain one. Mail to the
 * sub-address `bob+shop@example.com` goes to `bob@example.com` (RFC 5233).
 */
export function mailboxOf(email: string): { mailbox: string; isPlain: boolean } {
  const [local = '', domain = ''] = email.split('@')
  const isGmail = gmail.includes(domain)
  const untagged = local.replace(/(?!^)\+.*/, '')
  const plain = isGmail ? untagged.replaceAll('.', '') : untagged
  return { mailbox: `${plain}@${isGmail ? gmail[0] : domain}`, isPlain: local === plain }
}

/** Notices of one deletion, for longer than the queue keeps a message. An account may be restored after that. */
const perDeletion: Policy = { limit: 1, seconds: 2 * day }

/**
 * Counts a notice of a change against the cap of its kind and account. Each kind has a cap of its own: many changes of the
 * password must not use up the notice of a second factor, whose link undoes it. @returns false over the cap
 */
export const countChange = (deps: CapDeps, message: NoticeMessage): Promise<boolean> =>
  countIfCapped(deps, `notice#${message.kind}#${message.account_id}`, perAccount, message)

/** Notices that somebody knows the password of one account. */
export const perKnownPassword: Policy = { limit: 1, seconds: day }

/** Counts such a notice: it is mailed once a day, cap or not. @returns false when another one was mailed that day */
export const countKnownPassword = (deps: CapDeps, message: MessageOf<'password-known'>): Promise<boolean> =>
  countOnce(deps, `known#${message.account_id}`, perKnownPassword, message)

/** Counts a notice of a deletion: it is mailed once, cap or not. @returns false when another one was mailed */
export const countDeletion = (deps: CapDeps, message: MessageOf<'account-deleted'>): Promise<boolean> =>
  countOnce(deps, `deletion#${message.account_id}`, perDeletion, message)

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
  return counters.takeOnce(`${subject}#${index}`, hashToken(token), { limit: policy.limit, resetsAt })
}
