import { expect } from 'vitest'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import type { Confirmed } from '../../../accounts/identity/exchange.ts'
import type { PointerItem } from '../../../accounts/identity/identity.ts'
import { type Identity, identityKey, pointerPrefix } from '../../../accounts/identity/identity.ts'
import { announceConnection } from '../../../accounts/mail/announcements.ts'
import type { Harness } from './harness.ts'
import { ada, find } from './people.ts'

/** Whether an item of the users table is an account, or else an identity's index entry. */
export const isAccount = ({ email }: Record<string, unknown>): boolean => String(email).includes('@')

/** Identities of people, connected through the store, and the invariants of all stored ones. */

/** A provider's claims about a subject. */
export function identityOf({ deps }: Pick<Harness, 'deps'>, subject: string): Identity {
  const issuer = 'https://provider.example'
  const email = `${subject}@provider.example`
  return { key: identityKey(issuer, subject), issuer, subject, email, connectedAt: deps.now() }
}

/** Connects a subject's identity to an account. @returns it, or null where the account or the index entry has just changed */
export async function connect(harness: Harness, subject: string, email: string = ada.email): Promise<Identity | null> {
  const { identities, now, newId } = harness.deps
  const identity = identityOf(harness, subject)
  const account = await find(harness, email)
  const { pointer } = await identities.findHolder(identity.key)
  const isConnected = await identities.connect(account, { identity, pointer, mark: newId() }, false, now())
  return isConnected && identity
}

/** Connects the identity of a subject to an account, and announces it to the owner. */
export async function connectAnnounced(
  harness: Harness,
  subject: string,
  email: string = ada.email,
): Promise<Identity> {
  const { deps } = harness
  const account = await find(harness, email)
  const mark = await announceConnection(deps, account, 'Example')
  harness.advance(1)
  const identity = identityOf(harness, subject)
  const pointed = { identity, pointer: null, mark }
  expect(await deps.identities.connect(account, pointed, false, deps.now())).toBeTruthy()
  return identity
}

/**
 * Checks the invariants of identities in the users table: no two accounts share one, and an index entry leads to its
 * account or is dangling.
 *
 * @returns the subjects of each account, by its address
 */
export async function subjectsOf(harness: Pick<Harness, 'items'>): Promise<Record<string, string[]>> {
  const items = (await harness.items('Users')) as unknown as (AccountItem | PointerItem)[]
  const isPointer = (item: AccountItem | PointerItem): item is PointerItem => !item.email.includes('@')
  const holders = items.filter(item => !isPointer(item)) as AccountItem[]
  const held = holders.flatMap(({ id, email, identities = {} }) =>
    Object.keys(identities).map(key => ({ email: `${pointerPrefix}${key}`, id, address: email })),
  )
  const byKey = (one: PointerItem, other: PointerItem) => (one.email < other.email ? -1 : 1)
  expect(items.filter(isPointer).sort(byKey)).toEqual(held.sort(byKey))
  // DynamoDB knows an empty map from none.
  expect(holders.filter(({ identities }) => identities && Object.keys(identities).length === 0)).toEqual([])
  return Object.fromEntries(
    holders.map(({ email, identities = {} }) => [
      email,
      Object.values(identities)
        .map(({ subject }) => subject)
        .sort(),
    ]),
  )
}

/** Connects Ada's account to her account at the first of the providers, through the store. */
export async function connected(harness: Harness) {
  const { identities, now, newId } = harness.deps
  const [provider] = harness.providers
  if (provider === undefined) throw new Error('there is no provider')
  const { issuer } = provider
  const identity = { key: identityKey(issuer, 'ada'), issuer, subject: 'ada', email: ada.email, connectedAt: now() }
  const connection = { identity, pointer: null, mark: newId() }
  await identities.connect(await find(harness), connection, false, now())
  const confirmed: Confirmed = {
    provider: provider.id,
    issuer,
    subject: 'ada',
    email: ada.email,
    isEmailProven: true,
    name: 'Ada Lovelace',
    authTime: null,
    claims: provider.require,
  }
  return { identity, confirmed }
}
