import type { Configured } from '../config.ts'
import type { Counters } from '../limits/counters.ts'
import { day, hour, type Policy, windowOf } from '../limits/policy.ts'
import { pseudonym } from '../limits/pseudonym.ts'
import type { Account } from './account.ts'
import type { LinkMessage, NoticeMessage } from './mail-queue.ts'
import { hashToken } from './one-time-token.ts'

/**
 * Caps on mails. Each counts a message once, in the window of its request, however often it is delivered: a message
 * that was counted and then could not be stored or sent still has its place.
 */

/** Links per kind and address: enough for a person who keeps asking, useless for flooding an inbox. */
export const perAddress: Policy = { limit: 5, seconds: hour }

/** Links that anybody can have mailed to one mailbox by giving its address one tag after the other. */
export const perMailbox: Policy = { limit: 20, seconds: day }

/** Notices of changed passwords to one account: more than an owner makes, too few to bury them. */
export const perAccount: Policy = { limit: 5, seconds: hour }

type CapDeps = Configured<'rateLimits'> & { counters: Counters }

/** Takes a place among the links that an address may get. @returns false over a cap */
export async function countLink(
  deps: CapDeps,
  message: LinkMessage,
  { isVerified }: Pick<Account, 'isVerified'>,
): Promise<boolean> {
  const { kind, email } = message
  // A registration opens an account of its own, so its address has no others to be counted with: its mailbox has.
  const isWithinAddress =
    kind === 'registration' || (await countIfCapped(deps, `mail#${kind}#${pseudonym(email)}`, perAddress, message))
  if (!isWithinAddress) return false
  // Whoever has proven that an address is theirs is never denied the way back to their account.
  const isUnasked = kind !== 'reset' || (!isVerified && mailboxOf(email) !== email)
  return !isUnasked || countIfCapped(deps, `mailbox#${pseudonym(mailboxOf(email))}`, perMailbox, message)
}

/** Where a sub-address leads (RFC 5233): `bob+shop@example.com` is in the mailbox of `bob@example.com`. */
export const mailboxOf = (email: string): string => email.replace(/(?!^)\+.*(?=@)/, '')

/** Of a deletion: told once, for longer than the queue keeps a message. An account may be restored after that. */
const perDeletion: Policy = { limit: 1, seconds: 2 * day }

/** Takes a place among the notices that an account may get. A deletion has one, whatever the limits. */
export async function countNotice(deps: CapDeps, message: NoticeMessage): Promise<boolean> {
  const { kind, account_id: id } = message
  return kind === 'password-changed'
    ? countIfCapped(deps, `notice#${id}`, perAccount, message)
    : countOnce(deps, `deletion#${id}`, perDeletion, message)
}

type Counted = Pick<LinkMessage, 'token' | 'requested_at'>

/** Takes a place where there are caps at all: `RATE_LIMITS=off` lifts them. */
const countIfCapped = async (deps: CapDeps, whose: string, policy: Policy, message: Counted): Promise<boolean> =>
  deps.config.rateLimits === null || countOnce(deps, whose, policy, message)

function countOnce(
  { counters }: Pick<CapDeps, 'counters'>,
  whose: string,
  policy: Policy,
  { token, requested_at }: Counted,
): Promise<boolean> {
  const { index, resetsAt } = windowOf(policy, new Date(requested_at))
  return counters.takeOnce(`${whose}#${index}`, hashToken(token), { limit: policy.limit, resetsAt })
}
