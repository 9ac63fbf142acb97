import { describe, expect, test } from 'vitest'
import { type EndpointName, routes } from '../../api/routes.ts'
import { accountKinds } from '../../shared/base/families.ts'
import { endpointNames } from '../support/api/rows.ts'
import { goodRequest, send } from '../support/service/endpoints.ts'
import { createHarness } from '../support/service/harness.ts'
import { expectRefused } from './problem.ts'

/** How often a row sends a change of an account that loses to other writes each time. Other rows send each once. */
const attempts: Partial<Record<EndpointName, number>> = {
  login: 10,
  'provider-login': 10,
  'reset-password': 3,
  'change-password': 3,
  'confirm-email-change': 3,
  undo: 3,
  refresh: 3,
  logout: 3,
  'end-session': 10,
  'confirm-passkey': 3,
  'remove-passkey': 3,
  'disconnect-provider': 3,
  authorize: 3,
  'authorize-session': 3,
  token: 10,
  revoke: 3,
  'logout-browser': 3,
}

const harness = createHarness()

interface Write {
  Key?: { key: string }
  UpdateExpression?: string
  ConditionExpression?: string
}

/** Lets each change of an account lose so many times. @returns how often each was sent */
function loseRaces(times: number): Map<string, number> {
  const sent = new Map<string, number>()
  harness.beforeCall = (command, table, input: Write & { TransactItems?: Record<string, Write>[] }) => {
    if (table !== 'Accounts') return
    const writes = input.TransactItems?.flatMap(write => Object.entries(write)) ?? [[command, input] as const]
    const [, change] =
      writes.find(([kind, { Key }]) => /^(Update|Delete)/.test(kind) && Key?.key.startsWith(accountKinds.Accounts)) ??
      []
    if (!change) return
    const { UpdateExpression: name = 'deletion', ConditionExpression: own = 'attribute_exists(id)' } = change
    const count = (sent.get(name) ?? 0) + 1
    sent.set(name, count)
    if (count <= times) change.ConditionExpression = `(${own}) AND attribute_exists(lost)`
  }
  return sent
}

test.each(endpointNames)(
  '%s gives up a change that loses each race after its attempts, and changes nothing',
  async name => {
    const request = await goodRequest(harness, name)
    const before = await harness.accountItems()
    const sent = loseRaces(Infinity)
    const answer = await send(harness, name, request)
    expect(Math.max(1, ...sent.values())).toBe(attempts[name] ?? 1)
    if (name in attempts) expectRefused(name, answer, 'unavailable')
    const kept = new Map((await harness.accountItems()).map(item => [item.id, item]))
    for (const item of before) expect(kept.get(item.id)).toEqual(item)
  },
)

describe.each(Object.entries(attempts) as [EndpointName, number][])('%s', (name, most) => {
  test(`succeeds at attempt ${most}`, async () => {
    const request = await goodRequest(harness, name)
    loseRaces(most - 1)
    expect((await send(harness, name, request)).status).toBe(routes[name].reply[0])
  })
})
