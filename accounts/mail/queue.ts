import * as v from 'valibot'
import type { CountWhileDeps } from '../../shared/base/limits/request-limit.ts'
import type { System } from '../../shared/base/system.ts'
import { drawToken, type Lifetime, type TokenKind } from '../token/token.ts'
import { shareOf } from './mailbox.ts'
import type { LinkKind } from './words.ts'

/** Milliseconds since the epoch, within what a `Date` can hold. */
const Moment = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8.64e15))

/** Members of every message. */
const common = {
  token: v.string(),
  /** Expiry counts from this time. */
  requested_at: Moment,
}

/** Of links that a stranger can cause. */
const asked = {
  /** Over the limit of a client (`mailbox.ts`): dropped unless the address is verified. */
  is_excess: v.optional(v.boolean()),
}

/** Of links to the owner of an account. */
const owned = { account_id: v.string() }

/** Of links requested on the way to an application. */
const onTheWay = {
  ...asked,
  /** The client's id, which the link's page leads on to. */
  client: v.optional(v.string()),
}

/** Of events of an account with a verified address. */
const notice = {
  account_id: v.string(),
  /** The mailbox that is told: the account's then, wherever the account is by now. */
  email: v.string(),
  /** Its name then: the account may be deleted before the mail is written. */
  name: v.optional(v.nullable(v.string())),
  /** The language of its notices then, for the same reason; absent without one. */
  language: v.optional(v.string()),
}

const message = <K extends string, M extends v.ObjectEntries>(kind: K, members: M) =>
  v.object({ kind: v.literal(kind), ...common, ...members })

/**
 * A message of the mail queue, by kind. What is asked for by a typed address has `email`, all else the account's id.
 *
 * A request to mail a link carries the token, so that every delivery mails the same link:
 * - `registration`: the account's write stores the token, and the worker waits for it. It counts against the cap of its mailbox alone.
 * - `undone`: the same for the reset link of an undo. Uncapped.
 * - `moved`: the same for an account that an operator moved to this address.
 * - `invitation`: the same for an account that an operator opened, or invites again.
 * - `verification`, `reset`, `email-change` (to the new address): the worker stores the token, so that the request
 *   looks nothing up and reveals nothing. For an invited account `reset` mails an invitation.
 * - `second-factor`: the worker stores the token's hash beside the counters. Only a right password causes one.
 *
 * A notice tells an owner about a write. The worker waits until it has happened:
 * - `password-changed`, `invitation-accepted`: the write stores the token's hash on the account.
 * - `account-deleted`: the account is gone.
 *   One to the mailbox of an undo link is mailed only where nobody else has that address by then.
 * - `factor-replaced`, `factor-removed`, `recovery-code-used`, `passkey-removed`, `provider-disconnected`: as `password-changed`, each
 *   with its own idempotency token (`account.ts`).
 * - `factor-set-up`, `passkey-added`, `provider-connected`, `email-changed` (to the old address), `change-undone` (to the address that
 *   an undo leaves) and `moved-by-operator` likewise: the account's `changes` have the token's hash, and say whether there is an undo
 *   link.
 * - `password-known`: somebody without the second factor has the password. There is no write to wait for.
 * - `session-reused`: the session is gone.
 */
export const MailMessage = v.variant('kind', [
  message('registration', { ...onTheWay, ...owned }),
  message('verification', { ...onTheWay, email: v.string() }),
  message('reset', { ...onTheWay, email: v.string() }),
  message('second-factor', { ...asked, ...owned }),
  message('password-changed', notice),
  message('invitation-accepted', notice),
  message('account-deleted', { ...notice, is_former: v.optional(v.literal(true)) }),
  message('factor-set-up', notice),
  message('factor-replaced', notice),
  message('factor-removed', notice),
  message('passkey-added', notice),
  message('passkey-removed', notice),
  message('provider-connected', { ...notice, provider: v.string() }),
  message('provider-disconnected', { ...notice, provider: v.string() }),
  message('recovery-code-used', notice),
  message('password-known', notice),
  message('session-reused', { ...notice, session_id: v.string() }),
  message('email-change', { ...asked, ...owned, new_email: v.string() }),
  message('email-changed', { ...notice, new_email: v.string() }),
  message('change-undone', { ...notice, new_email: v.string() }),
  message('undone', { ...owned, had_invitation: v.optional(v.literal(true)) }),
  message('moved', owned),
  message('invitation', owned),
  message('moved-by-operator', notice),
])
export type MailMessage = v.InferOutput<typeof MailMessage>

