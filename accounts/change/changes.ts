import type { Configured } from '../../shared/base/config.ts'
import type { Account } from '../account/account.ts'
import type { AccountChange } from '../account/attributes.ts'
import { formerLanguage } from '../mail/language.ts'
import { type Change, type Guarded, isLiving, setUpOf, toChangeItem } from './change.ts'

/** Changes of one mailbox: more than an owner makes in seven days. With 20 of each of three mailboxes they take 12 KB of the item. */
const mostOfMailbox = 20

/** The time of the next change. */
const nextChangeAt = ({ changedAt }: Pick<Account, 'changedAt'>, now: Date): Date =>
  new Date(Math.max(now.getTime(), Number(changedAt) + 1))

/** A change of an account as it is, in the moment before its write. */
export function changeOf(
  account: Pick<Account, 'email' | 'changedAt' | 'language' | 'languageBefore' | 'languageUntil'>,
  made: Pick<Change, 'kind' | 'hash' | 'hasLink'>,
  now: Date,
): Change {
  const at = nextChangeAt(account, now)
  return { ...made, email: account.email, at, language: formerLanguage(account, at) }
}

/**
 * Whether the mailbox of an account may undo what is set up there: not where a second factor guards the account, or everybody must
 * have one, whose set-up took the mailbox already; nor without mails, which would bring the link.
 */
export const mayUndoSetUp = (
  { config }: Configured<'mailFrom' | 'secondFactor'>,
  { factor }: Pick<Account, 'factor'>,
): boolean => factor === null && config.secondFactor !== 'required' && config.mailFrom !== null

/** The attributes of an account that is opened by a change. */
export const firstChange = (change: Change) => ({
  changes: { [change.hash]: toChangeItem(change) },
  changes_at: change.at.toISOString(),
})

/**
 * The part of a change's own write that stores it. What is too old goes, and of too many of one mailbox one gives way: one without a
 * link first, else the newest, so that no flood of changes takes the oldest link; never the set-up of the factor in force.
 */
export function storeChange(account: Guarded, change: Change): AccountChange {
  const present = [...account.changes.filter(each => isLiving(each, change.at)), change]
  const spared = change.kind === 'factor' ? change : setUpOf(account)
  const ofMailbox = present.filter(({ email }) => email === change.email)
  const mayGo = ofMailbox.filter(each => each !== spared)
  const inTurn = [...mayGo.filter(({ hasLink }) => !hasLink), ...mayGo.filter(({ hasLink }) => hasLink).reverse()]
  const giving = inTurn.slice(0, Math.max(0, ofMailbox.length - mostOfMailbox))
  const isKept = !giving.includes(change)
  const gone = account.changes.filter(each => !present.includes(each) || giving.includes(each))
  const at = change.at.toISOString()
  return {
    set: { changes_at: at },
    assign: isKept ? ['changes.#change = :change'] : [],
    remove: gone.map((_, i) => `changes.#gone${i}`),
    conditions: ['(attribute_not_exists(changes_at) OR changes_at < :changes_at)'],
    values: isKept ? { ':change': toChangeItem(change) } : {},
    names: {
      ...(isKept && { '#change': change.hash }),
      ...Object.fromEntries(gone.map(({ hash }, i) => [`#gone${i}`, hash])),
    },
    // One that gives way at once leaves nothing but its time.
    isDone: item => (isKept ? change.hash in item.changes : item.changes_at === at),
  }
}

/**
 * The part of a write that voids undo links, all but some. That the changes were made stays, so that their owner is still told.
 *
 * @param added a change that this write makes
 */
export function voidLinks(
  account: Pick<Account, 'changes' | 'changedAt'>,
  stays: (change: Change) => boolean,
  now: Date,
  added?: Change,
): AccountChange {
  const { at } = added ?? { at: nextChangeAt(account, now) }
  const present = account.changes
    .filter(change => isLiving(change, now))
    .map(change => ({ ...change, hasLink: change.hasLink && stays(change) }))
  const changes = [...present, ...(added ? [added] : [])].map(change => [change.hash, toChangeItem(change)])
  return { set: { changes: Object.fromEntries(changes), changes_at: at.toISOString() } }
}

/** The condition that no change was made since an account was read. */
export const changesAsRead = ({
  changedAt,
}: Pick<Account, 'changedAt'>): Pick<AccountChange, 'conditions' | 'values'> =>
  changedAt === null
    ? { conditions: ['attribute_not_exists(changes_at)'] }
    : { conditions: ['changes_at = :read_at'], values: { ':read_at': changedAt.toISOString() } }

/**
 * Which links a password reset leaves: those that were mailed to other addresses, whose readers alone have them; and of its own
 * mailbox the set-up of the factor in force, by which an owner removes a thief's app. Who keeps the other
 * logins keeps the links that the mail did not list in place of that.
 */
export const staysAtReset =
  (account: Account, keepsListed: boolean) =>
  (change: Change): boolean => {
    if (change.email !== account.email) return true
    return keepsListed ? !account.resetLists.includes(change.hash) : change === setUpOf(account)
  }
