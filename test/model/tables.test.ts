import { isDeepStrictEqual } from 'node:util'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeEachOnce } from '../support/once.ts'
import { startTables } from '../support/service/tables.ts'
import { everything } from './account-scenarios.ts'
import { rehearse } from './account-system.ts'
import type { Answer } from './tables.ts'

/** Whether the model's tables, on which accounts are explored, answer as those of `npm start`: to each call of each deed. */

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

test.each(everything)('tables in memory answer to “%s” as the real ones', async act => {
  const calls: [command: object, answer: Answer][] = []
  const before: object[] = []
  await rehearse(['connect', 'forgot-old', act, 'set up an app', 'move-thief', act, 'undo', act], ({ tables }) => {
    for (const [place, item] of tables.items) if (place.startsWith('Accounts ')) before.push(item)
    const { perform } = tables
    tables.perform = (command, token) => {
      const answer = perform.call(tables, command, token)
      calls.push([command as object, answer])
      return answer
    }
  })
  for (const item of before) await real.db.send(new PutCommand({ TableName: 'Accounts', Item: item as never }))
  const isWrite = (command: object) => !/Get|Query/.test(command.constructor.name)
  expect(calls.some(([command]) => isWrite(command))).toBe(true)
  for (const [command, answer] of calls) {
    const found = readOf(await answerOf(real.db.send(command as never)))
    // Of writes only updates that ask for it are answered with the item.
    const { input } = command as { input: { ReturnValues?: string } }
    const told = isWrite(command) && input.ReturnValues === undefined && 'output' in answer ? { output: {} } : answer
    if (!isDeepStrictEqual(found, readOf(told))) expect([command, found]).toEqual([command, readOf(told)])
  }
})
