import { isDeepStrictEqual } from 'node:util'
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { once } from '../support/once.ts'

/** An item; it is replaced, never changed. */
export type Item = Record<string, unknown>

/** A request that writes one item, alone or in a transaction. */
export interface Write {
  TableName: string
  Key?: { key: string }
  Item?: Item
  ConditionExpression?: string
  UpdateExpression?: string
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Record<string, unknown>
}

/** What DynamoDB answers: as plain data, so that a model can tell what was seen. */
export type Answer = { output: object } | { failed: string; reasons?: { Code: string }[] }

interface Scope {
  item: Item
  names: Record<string, string>
  values: Record<string, unknown>
}

/** A set that shows its members. */
class Members extends Set<unknown> {
  toJSON(): unknown[] {
    return [...this]
  }
}

/**
 * DynamoDB's tables in memory, with the expressions that the service sends. Each call happens at once.
 *
 * A test compares it with the tables of `npm start`.
 */
export class ModelTables {
  readonly items: Map<string, Item>
  /** Transactions that were written, by their request tokens. */
  readonly #done = new Set<string>()
  /** Changes a request, or leaves it out (null): a mutation. @param present the item */
  mutate: (write: Write, present: Item | undefined) => Write | null = write => write
  /** Hears of each item that changes. */
  onChange: (before: Item | undefined, after: Item | undefined) => void = () => {}

  constructor(items: Iterable<readonly [string, Item]> = []) {
    this.items = new Map(items)
  }

