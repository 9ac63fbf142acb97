import type { SQSRecord } from 'aws-lambda'
import { expect, test } from 'vitest'
import onMailQueued from '../../functions/on-mail-queued.ts'
import { createHarness } from '../support/service/harness.ts'
import { ada, lastMessage, register } from '../support/service/people.ts'

const harness = createHarness()

const record = (messageId: string, body: unknown, sentSecondsAgo = 0): SQSRecord => ({
  messageId,
  receiptHandle: `receipt-${messageId}`,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  attributes: {
    ApproximateReceiveCount: '1',
    SentTimestamp: String(harness.deps.now().getTime() - sentSecondsAgo * 1000),
    SenderId: 'sender',
    ApproximateFirstReceiveTimestamp: String(harness.deps.now().getTime()),
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn',
  awsRegion: 'eu-central-1',
})

const handle = async (...Records: SQSRecord[]) =>
  (await onMailQueued(harness.deps)({ Records })).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)

test('only the failed messages of a batch are delivered again', async () => {
  await register(harness)
  expect(await handle(record('poison', 'not JSON'), record('good', lastMessage(harness)))).toEqual(['poison'])
  expect(harness.mails).toHaveLength(1)
})

const good = {
  kind: 'reset',
  email: ada.email,
  token: 't'.repeat(43),
  requested_at: Date.parse('2026-03-01T12:00:00Z'),
}

const { email: _, ...ofAccount } = { ...good, account_id: '019ca945-0a00-7a77-b6e2-947426bfaef5' }
const registration = { ...ofAccount, kind: 'registration' }

test.each([
  ['no JSON', '{'],
  ['no object', 'null'],
  ['a number', '1'],
  ['an unknown kind', { ...good, kind: 'invoice' }],
  ['no address', { ...good, email: undefined }],
  ['no account', { ...registration, account_id: undefined }],
  ['a token that is no text', { ...good, token: 1 }],
  ['no time', { ...good, requested_at: undefined }],
  ['a time that is no date', { ...good, requested_at: 1e300 }],
  ['a time before all time', { ...good, requested_at: -1 }],
])('a poisoned message (%s) fails, and the log does not quote it', async (_, body) => {
  await register(harness)
  expect(await handle(record('poison', body))).toEqual(['poison'])
  expect(harness.mails).toEqual([])
  expect(JSON.stringify([harness.events, harness.failures])).not.toContain(good.token)
})

test('a registration from before messages named accounts is dropped', async () => {
  await register(harness)
  expect(await handle(record('outdated', { ...good, kind: 'registration' }))).toEqual([])
  expect(harness.mails).toEqual([])
  expect(harness.events.at(-1)).toEqual({ event: 'mail-dropped', reason: 'outdated' })
})

test('a failure of SES fails the message, and its cause is logged', async () => {
  const { token } = await register(harness)
  harness.broken = 'SES'
  expect(await handle(record('a', lastMessage(harness)))).toEqual(['a'])
  expect(harness.failures).toEqual([
    expect.objectContaining({ cause: expect.objectContaining({ message: 'SES is broken' }) }),
  ])
  expect(JSON.stringify(harness.failures)).not.toContain(token)
  harness.broken = null
  expect(await handle(record('a', lastMessage(harness)))).toEqual([])
  expect(harness.mails).toHaveLength(1)
})

/** A registration, queued this many seconds ago, without its account. */
const early = (age: number) => record('early', { ...registration, requested_at: good.requested_at - age * 1000 }, age)

test.each([
  ['comes back after 5 s while register may still be at work', 2, [{ receiptHandle: 'receipt-early', seconds: 5 }]],
  ['comes back more slowly after that', 20, [{ receiptHandle: 'receipt-early', seconds: 15 }]],
])('a registration without its account %s', async (_, age, postponed) => {
  expect(await handle(early(age))).toEqual(['early'])
  expect(harness.postponed).toEqual(postponed)
})

test('a registration’s message is dropped after a minute, before it could become a dead letter', async () => {
  let [age, receives] = [2, 0]
  while (age <= 60) {
    expect(await handle(early(age))).toEqual(['early'])
    age += harness.postponed.at(-1)?.seconds ?? 0
    receives += 1
  }
  expect(await handle(early(age))).toEqual([])
  expect(receives + 1).toBeLessThanOrEqual(10)
})

test('a message that cannot even be postponed is delivered again by its visibility time-out', async () => {
  harness.broken = 'queue'
  expect(await handle(early(0))).toEqual(['early'])
})
