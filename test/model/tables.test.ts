import { isDeepStrictEqual } from 'node:util'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeEachOnce } from '../support/once.ts'
import { startTables } from '../support/service/tables.ts'
import { everything } from './account-scenarios.ts'
import { rehearse } from './account-system.ts'
import type { System } from './explore.ts'
import { GrantSystem } from './grant-system.ts'
import { MailSystem } from './mail-system.ts'
import { atOnce } from './outside.ts'
import { SessionSystem } from './session-system.ts'
import { type Answer, ModelTables } from './tables.ts'

/** Whether the model's tables answer as those of `npm start`: to each call of each deed, and of requests of the other models. */

let real: Awaited<ReturnType<typeof startTables>>
let undo: () => void
beforeAll(async () => {
  undo = makeEachOnce()
  real = await startTables()
})
beforeEach(() => real.clear())
afterAll(() => {
  real.close()
  undo()
})

/** Sets and bytes in one form. */
const plain = (value: unknown): unknown => {
  if (value instanceof Set) return [...value].sort()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

const answerOf = (sent: Promise<object>): Promise<Answer> =>
  sent.then(
    output => ({ output }),
    ({ name, CancellationReasons: all }: Error & { CancellationReasons?: { Code: string }[] }) => ({
      failed: name,
      ...(all && { reasons: all.map(({ Code }) => ({ Code })) }),
    }),
  )

/** What a caller reads of an answer. */
const readOf = (answer: Answer): unknown => {
  if (!('output' in answer)) return answer
  const { Item: item, Items: items, Attributes: attributes } = answer.output as Record<string, Record<string, unknown>>
  return plain({ item, keys: items && Object.values(items).map(each => (each as { key: string }).key), attributes })
}

/** Compares the calls that something makes to its tables, with the items that were there. */
async function compare(run: () => Promise<unknown>): Promise<void> {
  const calls: [command: object, answer: Answer][] = []
  const before: [place: string, item: object][] = []
  const { perform } = ModelTables.prototype
  ModelTables.prototype.perform = function (command, token) {
    if (calls.length === 0) before.push(...this.items)
    const answer = perform.call(this, command, token)
    calls.push([command as object, answer])
    return answer
  }
  await run().finally(() => {
    ModelTables.prototype.perform = perform
  })
  for (const [place, item] of before) {
    const [TableName] = place.split(' ')
    await real.db.send(new PutCommand({ TableName, Item: item as never }))
  }
  const isWrite = (command: object) => !/Get|Query/.test(command.constructor.name)
  expect(calls.some(([command]) => isWrite(command))).toBe(true)
  for (const [command, answer] of calls) {
    const found = readOf(await answerOf(real.db.send(command as never)))
    // Of writes only updates that ask for it are answered with the item.
    const { input } = command as { input: { ReturnValues?: string } }
    const told = isWrite(command) && input.ReturnValues === undefined && 'output' in answer ? { output: {} } : answer
    if (!isDeepStrictEqual(found, readOf(told))) expect([command, found]).toEqual([command, readOf(told)])
  }
}

test.each(everything)('tables in memory answer to “%s” as the real ones', act =>
  compare(() => rehearse(['connect', 'forgot-old', act, 'set up an app', 'move-thief', act, 'undo', act])),
)

/** Everybody acts, one after the other: mails are delivered before the next request. */
async function runThrough(system: System): Promise<void> {
  for (let task = system.startable([]).at(-1); task; task = system.startable([]).at(-1)) await task.run(atOnce)
  system.check(true)
}

const verified = { isRegistered: true, isVerified: true }
const byBrowser = { byBrowser: true, isOffline: true }
test.each<[string, () => System]>([
  ['a code that comes twice', () => new GrantSystem({ senders: ['right', 'right'], ...byBrowser })],
  [
    'ends of sessions',
    () => new GrantSystem({ senders: [], acts: ['log out everywhere', 'end browser'], ...byBrowser }),
  ],
  ['refreshes', () => new GrantSystem({ senders: ['right'], isOffline: true, refreshes: true })],
  ['a session', () => new SessionSystem({ tabs: 1, refreshes: 2, ticks: 3, acts: ['change', 'log in'], isFull: true })],
  ['invitations', () => new MailSystem({ requests: ['take back', 'revoke', 'lock', 'invite', 'invite'] })],
  ['a reset', () => new MailSystem({ ...verified, requests: ['change', 'reset'], clicks: 1 })],
  ['a deletion', () => new MailSystem({ isRegistered: true, requests: ['delete', 'reset'], clicks: 1 })],
])('tables in memory answer to %s as the real ones', (_, create) => compare(() => runThrough(create())))
