import type { Updating } from '../../shared/base/row.ts'
import type { Account, RememberedClient } from '../account/account.ts'
import {
  type AccountChange,
  type AccountStore,
  invitedAttribute,
  joined,
  takenBy,
  toClients,
  tokenItem,
  withoutPassword,
} from '../account/attributes.ts'
import type { Change } from '../change/change.ts'
import { storeChange, voidLinks } from '../change/changes.ts'
import { type FreeingIdentities, freeIdentities } from '../identity/entries.ts'
import { type Passkey, toPasskeyItems } from '../passkey/passkey.ts'
import { type OneTimeToken, tokenAttributes } from '../token/token.ts'
import { type MovableEmail, pendingEmailAttribute } from './address.ts'
import type { DeletionMarks } from './deletion-marks.ts'
import { type Yielding, yieldsStill } from './yielding.ts'

const { verification, reset } = tokenAttributes

/** A change of an account's address. */
interface Move {
  to: MovableEmail
  /** The hash of the token that was mailed to the new address. */
  hash: string
  /** The clients that the account remembers. */
  clients: readonly RememberedClient[]
  change: Change
}

/** What ends all access to an account, but for what stays, and opens it to the reader of a mailbox. */
interface Takeback {
  /** The address of that mailbox. */
  email: string
  /** The token of the link by which its reader chooses a password. */
  reset: OneTimeToken
  /** The change that this is, which the mailbox that the account leaves is told. */
  change: Change
  /** The id in the entry of the address, as read: null, or of an account that gives way or is not there any more. */
  entry: string | null
  /** The account that gives way, if any. */
  yielding: Yielding | null
}

/** The undoing of a change. */
interface Undoing extends Takeback {
  undone: Change
  /** Whether the second factor stays. */
  keepsFactor: boolean
  /** The passkeys that stay; an empty list, but where a mailbox must not replace them. */
  passkeys: readonly Passkey[]
  /** The language that the account and its notices return to; null keeps the present one. */
  language: string | null
}

