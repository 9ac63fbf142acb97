import * as v from 'valibot'
import type { CountWhileDeps } from '../../shared/base/limits/request-limit.ts'
import type { System } from '../../shared/base/system.ts'
import { drawToken, type Lifetime, type TokenKind } from '../token/token.ts'
import { shareOf } from './mailbox.ts'
import type { LinkKind } from './words.ts'

/** Milliseconds since the epoch, within what a `Date` can hold. */
const Moment = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8.64e15))

/** What every message has. */
const common = {
  email: v.string(),
  token: v.string(),
  /** Expiry counts from here. */
  requested_at: Moment,
}

/** Of links to an address that anybody can name. */
const asked = {
  /** Beyond what one client may cause (`mailbox.ts`): dropped unless the address is verified. */
  is_excess: v.optional(v.boolean()),
}

/** Of links that are asked for on the way to an application. */
const onTheWay = {
  ...asked,
  /** The client's id. Its page leads on to there. */
  client: v.optional(v.string()),
}

/** Of what happened to an account with a verified address. */
const notice = {
  account_id: v.string(),
  /** Its name then: the account may be gone when the mail is written. */
  name: v.optional(v.nullable(v.string())),
  /** The language of its notices then, likewise; absent where it chose none. */
  language: v.optional(v.string()),
}

const message = <K extends string, M extends v.ObjectEntries>(kind: K, members: M) =>
  v.object({ kind: v.literal(kind), ...common, ...members })

/**
 * A message of the mail queue, by kind.
 *
 * A request to mail a link carries the token, so that a redelivery mails the same link:
 * - `registration`: the write of the account stores the token, and the worker waits for it. It counts against the cap of
 *   its mailbox alone.
 * - `undone`: the same for a reset link, which comes with the undoing of a change. It counts against no cap.
 * - `moved`: the same for an account that an operator moved to this address.
 * - `invitation`: the same for an account that an operator opened, or invites once more.
 * - `verification`, `reset`, `email-change` (to the new address): the worker stores the token, so that the request looks
 *   nothing up and reveals nothing. To an account that is invited `reset` mails an invitation.
 * - `second-factor`: the worker stores the token's hash beside the counters. Only a right password causes one.
 *
 * A notice tells an owner about a write. The worker waits until it has happened:
 * - `password-changed`, `invitation-accepted`: the write stores the token's hash on the account.
 * - `account-deleted`: the account is gone.
 * - `factor-set-up`, `factor-replaced`, `factor-removed`, `recovery-code-used`, `passkey-added`, `passkey-removed`,
 *   `provider-connected`, `provider-disconnected`: as `password-changed`, each with a mark of its own (`account.ts`). The notice
 *   of a first factor, or of a passkey or provider that no factor guards, has an undo link, whatever became of the account since.
 * - `password-known`: somebody who does not have the second factor has the password. There is no write to wait for.
 * - `session-reused`: the session is gone.
 * - `email-changed`, to the old address: the write leaves the token's hash as its mark, for eight days. `set_up_by` is the
 *   mark of the second factor that the account has.
 * - `change-undone`, to the address that an undo leaves, and `moved-by-operator` likewise.
 */
export const MailMessage = v.variant('kind', [
  message('registration', onTheWay),
  message('verification', onTheWay),
  message('reset', onTheWay),
  message('second-factor', { ...asked, account_id: v.string() }),
  message('password-changed', notice),
  message('invitation-accepted', notice),
  message('account-deleted', notice),
  message('factor-set-up', { ...notice, token_version: v.number() }),
  message('factor-replaced', notice),
  message('factor-removed', notice),
  message('passkey-added', { ...notice, token_version: v.number(), is_undoable: v.boolean() }),
  message('passkey-removed', notice),
  message('provider-connected', {
    ...notice,
    provider: v.string(),
    token_version: v.number(),
    is_undoable: v.boolean(),
  }),
  message('provider-disconnected', { ...notice, provider: v.string() }),
  message('recovery-code-used', notice),
  message('password-known', notice),
  message('session-reused', { ...notice, session_id: v.string() }),
  message('email-change', { ...asked, account_id: v.string(), new_email: v.string() }),
  message('email-changed', {
    ...notice,
    new_email: v.string(),
    is_undoable: v.boolean(),
    set_up_by: v.optional(v.string()),
  }),
  message('change-undone', { ...notice, new_email: v.string() }),
  message('undone', { account_id: v.string() }),
  message('moved', { account_id: v.string() }),
  message('invitation', { account_id: v.string() }),
  message('moved-by-operator', notice),
])
export type MailMessage = v.InferOutput<typeof MailMessage>

/** The messages of some kinds. */
export type MessageOf<K extends MailMessage['kind']> = Extract<MailMessage, { kind: K }>

/** A link that is mailed. */
export interface Link {
  /** The account's token that it carries; null where its hash stands beside the counters. */
  token: TokenKind | null
  letter: LinkKind
  /** The path of its page. */
  page: string
  lifetime: Lifetime
  /** Whether the write that its message waits for stores its token. */
  isAwaited: boolean
}

/** What each message that mails a link leads to. */
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

/** The pages that mails lead to: those of links, and the one that undoes what a notice tells of. */
export const linkPages = (): string[] => [...new Set(Object.values(links).map(({ page }) => page)), 'undo']

export type LinkMessage = MessageOf<keyof typeof links>
export type NoticeMessage = Exclude<MailMessage, LinkMessage>

export const isLink = (message: MailMessage): message is LinkMessage => message.kind in links

/** Puts a message on the queue. @param delaySeconds how long the queue holds it back, 0 to 900 */
export type MailQueue = (message: MailMessage, delaySeconds: number) => Promise<void>

/** Makes the queue deliver a message again. @param seconds how long it waits */
export type PostponeMail = (receiptHandle: string, seconds: number) => Promise<void>

/**
 * Puts a request for a link on the queue. Only the worker finds out whether there is an account for it.
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
