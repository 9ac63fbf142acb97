import { afterAll, describe, expect, test } from 'vitest'
import { createHarness } from '../support/service/harness.ts'
import { type Act, IdentitySystem, type Outcome, type Scene } from './identity-system.ts'

/**
 * Every pair of acts on accounts with identities, in every order: the second happens as a whole before each call of the
 * first to the users table. Each process may die before each of its calls, with a retry; each write is sent twice.
 *
 * The domain's own code runs, over the embedded tables. Operators' commands, with connections of their own, count each
 * of their calls, and conflict with changes of identities.
 */

const harness = createHarness()
const system = new IdentitySystem(harness)

const people = {
  'at home': [
    ...(['connect', 'connect to Bob', 'open', 'disconnect', 'reset', 'reset that keeps', 'undo', 'move'] as const),
    ...(['delete', 'change'] as const),
  ],
  without: ['connect', 'reset', 'undo', 'move', 'delete'],
  moved: ['connect', 'connect to Bob', 'disconnect', 'reset', 'undo the move', 'move', 'delete'],
} satisfies Record<Scene, Act[]>
const operators: readonly Act[] = ['revoke', 'disconnect all', 'move by an operator', 'delete by an operator']

/** Acts that change identities, which operators conflict with. */
const changing: readonly Act[] = ['connect', 'disconnect', 'reset', 'undo', 'undo the move', 'move', 'delete']

/** Changes a DynamoDB request, like code with an omission. */
type Mutation = (write: Write) => void
interface Write {
  Key?: { email?: string }
  Item?: { email?: string }
  ConditionExpression?: string | undefined
  UpdateExpression?: string | undefined
  /** Whether it is left out. */
  isLost?: boolean
}

let runs = 0
afterAll(() => process.stdout.write(`The model of identities has ${runs.toLocaleString('en')} runs.\n`))

/** Changes every write. */
function mutate(mutation: Mutation | undefined, input: object): void {
  const transaction = input as { TransactItems?: Record<string, Write>[] }
  for (const write of transaction.TransactItems?.flatMap(members => Object.values(members)) ?? [input as Write])
    mutation?.(write)
  if (transaction.TransactItems)
    transaction.TransactItems = transaction.TransactItems.filter(members => !Object.values(members).some(w => w.isLost))
}

/** Each of an act's calls to the users table, with another act before it. @returns the outcome, and whether there was that call */
async function interrupted(first: Act, at: number, happens: () => Promise<void>, mutation?: Mutation) {
  let calls = 0
  const run = await system.prepare(first)
  const meet = async (): Promise<void> => {
    calls += 1
    if (calls !== at) return
    harness.beforeCall = (_, __, input) => mutate(mutation, input)
    harness.beforeOperatorCall = () => {}
    await happens()
    hook()
  }
  const hook = () => {
    if (operators.includes(first)) harness.beforeOperatorCall = meet
    else
      harness.beforeCall = async (_, table, input) => {
        mutate(mutation, input)
        if (table === 'Users') await meet()
      }
  }
  hook()
  const outcome = await run()
  Object.assign(harness, { beforeCall: () => {}, beforeOperatorCall: () => {} })
  return { outcome, isReached: calls >= at }
}

/** Both orders of a race: the second before each call of the first. */
async function race(scene: Scene, first: Act, second: Act, mutation?: Mutation): Promise<void> {
  for (let at = 1, isReached = true; isReached; at++) {
    await system.begin(scene)
    const done: { act: Act; outcome: Outcome; endedAt: number }[] = []
    const happens = async () => {
      done.push({ act: second, outcome: await system.act(second), endedAt: system.now })
      harness.advance(1)
    }
    const met = await interrupted(first, at, happens, mutation)
    harness.advance(1)
    done.push({ act: first, outcome: met.outcome, endedAt: system.now })
    isReached = met.isReached
    runs += 1
    await system.check(done).catch(error => {
      const told = done.map(({ act, outcome }) => `${act} ${outcome}`)
      throw new Error(`${error.message}\nafter ${told}, before call ${at} of ${first}`, { cause: error })
    })
  }
}

const died = (): never => {
  throw new Error('the process has died')
}

