import type { Account } from '../../accounts/account/account.ts'
import { noPassword } from '../../accounts/account/account.ts'
import type { LinkMessage, MailMessage, MessageOf, NoticeMessage } from '../../accounts/mail/queue.ts'
import { hashToken, lifetimes, type TokenKind } from '../../accounts/token/token.ts'
import { invariant } from './outside.ts'

/** `take back` is an operator's deletion. */
export type Request = 'register' | 'change' | 'delete' | 'lock' | 'revoke' | 'invite' | 'take back' | TokenKind

/** The present state, which invariants compare with the past. */
interface Present {
  account: Account | undefined
  queued: readonly MailMessage[]
  workers: number
  isOver: boolean
}

export const kindOf = ({ kind }: LinkMessage): TokenKind =>
  kind === 'reset' || kind === 'invitation' ? 'reset' : 'verification'

/** The history of one address, and its invariants. */
export class MailHistory {
  readonly mailed: LinkMessage[] = []
  /** Mailed notices, with repetitions. */
  readonly #notices: NoticeMessage[] = []
  /** Idempotency tokens of writes that set a password, and ids of deleted accounts: their owners must be told. */
  readonly changedBy: string[] = []
  readonly deleted: string[] = []
  /** Successful requests, whether the account existed then, and how many links had been mailed. */
  readonly promised: { request: Request; at: number; hadAccount: boolean; mailed: number }[] = []
  /** A revocation: its stated time, the time of its write, and the number of tokens spent before. */
  revoked: { at: number; writtenAt: number; spent: number } | null = null
  /** Hashes of spent tokens, and of the accounts' initial tokens. */
  readonly spent: string[] = []
  readonly born: string[] = []
  /** Tokens mailed with the page of an invitation. */
  readonly invitations: string[] = []
  /** The expiries of operators' invitations, in milliseconds, and ids of accounts that they have opened. */
  readonly ends: number[] = []
  readonly invited: string[] = []
  /** Whether a reset has accepted the token of an invitation. */
  hasResetInvitation = false
  /** Ids of accounts locked by an operator. */
  readonly locked: string[] = []

  state(): unknown {
    const { mailed, changedBy, deleted, promised, revoked, spent, born, invitations, ends, invited, locked } = this
    const invitation = [invitations, ends, invited, locked, this.hasResetInvitation]
    return [mailed, this.#notices, changedBy, deleted, promised, revoked, spent, born, invitation]
  }

  /** Records a mail, by its message. @param read the account, as last read for it */
  mail(message: MailMessage | undefined, text: string, read: Account | null): void {
    if (message && isNotice(message)) {
      invariant('no notice holds a token or a link', !text.includes(message.token) && !text.includes('://'))
      this.#notices.push(message)
    } else if (message && message.kind !== 'email-changed' && text.includes(`token=${message.token}`)) {
      invariant('no link is mailed to an account that was seen locked', read?.lockedAt === null)
      this.mailed.push(message as LinkMessage)
      if (text.includes('/invitation?')) this.invitations.push(message.token)
    } else throw new Error('a mail has a link that was never queued')
  }

  check({ account, queued, workers, isOver }: Present): void {
    const births = this.mailed.filter(({ kind }) => kind === 'registration')
    invariant(
      'no mail for a failed registration',
      births.every(({ token }) => this.born.includes(hashToken(token))),
    )

    for (const kind of ['verification', 'reset'] as const) {
      const held = account?.tokens[kind].hash ?? ''
      invariant('no used link comes back to life', !this.spent.includes(held))
      const last = this.mailed.findLast(mail => kindOf(mail) === kind)
      // A change revokes the links mailed before it, and a deletion all of them.
      const isVoided = !account || this.revoked !== null || (kind === 'reset' && account.passwordChangedBy !== null)
      // A request that found an invited account unlocked has stored its link, and was then not mailed.
      const isLocked = this.invited.length > 0 && account?.lockedAt != null
      const isMoot = isVoided || isLocked || (kind === 'verification' && account.isVerified)
      const isLive = !last || [held, ...this.spent].includes(hashToken(last.token)) || isMoot
      if (isOver && workers === 1) invariant('no dead link is mailed last', isLive)
    }
    const links = queued.flatMap(message => (isNotice(message) ? [] : [message as LinkMessage]))
    const first = account && this.invited.includes(account.id) ? 'reset' : 'verification'
    const openings = [...links, ...this.mailed].filter(mail => kindOf(mail) === first)
    const isBarred = account?.lockedAt != null || this.revoked !== null
    invariant('no account without a mail on its way', !account || isBarred || openings.length > 0)
    this.#checkInvitation(account)

    if (account && this.revoked) this.#checkRevocation(account, this.revoked)
    this.#checkNotices(account, isOver)
    if (isOver) this.#checkPromises(account)
  }

  #checkPromises(account: Account | undefined): void {
    for (const { request, at, hadAccount, mailed } of this.promised) {
      if (request === 'change' || request === 'delete') continue
      const kind = request === 'reset' || request === 'invite' ? 'reset' : 'verification'
      // A change revokes queued links too.
      const isVoided = kind === 'reset' && account?.passwordChangedBy != null
      const isBarred = account?.lockedAt != null || (this.revoked !== null && at <= this.revoked.writtenAt)
      // An invitation that operators take back, or end, is mailed no more.
      const isTakenBack = this.invited.length > 0 && (!account || account.invitedUntil?.getTime() === this.revoked?.at)
      const isMoot =
        isTakenBack || !hadAccount || isBarred || isVoided || (kind === 'verification' && account?.isVerified === true)
      // An invitation written while a worker looks at the request is mailed in its place, even if older.
      const isInvitation = request === 'reset' && this.mailed.slice(mailed).some(mail => mail.kind === 'invitation')
      const isServed = isInvitation || this.mailed.some(mail => kindOf(mail) === kind && mail.requested_at >= at)
      invariant('what was promised is mailed, or something newer is', isMoot || isServed)
      const isThere = account !== undefined || this.deleted.length > 0
      invariant('an account that was promised is there', request !== 'register' || isThere)
    }
  }