  /** @param token the SDK's request token of a transaction */
  perform(command: unknown, token?: string): Answer {
    if (command instanceof GetCommand) {
      const { TableName, Key } = command.input
      return { output: { Item: this.items.get(`${TableName} ${Key?.key}`) } }
    }
    if (command instanceof QueryCommand) {
      const [attribute = ''] = (command.input.KeyConditionExpression ?? '').split(' ')
      const found = [...this.items.values()].filter(
        item => item[attribute] === command.input.ExpressionAttributeValues?.[':value'],
      )
      return { output: { Items: found.map(({ key }) => ({ key })) } }
    }
    if (command instanceof TransactWriteCommand) {
      if (token !== undefined && this.#done.has(token)) return { output: {} }
      const writes = (command.input.TransactItems ?? []).flatMap(kinds =>
        Object.entries(kinds).map(([kind, write]) => [kind, write as Write] as const),
      )
      const keys = writes.map(([, write]) => keyOf(write))
      if (new Set(keys).size < keys.length) throw new Error('a transaction writes an item twice')
      const results = writes.map(([kind, write]) => this.#try(kind, write))
      if (results.some(result => result === null)) {
        const reasons = results.map(result => ({ Code: result === null ? 'ConditionalCheckFailed' : 'None' }))
        return { failed: 'TransactionCanceledException', reasons }
      }
      for (const result of results) result?.()
      if (token !== undefined) this.#done.add(token)
      return { output: {} }
    }
    const kind = command instanceof PutCommand ? 'Put' : command instanceof UpdateCommand ? 'Update' : 'Delete'
    if (!(command instanceof DeleteCommand) && kind === 'Delete') throw new Error('this command is not modelled')
    const { input } = command as unknown as { input: Write }
    const result = this.#try(kind, input)
    if (result === null) return { failed: 'ConditionalCheckFailedException' }
    result()
    return { output: { Attributes: this.items.get(keyOf(input)) } }
  }

  /** @returns makes the change; null when the condition fails */
  #try(kind: string, sent: Write): (() => void) | null {
    const place = keyOf(sent)
    const before = this.items.get(place)
    requireNamed(kind, sent)
    const write = this.mutate({ ...sent }, before)
    if (write === null) return () => {}
    const { ConditionExpression: condition, UpdateExpression: update } = write
    const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = write
    const scope = { item: before ?? {}, names, values }
    if (condition !== undefined && !conditionOf(condition)(scope)) return null
    if (kind === 'ConditionCheck') return () => {}
    const after =
      kind === 'Delete'
        ? undefined
        : kind === 'Put'
          ? write.Item
          : updateOf(update ?? '')({ ...scope, item: before ?? { ...write.Key } })
    return () => {
      if (after) this.items.set(place, after)
      else this.items.delete(place)
      this.onChange(before, after)
    }
  }
}

const keyOf = ({ TableName, Key, Item }: Write): string => `${TableName} ${(Key ?? Item)?.key}`

/** The law of writes: none changes an account without its id in key and condition, none makes one but where there is none. */
function requireNamed(kind: string, { Key, Item, ConditionExpression = '', ExpressionAttributeValues }: Write): void {
  const [, id] = /^account#(.*)/s.exec(String((Key ?? Item)?.key)) ?? []
  if (id === undefined || kind === 'ConditionCheck') return
  const isNamed =
    kind === 'Put'
      ? ConditionExpression === 'attribute_not_exists(id)'
      : /^id = :id(?: AND |$)/.test(ConditionExpression) && ExpressionAttributeValues?.[':id'] === id
  if (!isNamed) throw new Error(`broken: a write names its account: ${kind} ${ConditionExpression}`)
}

// Expressions, each compiled once.

type Compiled<T> = (scope: Scope) => T

const tokensOf = (text: string): string[] => text.match(/[#:\w.]+|<=|>=|<>|[=<>(),+]/g) ?? []

const pathOf =
  (text: string): Compiled<string[]> =>
  ({ names }) =>
    text.split('.').map(part => (part.startsWith('#') ? (names[part] ?? '') : part))

const valueAt = (item: unknown, path: readonly string[]): unknown =>
  path.reduce((at, part) => (at as Item | undefined)?.[part], item)

const sizeOf = (value: unknown): number =>
  value instanceof Set
    ? value.size
    : typeof value === 'string' || Array.isArray(value)
      ? value.length
      : Object.keys(value as object).length

const isComparable = (one: unknown, other: unknown): boolean =>
  typeof one === typeof other && (typeof one === 'string' || typeof one === 'number')

const comparisons: Record<string, (one: unknown, other: unknown) => boolean> = {
  '=': (one, other) => isDeepStrictEqual(one, other),
  '<>': (one, other) => !isDeepStrictEqual(one, other),
  '<': (one, other) => isComparable(one, other) && (one as number) < (other as number),
  '<=': (one, other) => isComparable(one, other) && (one as number) <= (other as number),
  '>': (one, other) => isComparable(one, other) && (one as number) > (other as number),
  '>=': (one, other) => isComparable(one, other) && (one as number) >= (other as number),
}

/** The rest of an expression that is being read. */
class Reader {
  readonly #tokens: string[]

  constructor(text: string) {
    this.#tokens = tokensOf(text)
  }

  get next(): string {
    return this.#tokens[0] ?? ''
  }

  take(expected?: string): string {
    const token = this.#tokens.shift() ?? ''
    if (expected !== undefined && token !== expected) throw new Error(`${token} stands in place of ${expected}`)
    return token
  }

  /** Parts with a separator between them. */
  all<T>(separator: string, read: () => T): T[] {
    const parts = [read()]
    while (this.next === separator) {
      this.take()
      parts.push(read())
    }
    return parts
  }

  arguments(): string[] {
    this.take('(')
    const all = this.all(',', () => this.take())
    this.take(')')
    return all
  }

  operand(): Compiled<unknown> {
    const token = this.take()
    if (token === 'size') {
      const [path = ''] = this.arguments()
      return scope => {
        const value = valueAt(scope.item, pathOf(path)(scope))
        return value === undefined ? undefined : sizeOf(value)
      }
    }
    if (token === 'if_not_exists') {
      const [path = '', value = ''] = this.arguments()
      return scope => valueAt(scope.item, pathOf(path)(scope)) ?? scope.values[value]
    }
    if (token.startsWith(':')) return ({ values }) => values[token]
    return scope => valueAt(scope.item, pathOf(token)(scope))
  }

  any(): Compiled<boolean> {
    const parts = this.all('OR', () => {
      const each = this.all('AND', () => this.#one())
      return (scope: Scope) => each.every(holds => holds(scope))
    })
    return scope => parts.some(holds => holds(scope))
  }

  #one(): Compiled<boolean> {
    if (this.next === '(') {
      this.take('(')
      const inner = this.any()
      this.take(')')
      return inner
    }
    if (/^attribute_|^contains$/.test(this.next)) {
      const name = this.take()
      const [path = '', value = ''] = this.arguments()
      return scope => {
        const found = valueAt(scope.item, pathOf(path)(scope))
        if (name === 'contains') return found instanceof Set && found.has(scope.values[value])
        return (found !== undefined) === (name === 'attribute_exists')
      }
    }
    const one = this.operand()
    const compare = comparisons[this.take()]
    const other = this.operand()
    return scope => compare?.(one(scope), other(scope)) === true
  }
}

const conditionOf = once((text: string): Compiled<boolean> => new Reader(text).any())

/** What an update does at a path: the new value, from that of before. */
type Change = { path: Compiled<string[]>; to: (scope: Scope, before: unknown) => unknown }

const updateOf = once((text: string): Compiled<Item> => {
  const reader = new Reader(text)
  const changes: Change[] = []
  while (reader.next !== '') {
    const clause = reader.take()
    changes.push(
      ...reader.all(',', (): Change => {
        const path = pathOf(reader.take())
        if (clause === 'REMOVE') return { path, to: () => undefined }
        if (clause === 'SET') {
          reader.take('=')
          const terms = reader.all('+', () => reader.operand())
          return {
            path,
            to: scope => {
              const [first, ...more] = terms.map(term => term(scope))
              return more.reduce((sum: unknown, each) => Number(sum) + Number(each), first)
            },
          }
        }
        const name = reader.take()
        return {
          path,
          to: ({ values }, before) => {
            const given = values[name] as Set<unknown>
            const left = new Set(before as Set<unknown> | undefined)
            for (const each of given) clause === 'ADD' ? left.add(each) : left.delete(each)
            return left.size > 0 ? left : undefined
          },
        }
      }),
    )
  }
  return scope => {
    const paths = changes.map(({ path }) => path(scope))
    const isBelow = (one: string[], other: string[]) => one !== other && one.every((part, i) => part === other[i])
    if (paths.some(one => paths.some(other => isBelow(one, other)))) throw new Error(`paths overlap in ${text}`)
    const values = changes.map(({ to }, i) => to(scope, valueAt(scope.item, paths[i] ?? [])))
    return paths.reduce((item, path, i) => withValue(item, path, values[i]), scope.item)
  }
})

/** A copy of an item with another value at a path, which is undefined where there is none. */
function withValue(item: Item | undefined, [first = '', ...rest]: readonly string[], value: unknown): Item {
  if (item === undefined) throw new Error(`a path goes through ${first}, whose map is not there`)
  const { [first]: before, ...others } = item
  const stored = value instanceof Set ? new Members(value) : value
  const after = rest.length > 0 ? withValue(before as Item | undefined, rest, value) : stored
  return after === undefined ? others : { ...others, [first]: after }
}