describe.each(Object.entries(people) as [Scene, Act[]][])('%s', (scene, firsts) => {
  const everybody = [...firsts, ...operators]

  test.each(everybody)('%s meets everybody', async first => {
    const others = operators.includes(first) ? firsts.filter(act => changing.includes(act)) : everybody
    for (const second of others) await race(scene, first, second)
  })

  test.each(everybody)('%s dies before each of its calls, and comes again', async first => {
    for (let at = 1, isReached = true; isReached; at++) {
      await system.begin(scene)
      let isDead = false
      const met = await interrupted(first, at, async () => {
        isDead = true
        Object.assign(harness, { beforeCall: died, beforeOperatorCall: died })
        died()
      })
      isReached = met.isReached
      runs += 1
      const dead = { act: first, outcome: isDead ? ('dead' as const) : met.outcome, endedAt: system.now }
      await system.check([dead])
      const again = await system.act(first)
      harness.advance(1)
      await system.check([dead, { act: first, outcome: again, endedAt: system.now }])
    }
  })

  test.each(everybody)('%s succeeds, also when each of its writes is sent twice', async first => {
    for (const retriesWrites of [false, true]) {
      await system.begin(scene)
      harness.retriesWrites = retriesWrites
      const outcome = await system.act(first)
      harness.retriesWrites = false
      expect(outcome).toBe('done')
      await system.check([{ act: first, outcome, endedAt: system.now }])
    }
  })
})

const isPointer = ({ Key, Item }: Write): boolean => (Key ?? Item)?.email?.startsWith('identity#') === true

/** A condition that always holds, with the same names and values. */
const forgotten =
  (part: RegExp): Mutation =>
  write => {
    if (isPointer(write)) return
    write.ConditionExpression = write.ConditionExpression?.replace(part, held => `(${held} OR attribute_exists(email))`)
  }
const identitiesAsRead = /size\(identities\) = :held(?: AND attribute_exists\(identities\.#identity\d\))*/
const noIdentities = /attribute_not_exists\(identities\)/

test.each<[string, Mutation, Scene, Act, Act, RegExp]>([
  [
    'a deletion without identities as read',
    forgotten(identitiesAsRead),
    'at home',
    'delete',
    'connect',
    /deeply equal/,
  ],
  ['a move without identities as read, at the same moment', sameMoment, 'at home', 'move', 'connect', /deeply equal/],
  [
    'a deletion that does not ask whether there are identities',
    forgotten(noIdentities),
    'without',
    'delete',
    'connect',
    /deeply equal/,
  ],
  ['a reset that does not ask either', forgotten(noIdentities), 'without', 'reset', 'connect', /before logs in/],
  [
    'a connection of any version',
    forgotten(/token_version = :version/),
    'without',
    'connect',
    'reset',
    /before logs in/,
  ],
  [
    'a connection over whoever has the identity',
    write => {
      // As if it had been absent: no value remains.
      if (isPointer(write)) write.ConditionExpression = 'attribute_not_exists(nothing)'
    },
    'at home',
    'connect',
    'connect to Bob',
    /deeply equal/,
  ],
  [
    'a reset that leaves identities',
    write => {
      write.UpdateExpression = write.UpdateExpression?.replace(/, identities\b/, '')
      if (isPointer(write)) write.isLost = true
    },
    'at home',
    'reset',
    'change',
    /before logs in/,
  ],
  [
    'an end without pointers',
    write => {
      if (isPointer(write)) write.isLost = true
    },
    'at home',
    'undo',
    'change',
    /deeply equal/,
  ],
  [
    'a move that no pointer follows',
    write => {
      if (isPointer(write) && write.Item) write.isLost = true
    },
    'at home',
    'move',
    'change',
    /deeply equal/,
  ],
])('%s breaks an invariant', async (_, mutation, scene, first, second, broken) => {
  await expect(race(scene, first, second, mutation)).rejects.toThrow(broken)
})

/** As if two writes had the same time: only the identities differ. */
function sameMoment(write: Write): void {
  forgotten(identitiesAsRead)(write)
  forgotten(/updated_at = :updated/)(write)
}