/** A registration of 0.4.0, which named no account. */
export const OutdatedMessage = v.object({
  kind: v.literal('registration'),
  email: v.string(),
  account_id: v.optional(v.undefined()),
})

/** The messages of some kinds. */
export type MessageOf<K extends MailMessage['kind']> = Extract<MailMessage, { kind: K }>

/** A link that is mailed. */
export interface Link {
  /** The account's token in the link; null where its hash is stored beside the counters. */
  token: TokenKind | null
  letter: LinkKind
  /** The path of its page. */
  page: string
  lifetime: Lifetime
  /** Whether the write that its message waits for stores its token. */
  isAwaited: boolean
}

/** The link of each message that mails one. */
export const links = {
  registration: {
    token: 'verification',
    letter: 'verification',
    page: 'verify-email',
    lifetime: 'verification',
    isAwaited: true,
  },
  verification: {
    token: 'verification',
    letter: 'verification',
    page: 'verify-email',
    lifetime: 'verification',
    isAwaited: false,
  },
  'email-change': {
    token: 'verification',
    letter: 'email-change',
    page: 'change-email',
    lifetime: 'verification',
    isAwaited: false,
  },
  reset: { token: 'reset', letter: 'reset', page: 'reset-password', lifetime: 'reset', isAwaited: false },
  undone: { token: 'reset', letter: 'undone', page: 'reset-password', lifetime: 'reset', isAwaited: true },
  moved: { token: 'reset', letter: 'moved', page: 'reset-password', lifetime: 'reset', isAwaited: true },
  invitation: { token: 'reset', letter: 'invitation', page: 'invitation', lifetime: 'invitation', isAwaited: true },
  'second-factor': {
    token: null,
    letter: 'second-factor',
    page: 'second-factor',
    lifetime: 'second-factor',
    isAwaited: false,
  },
} as const satisfies Partial<Record<MailMessage['kind'], Link>>

/** The pages of links in mails: those of `links`, and the page that undoes the subject of a notice. */
export const linkPages = (): string[] => [...new Set(Object.values(links).map(({ page }) => page)), 'undo']

export type LinkMessage = MessageOf<keyof typeof links>
export type NoticeMessage = Exclude<MailMessage, LinkMessage>

export const isLink = (message: MailMessage): message is LinkMessage => message.kind in links

/** Puts a message on the queue. @param delaySeconds how long the queue holds it back, 0 to 900 */
export type MailQueue = (message: MailMessage, delaySeconds: number) => Promise<void>

/** Makes the queue redeliver a message. @param seconds until then */
export type PostponeMail = (receiptHandle: string, seconds: number) => Promise<void>

/**
 * Queues a request for a link. Only the worker finds out whether it has an account.
 *
 * @param client the id of the application that sent the person, if one did
 * @throws {DomainError} `unavailable`
 */
export async function requestMail(
  deps: Pick<System, 'randomBytes'> & CountWhileDeps & { queueMail: MailQueue },
  clientAddress: string,
  kind: TokenKind,
  email: string,
  client?: string,
): Promise<void> {
  const requested_at = deps.now().getTime()
  await shareOf(deps, clientAddress, email, is_excess =>
    deps.queueMail({ kind, email, token: drawToken(deps), requested_at, is_excess, ...(client && { client }) }, 0),
  )
  deps.log({ event: kind === 'reset' ? 'reset-requested' : 'verification-requested' })
}
