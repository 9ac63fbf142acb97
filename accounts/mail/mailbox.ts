import { type CountWhileDeps, countWhile, policyOf } from '../../shared/base/limits/request-limit.ts'
import { day, type Policy } from '../../shared/base/limits/windows.ts'

/** Domains of a provider that ignores dots before the @ (Gmail Help, "Dots don't matter in Gmail addresses"). */
const gmail = ['gmail.com', 'googlemail.com']

/**
 * The mailbox of a canonical address, and whether the address is its plain one. Mail to the sub-address
 * `bob+shop@example.com` goes to `bob@example.com` (RFC 5233).
 */
export function mailboxOf(email: string): { mailbox: string; isPlain: boolean } {
  const [local = '', domain = ''] = email.split('@')
  const isGmail = gmail.includes(domain)
  const untagged = local.replace(/(?!^)\+.*/, '')
  const plain = isGmail ? untagged.replaceAll('.', '') : untagged
  return { mailbox: `${plain}@${isGmail ? gmail[0] : domain}`, isPlain: local === plain }
}

/**
 * Links per client and day to an unverified address, or to all variants of one: too few to use up the mailbox's caps
 * (`perPlainAddress`, `perVariants`), so that a client cannot keep newcomers from their mail.
 */
export const perClient: Policy = { limit: 3, seconds: day }

/**
 * Counts a request for a link, by client and mailbox. Nothing is looked up or refused: a link over the limit is
 * flagged, and the worker drops it unless the address is verified. A failed request is uncounted.
 *
 * @param request gets the flag
 */
export const shareOf = <T>(
  deps: CountWhileDeps,
  clientAddress: string,
  email: string,
  request: (isExcess: boolean) => Promise<T>,
): Promise<T> => {
  const { mailbox, isPlain } = mailboxOf(email)
  const subject = `${clientAddress} ${isPlain ? email : `variants of ${mailbox}`}`
  return countWhile(deps, 'share', policyOf(deps, 'share', perClient), subject, count =>
    request(count?.isRefused === true),
  )
}
