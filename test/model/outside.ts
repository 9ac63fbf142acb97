import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import type { Account } from '../../accounts/account/account.ts'
import { type AccountItem, type AccountStore, toAccount } from '../../accounts/account/attributes.ts'
import { accountStore, type Writes, writesOf } from '../../accounts/account/writes.ts'
import { hashPassword } from '../../accounts/password/hash.ts'
import type { Deps } from '../../api/deps.ts'
import { AccountChanges } from '../../operations/users/account-changes.ts'
import { readConfig } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { requireNoLeak } from '../support/service/log-law.ts'
import { ada } from '../support/service/people.ts'
import { variables } from '../support/stack/variables.ts'
import type { Step } from './explore.ts'
import type { Item, ModelTables, Write } from './tables.ts'

/** Parts of a modelled outside world. */

export const start = Date.parse('2026-03-01T12:00:00Z')

export const clientAddress = '203.0.113.7'

/** Defaults of the settings that a model does not name. */
export const usual = { ...readConfig(variables), bcryptCost: 4 }

/** Of Ada's password. */
export const passwordHash = await hashPassword({ randomBytes: size => Buffer.alloc(size), config: usual }, ada.password)

export const refuse = (): never => {
  throw new DomainError('unavailable')
}

export const unused = (): never => {
  throw new Error('this scenario does not use it')
}

/** A dependency with only these members: any other one throws. */
export const only = <T extends object>(used: Partial<T>): T =>
  new Proxy(used, { get: (target, member) => Reflect.get(target, member) ?? unused }) as T

type Chosen = keyof Writes | 'now' | 'newId' | 'randomBytes' | 'config'

/** What models replace where they use it. A failed signature is equivalent to a write that fails before it begins. */
export const otherDeps: Omit<Deps, Chosen> = {
  ...{ clients: [], providers: [], isCommonPassword: () => false, log: requireNoLeak },
  ...{ grants: only({}), challenges: only({}), counters: only({}), factorKey: only({}), providerSecrets: only({}) },
  ...{ providerNetwork: only({}), blocklistNetwork: only({}), publicKeys: unused as never },
  ...{ queueMail: unused, postponeMail: unused, letterWords: unused, sendMail: unused },
  signer: { keyId: 'key', sign: async () => Buffer.from('signature') },
  // The others' writes happen in between anyway.
  pause: async () => {},
}

/** Only calls that change nothing by themselves. */
export const atOnce: Step = async (_, effect) => effect()

let sent = 0
const keyName = ({ Key, Item }: Write): string => String((Key ?? Item)?.key ?? '').replace(/#.*/s, '')

/**
 * A client of modelled tables: each call is a step.
 *
 * @param acts hears of each call when it happens
 * @param hasNoToken whether transactions have no request token: a mutation
 */
export function clientOf(
  tables: ModelTables,
  step: Step,
  acts: (isTransaction: boolean) => void,
  hasNoToken = false,
): DynamoDBDocumentClient {
  const send = async (command: { input: Write }): Promise<object> => {
    const token = hasNoToken ? undefined : `${++sent}`
    const perform = () => {
      acts(command instanceof TransactWriteCommand)
      return tables.perform(command, token)
    }
    const name = `${command.constructor.name.replace('Command', '')} ${keyName(command.input)}`
    const answer = await step(name, perform, refuse)
    if ('output' in answer) return answer.output
    throw Object.assign(new Error(answer.failed), { name: answer.failed, CancellationReasons: answer.reasons })
  }
  return { send } as unknown as DynamoDBDocumentClient
}

const waiting = { pause: async () => {}, randomBytes: (size: number) => Buffer.alloc(size) }

/** The product's own store, and its writes, by a client. */
export const storeOf = (client: DynamoDBDocumentClient): AccountStore => accountStore(client, 'Accounts', waiting)
export const writesBy = (client: DynamoDBDocumentClient): Writes =>
  writesOf(client, { accounts: 'Accounts', rateLimits: 'RateLimits' }, waiting)

/** The table of an operator who invites. */
export function invitingTable(store: AccountStore) {
  const changes = new AccountChanges(store)
  return {
    find: (email: string) => changes.find(email),
    changeInvitation: (...changed: Parameters<AccountChanges['changeInvitation']>) =>
      changes.changeInvitation(...changed),
    add: async (item: AccountItem) =>
      (await store.together([store.add(item), store.lead('Addresses', item.email, item.id)])) === null,
  }
}

/** Puts an account into the tables, with the entry of its address. */
export function place({ items }: ModelTables, item: AccountItem): void {
  items.set(`Accounts account#${item.id}`, { key: `account#${item.id}`, ...item })
  items.set(`Accounts email#${item.email}`, { key: `email#${item.email}`, id: item.id })
}

/** Items never change. */
const converted = new WeakMap<Item, Account>()
export function accountOf(item: Item): Account {
  const account = converted.get(item) ?? toAccount(item as unknown as AccountItem)
  converted.set(item, account)
  return account
}

/** The accounts in some tables. */
export const accountsIn = ({ items }: ModelTables): Account[] =>
  [...items].flatMap(([place, item]) => (place.startsWith('Accounts account#') ? [accountOf(item)] : []))

/** All items, in the order of their keys. */
export const itemsIn = ({ items }: ModelTables): [string, Item][] =>
  [...items].sort(([one], [other]) => (one < other ? -1 : 1))

/** In an order that does not depend on who was first. */
export const byId = <T extends { id: string }>(some: readonly T[]): T[] =>
  some.toSorted((one, other) => (one.id < other.id ? -1 : 1))

export function invariant(text: string, holds: boolean): void {
  if (!holds) throw new Error(`broken: ${text}`)
}
