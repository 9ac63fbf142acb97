import type { Configured } from '../../base/config.ts'
import type { System } from '../../base/system.ts'
import type { Account } from '../account.ts'
import { drawToken, hashToken } from '../tokens/one-time-token.ts'
import { countChange, countDeletion, countKnownPassword } from './caps.ts'
import { type DeliveryDeps, drop, dropCapped, mayStillCome, type Outcome, queueDelay, send } from './delivery.ts'
import { type NoticeDetails, type Recipient, writeNotice } from './letters.ts'
import type { MailQueue, MessageOf, NoticeMessage } from './queue.ts'

/**
 * Announces a write to the account's owner; the caller writes right afterwards. The message is queued first, so that no
 * such write goes unannounced. The worker mails only after it sees the write, so that nothing is announced that did not
 * happen. Only verified addresses get notices: any other may belong to somebody else.
 *
 * @returns the mark that the write must leave on the account
 * @throws {DomainError} `unavailable`
 */
export async function announce(
  deps: Pick<System, 'now' | 'randomBytes'> & Configured<'mailFrom'> & { queueMail: MailQueue },
  kind: NoticeMessage['kind'],
  { id, email, isVerified }: Account,
): Promise<string> {
  const token = drawToken(deps)
  if (isVerified && deps.config.mailFrom !== null) {
    await deps.queueMail({ kind, email, account_id: id, token, requested_at: deps.now().getTime() }, queueDelay)
  }
  return hashToken(token)
}

/** The mark that the write of a notice leaves on the account. */
const marks = {
  'password-changed': 'passwordChangedBy',
  'factor-set-up': 'factorSetUpBy',
  'factor-replaced': 'factorChangedBy',
  'factor-removed': 'factorChangedBy',
  'recovery-code-used': 'recoveryCodeUsedBy',
} as const satisfies Partial<Record<NoticeMessage['kind'], keyof Account>>

/** Mails the notice of a change. If the same was changed again meanwhile, only the newest change is mailed. */
export async function tellOfChange(
  deps: DeliveryDeps,
  message: MessageOf<keyof typeof marks>,
  sentAt: Date,
): Promise<Outcome> {
  const { kind, account_id: id, token } = message
  const account = await findOwner(deps, message)
  if (account === null) return drop(deps, 'no-account', id)
  if (account[marks[kind]] !== hashToken(token)) return waitFor(deps, message, sentAt)
  if (!account.isVerified) return drop(deps, 'unverified', id)
  if (!(await countChange(deps, message))) return dropCapped(deps, id)
  return tell(deps, message, account, { codesLeft: account.factor?.recoveryCodes.length ?? 0 })
}

/** Mails that somebody without the second factor knows the password, once a day (ASVS 6.3.5). */
export async function tellOfKnownPassword(deps: DeliveryDeps, message: MessageOf<'password-known'>): Promise<Outcome> {
  const { account_id: id } = message
  const account = await findOwner(deps, message)
  if (account === null) return drop(deps, 'no-account', id)
  if (!account.isVerified) return drop(deps, 'unverified', id)
  return (await countKnownPassword(deps, message)) ? tell(deps, message, account) : dropCapped(deps, id)
}

/** Mails the notice of a deletion, once, however many requests asked for it. */
export async function tellOfDeletion(
  deps: DeliveryDeps,
  message: MessageOf<'account-deleted'>,
  sentAt: Date,
): Promise<Outcome> {
  const { account_id: id, email } = message
  if ((await findOwner(deps, message)) !== null) return waitFor(deps, message, sentAt)
  if (!(await countDeletion(deps, message))) return dropCapped(deps, id)
  return tell(deps, message, { email, name: null, isVerified: true })
}

async function findOwner(deps: DeliveryDeps, { email, account_id: id }: NoticeMessage): Promise<Account | null> {
  const holder = await deps.accounts.find(email)
  return holder?.id === id ? holder : null
}

/** What becomes of a notice whose write has not happened. */
const waitFor = (deps: DeliveryDeps, { account_id: id }: NoticeMessage, sentAt: Date): Outcome =>
  mayStillCome(deps, sentAt) ? 'early' : drop(deps, 'not-done', id)

/** What happened came right after the message, or right before it. */
const tell = (
  deps: DeliveryDeps,
  { kind, email, account_id: id, requested_at }: NoticeMessage,
  owner: Recipient,
  details?: NoticeDetails,
): Promise<Outcome> => send(deps, email, writeNotice(kind, owner, new Date(requested_at), deps.config, details), id)