/** The writes of addresses: an address leads to its account by an entry, so a change of it is an update with two entries. */
export const addressWrites = (table: AccountStore, marks: DeletionMarks) => {
  /** The writes that lead another address to an account, and mark the one that it leaves. @param read the entry there as read */
  const moveEntry = ({ id, email }: Account, to: string, at: Date, read: string | null = null) => [
    table.lead('Addresses', to, id, read),
    table.free('Addresses', email, id),
    marks.markLeft(email, at),
  ]

  /** The writes of other items that belong to a takeback. */
  async function others(account: Account, { email, entry, yielding }: Takeback, at: Date) {
    const own = await freeIdentities(table, account)
    if (email === account.email) return own
    const moves = account.changes.filter(change => change.email === email).map(({ at }) => at)
    const gone = yielding && [
      table.delete(yielding.account, { version: yielding.account.tokenVersion, ...yieldsStill(yielding) }),
      ...(await freeIdentities(table, yielding.account)),
      marks.markId(yielding.account, at),
    ]
    const unmarked = await marks.unmarkLeft(email, moves)
    return [...own, ...moveEntry(account, email, at, entry), ...unmarked, ...(gone ?? [])]
  }

  /** Common to what takes an account back: nothing that gave access works, and the reset link does. */
  const takesBack = (account: Account, { email, reset: link }: Takeback, at: Date): AccountChange =>
    joined(withoutPassword(account), {
      set: {
        email,
        ...tokenItem('reset', link),
        // The worker drops the links that are on the queue. Never moves the time back: another clock may run ahead.
        [verification.requestedAt]: new Date(
          Math.max(at.getTime(), Number(account.tokens.verification.requestedAt)),
        ).toISOString(),
      },
      raises: true,
      conditions: [
        'email = :from',
        `(attribute_not_exists(${reset.requestedAt}) OR ${reset.requestedAt} <= :${reset.requestedAt})`,
      ],
      values: { ':from': account.email },
    })

  return {
    /** Marks the account as verified. False when it is gone, or its token version has changed. */
    verify(account: Account, now: Date): Promise<boolean> {
      return table.write(account, now, {
        set: { is_verified: true },
        remove: [verification.hash, verification.expires, pendingEmailAttribute],
        version: account.tokenVersion,
      })
    },

    /** Marks the account as verified, and clears the token. False when the account does not hold it, or it has expired. */
    spendToken(account: Account, tokenHash: string, mark: string, now: Date): Promise<boolean> {
      const { hash, expires } = verification
      return table.write(account, now, {
        set: { is_verified: true },
        remove: [hash, expires],
        conditions: [`${hash} = :hash`, `${expires} > :now`, `attribute_not_exists(${pendingEmailAttribute})`],
        values: { ':hash': tokenHash },
        mark: ['email_verified_by', mark],
      })
    },

    /**
     * Changes the address, and ends sessions and links. `lost` when the account is gone, its token version or the link has changed, or
     * another change was dated later; `taken` when another account has the address.
     */
    async move(account: Account, { to, hash, clients, change }: Move, now: Date): Promise<'done' | 'taken' | 'lost'> {
      const taken = takenBy('move')
      const moves: AccountChange = {
        set: { ...taken.set, email: to, is_verified: true, remembered_remotes: toClients(clients) },
        remove: taken.remove.filter(name => name !== 'remembered_remotes'),
        raises: true,
        version: account.tokenVersion,
        conditions: [`${verification.hash} = :hash`, `${verification.expires} > :now`],
        values: { ':hash': hash },
      }
      const refused = await table.together([
        table.change(account, now, joined(moves, storeChange(account, change))),
        ...moveEntry(account, to, change.at),
      ])
      if (refused === null) return 'done'
      return refused[0] ? 'lost' : 'taken'
    },

    /**
     * Undoes a change with all that followed. It asks for its own link on the account, not for the token version, which a thief can
     * raise as fast as he logs in; only passkeys that stay must be as read. Whether an account gave way is judged again by the write.
     */
    async undo(account: Account, undoing: Undoing, now: Date): Promise<boolean> {
      const { undone, keepsFactor, passkeys, language, change } = undoing
      const taken = takenBy(keepsFactor ? 'move' : 'undo')
      const undoes: AccountChange = {
        set: {
          ...taken.set,
          passkeys: toPasskeyItems(passkeys),
          identities: {},
          is_verified: true,
          ...(language !== null && { language }),
        },
        remove: [...taken.remove, ...(language === null ? [] : ['language_before', 'language_until'])],
        ...(passkeys.length > 0 && { version: account.tokenVersion }),
        conditions: ['changes.#undone.#link = :true'],
        names: { '#undone': undone.hash, '#link': 'link' },
        values: { ':true': true },
        isDone: item => change.hash in item.changes,
      }
      const links = voidLinks(account, ({ at }) => at < undone.at, now, change)
      const whole = [takesBack(account, undoing, now), links].reduce(joined, undoes)
      return table.write(account, now, whole, await others(account, undoing, change.at))
    },

    /** Moves an account for an operator, and ends all access and all links. The reset link verifies the address. */
    async moveByOperator(account: Account, takeback: Takeback, now: Date): Promise<boolean> {
      const taken = takenBy('undo')
      const moves: AccountChange = {
        set: { ...taken.set, is_verified: false, reset_verifies: true },
        remove: taken.remove,
        version: account.tokenVersion,
        conditions: [`attribute_not_exists(${invitedAttribute})`, 'is_admin = :false'],
        values: { ':false': false },
      }
      const links = voidLinks(account, () => false, now, takeback.change)
      const whole = [takesBack(account, takeback, now), links].reduce(joined, moves)
      return table.write(account, now, whole, await others(account, takeback, takeback.change.at))
    },
  }
}

export type AddressWrites = ReturnType<typeof addressWrites>

/** Which AWS action each call takes, as the row's grants name it. */
export interface AddressCalls {
  verify: Updating<'links'>
  spendToken: Updating<'links'>
  move: Moving
  undo:
    | Moving
    | Updating<'password' | 'ways in' | 'codes'>
    | 'Accounts:DeleteItem'
    | FreeingIdentities
    | 'DeletionMarks:GetItem'
}
type Moving =
  | Updating<'links' | 'sessions' | 'changes'>
  | `Addresses:${'PutItem' | 'DeleteItem'}`
  | 'DeletionMarks:UpdateItem'
