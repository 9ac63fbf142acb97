import { expect } from 'vitest'
import type { Account } from '../../../accounts/account/account.ts'
import type { AccountItem } from '../../../accounts/account/attributes.ts'
import { changeOf, mayUndoSetUp } from '../../../accounts/change/changes.ts'
import type { Confirmed } from '../../../accounts/identity/exchange.ts'
import { type Identity, identityKey } from '../../../accounts/identity/identity.ts'
import { announce } from '../../../accounts/mail/announcements.ts'
import { type AccountKind, accountKinds } from '../../../shared/base/families.ts'
import type { Harness } from './harness.ts'
import { ada, find } from './people.ts'

/** Identities of people, connected through the store, and the invariants of all stored ones. */

/** A provider's claims about a subject. */
export function identityOf({ deps }: Pick<Harness, 'deps'>, subject: string): Identity {
  const issuer = 'https://provider.example'
  const email = `${subject}@provider.example`
  return { key: identityKey(issuer, subject), issuer, subject, email, connectedAt: deps.now() }
}

/** A change that connects an identity, as its own write stores it. */
export const connecting = ({ deps }: Pick<Harness, 'deps'>, account: Account, hash: string = deps.newId()) =>
  changeOf(account, { kind: 'provider', hash, hasLink: mayUndoSetUp(deps, account) }, deps.now())

/** Connects a subject's identity to an account. @returns it, or null where the account or the identity's entry has just changed */
export async function connect(harness: Harness, subject: string, email: string = ada.email): Promise<Identity | null> {
  const { identities, now } = harness.deps
  const identity = identityOf(harness, subject)
  const account = await find(harness, email)
  const { read } = await identities.findHolder(identity.key)
  const connection = { identity, read, change: connecting(harness, account) }
  return (await identities.connect(account, connection, false, now())) ? identity : null
}

/** Connects the identity of a subject to an account, and announces it to the owner. */
export async function connectAnnounced(
  harness: Harness,
  subject: string,
  email: string = ada.email,
): Promise<Identity> {
  const { deps } = harness
  const account = await find(harness, email)
  const hash = await announce(deps, 'provider-connected', account, 'Example')
  harness.advance(1)
  const identity = identityOf(harness, subject)
  const connection = { identity, read: null, change: connecting(harness, account, hash) }
  expect(await deps.identities.connect(account, connection, false, deps.now())).toBe(true)
  return identity
}

/**
 * Checks the laws of the table of accounts: each account has exactly one address entry, and each address entry leads to an account
 * whose address it is; no two accounts share an identity, and each that one holds has an entry that leads to it.
 *
 * @returns the subjects of each account, by its address
 */
export async function subjectsOf(harness: Pick<Harness, 'items'>): Promise<Record<string, string[]>> {
  const items = await harness.items('Accounts')
  const ofKind = (kind: AccountKind) =>
    items.flatMap(({ key, ...item }) =>
      String(key).startsWith(accountKinds[kind]) ? [[String(key).slice(accountKinds[kind].length), item] as const] : [],
    )
  const accounts = ofKind('Accounts') as unknown as [id: string, AccountItem][]
  const addresses = Object.fromEntries(accounts.map(([id, { email }]) => [email, { id }]))
  expect(Object.fromEntries(ofKind('Addresses'))).toEqual(addresses)
  const held = accounts.flatMap(([id, { identities }]) => Object.keys(identities).map(key => [key, { id }] as const))
  const known = held.map(([key]) => key)
  expect(new Set(known).size).toBe(known.length)
  expect(Object.fromEntries(ofKind('Identities').filter(([key]) => known.includes(key)))).toEqual(
    Object.fromEntries(held),
  )
  return Object.fromEntries(
    accounts.map(([, { email, identities }]) => [
      email,
      Object.values(identities)
        .map(({ subject }) => subject)
        .sort(),
    ]),
  )
}

/** Connects Ada's account to her account at the first of the providers, through the store. */
export async function connected(harness: Harness) {
  const { identities, now } = harness.deps
  const [provider] = harness.providers
  if (provider === undefined) throw new Error('there is no provider')
  const { issuer } = provider
  const identity = { key: identityKey(issuer, 'ada'), issuer, subject: 'ada', email: ada.email, connectedAt: now() }
  const account = await find(harness)
  await identities.connect(account, { identity, read: null, change: connecting(harness, account) }, false, now())
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
