import { type CountWhileDeps, countWhile, policyOf } from '../../shared/base/limits/request-limit.ts'
import { day, type Policy } from '../../shared/base/limits/windows.ts'

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

/**
 * Links that one client causes in a day to an unverified address, or to all variants of one together: too few to use up
 * what the mailbox gets (`perPlainAddress`, `perVariants`), so that no single client keeps a newcomer from their mail.
 */
export const perClient: Policy = { limit: 3, seconds: day }

/**
 * Counts a request for a link, by client and mailbox. Nothing is looked up and nobody is refused: a link beyond the limit
 * is marked, and the worker drops it unless the address is verified. A request that fails is not counted.
 *
 * @param request gets the mark
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
