import type { Write } from '../../shared/aws/transactions.ts'
import type { Account } from '../account/account.ts'
import type { AccountStore } from '../account/attributes.ts'
import type { Identity } from './identity.ts'

/** An account and its identities, as read. */
type Holder = Pick<Account, 'id'> & { identities: readonly Pick<Identity, 'key'>[] }

/**
 * The writes that free an account's identities, for the transaction that removes them from it. An entry that leads to another
 * account is left alone; one that is connected in between stays behind and counts as none.
 */
export const freeIdentities = async (
  { findEntry, free }: Pick<AccountStore, 'findEntry' | 'free'>,
  { id, identities }: Holder,
): Promise<Write[]> => {
  const leading = await Promise.all(identities.map(async ({ key }) => (await findEntry('Identities', key)) === id))
  return identities.filter((_, i) => leading[i]).map(({ key }) => free('Identities', key, id))
}

/** The calls of that, and of its transaction. */
export type FreeingIdentities = `Identities:${'GetItem' | 'DeleteItem'}`

/**
 * The writes that lead an identity to an account. Over an entry that leads to another one, only while that still counts as none: it may
 * connect the identity again at this moment, and its entry looks the same then.
 *
 * @param read the id in the entry as read: null, or of an account that counts as none
 */
export const leadIdentity = (
  { lead, lacks }: Pick<AccountStore, 'lead' | 'lacks'>,
  id: string,
  key: string,
  read: string | null,
): Write[] => [
  lead('Identities', key, id, read),
  ...(read === null || read === id ? [] : [lacks(read, 'identities.#identity', { '#identity': key })]),
]

export type LeadingIdentity = 'Identities:PutItem' | 'Accounts:ConditionCheckItem'
