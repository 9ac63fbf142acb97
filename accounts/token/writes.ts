import type { Updating } from '../../shared/base/row.ts'
import type { Account } from '../account/account.ts'
import { type AccountStore, invitedAttribute, tokenItem } from '../account/attributes.ts'
import { pendingEmailAttribute } from '../address/address.ts'
import { type OneTimeToken, type TokenKind, tokenAttributes } from './token.ts'

/** The tokens of mailed links on accounts: an index finds their holder. */
export const tokenWrites = ({ findBy, write }: AccountStore) => ({
  /** The account that holds this token's hash, expired or not. */
  findHolder(kind: TokenKind, hash: string): Promise<Account | null> {
    const { index, hash: attribute } = tokenAttributes[kind]
    return findBy(index, attribute, hash, account => account.tokens[kind].hash === hash)
  },

  /**
   * False when a newer token was requested meanwhile, or the account is gone or has another address. A verification token for the account's
   * own address replaces a pending change of address; false also when the account is verified already. An invitation's
   * token: false also when the invitation has ended, been accepted or been replaced.
   *
   * @param to the address that the token moves the account to
   * @param lists the changes that the mail with a reset link lists, by their hashes
   */
  store(
    kind: TokenKind,
    account: Account,
    token: OneTimeToken,
    now: Date,
    { to, lists = [] }: { to?: string | undefined; lists?: readonly string[] } = {},
  ): Promise<boolean> {
    const { hash, requestedAt } = tokenAttributes[kind]
    const provesOwn = kind === 'verification' && to === undefined
    // After an acceptance it would be a reset link that lives for days.
    const invited = kind === 'reset' ? account.invitedUntil : null
    // The last token may be stored already: the SDK retries a write whose answer was lost.
    const isNewest = [
      `attribute_not_exists(${requestedAt})`,
      `${requestedAt} < :${requestedAt}`,
      `(${hash} = :${hash} AND ${requestedAt} = :${requestedAt})`,
    ]
    return write(account, now, {
      set: {
        ...tokenItem(kind, token),
        ...(to !== undefined && { [pendingEmailAttribute]: to }),
        ...(lists.length > 0 && { password_reset_lists: new Set(lists) }),
      },
      remove: [
        ...(provesOwn ? [pendingEmailAttribute] : []),
        ...(kind === 'reset' && lists.length === 0 ? ['password_reset_lists'] : []),
      ],
      conditions: [
        'email = :email',
        `(${isNewest.join(' OR ')})`,
        ...(provesOwn ? ['is_verified = :false'] : []),
        ...(invited ? [`${invitedAttribute} = :invited`] : []),
      ],
      values: {
        ':email': account.email,
        ...(provesOwn && { ':false': false }),
        ...(invited && { ':invited': invited.toISOString() }),
      },
    })
  },
})

export type TokenWrites = ReturnType<typeof tokenWrites>

/** The lookups of tokens' holders. */
export interface TokenHolders<Kind extends TokenKind = TokenKind> {
  findHolder: (kind: Kind, hash: string) => Promise<Account | null>
}

/** Which AWS action each call takes, as the row's grants name it. */
export interface TokenCalls {
  store: Updating<'links'>
}