  #checkInvitation(account: Account | undefined): void {
    invariant('no reset takes an invitation', !this.hasResetInvitation)
    if (!account) return
    const { id, invitedUntil, isVerified, passwordHash, lockedAt, tokens } = account
    const { hash, expiresAt, requestedAt } = tokens.reset
    const lifetime = Number(expiresAt) - Number(requestedAt)
    invariant(
      'a link that resets lives for an hour',
      hash === null || invitedUntil !== null || lifetime === lifetimes.reset,
    )
    const isOfInvitation = invitedUntil === null || hash === null || Number(expiresAt) === invitedUntil.getTime()
    invariant('a link of an invitation ends with it', isOfInvitation)
    invariant('only operators say when an invitation ends', !invitedUntil || this.ends.includes(invitedUntil.getTime()))
    const isOpen = !this.invited.includes(id) || passwordHash === noPassword
    invariant('who accepts has a verified account, and no invitation', isOpen || (isVerified && invitedUntil === null))
    invariant('nothing that people do unlocks an account', !this.locked.includes(id) || lockedAt !== null)
  }

  #checkRevocation(account: Account, revoked: { at: number; spent: number }): void {
    for (const { hash, requestedAt } of Object.values(account.tokens)) {
      invariant('no link of before a revocation works', hash === null || Number(requestedAt) > revoked.at)
    }
    const isReset = this.spent.length > revoked.spent
    invariant('a revoked account has no password but by a later link', account.passwordHash === noPassword || isReset)
  }

  #checkNotices(account: Account | undefined, isOver: boolean): void {
    for (const { kind, token, account_id } of this.#notices) {
      const hasHappened =
        kind === 'account-deleted' ? this.deleted.includes(account_id) : this.changedBy.includes(hashToken(token))
      invariant(
        'an owner of a verified address is told of what happened, and nobody is told of anything else',
        hasHappened,
      )
    }
    const tokensOf = (kind: string) =>
      new Set(this.#notices.filter(notice => notice.kind === kind).map(({ token }) => token))
    invariant('a deletion is told by one message', tokensOf('account-deleted').size <= this.deleted.length)

    if (!isOver) return
    const isTold = (kind: string) => tokensOf(kind).size > 0
    invariant('each deletion is told', this.deleted.length === 0 || isTold('account-deleted'))
    const last = account?.passwordChangedBy
    const isOwed = last && this.changedBy.includes(last)
    invariant(
      'the last change is told',
      !isOwed ||
        [...tokensOf('password-changed'), ...tokensOf('invitation-accepted')].some(token => hashToken(token) === last),
    )
  }
}

type Told = MessageOf<'password-changed' | 'account-deleted' | 'invitation-accepted'>

const isNotice = (message: MailMessage): message is Told =>
  message.kind === 'password-changed' || message.kind === 'account-deleted' || message.kind === 'invitation-accepted'
