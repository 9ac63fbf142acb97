import type { Context } from 'aws-lambda'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { lambda } from '../../api/lambda.ts'
import * as live from '../../api/live.ts'
import { type Wait, waits } from '../../shared/base/system.ts'
import { variables } from '../support/stack/variables.ts'
import { serve } from '../support/web-server.ts'

/** Happens before each answer. */
let beforeAnswer = () => {}
const aws = await serve((_, response) => {
  beforeAnswer()
  response
    .writeHead(400, { 'content-type': 'application/x-amz-json-1.1' })
    .end(JSON.stringify({ __type: 'ValidationException' }))
})
const environment = {
  ...variables,
  ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key', AWS_ENDPOINT_URL: aws.url },
  MAIL_QUEUE_URL: `${aws.url}/queue`,
}
for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
afterAll(async () => {
  vi.unstubAllEnvs()
  await aws.close()
})

describe('a slow request says how long it waited', () => {
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
    beforeAnswer = () => {}
  })

  const hash = 'a'.repeat(43)
  /** A call of each part of the outside world. Of those that make no call, none. */
  const calls: Record<keyof typeof live, null | [Wait, () => Promise<unknown>]> = {
    system: null,
    clients: null,
    providers: null,
    letterWords: null,
    commonPasswords: null,
    bearer: null,
    passwordCheck: null,
    ownerCheck: null,
    // `keys.test.ts` calls them: their client keeps the address of the file that comes first.
    signer: null,
    publicKeys: null,
    factorKey: null,
    rarePublicKeys: null,
    users: ['DynamoDB', () => live.users().accounts.find('ada@example.com' as never)],
    rateLimits: ['DynamoDB', () => live.rateLimits().counters.clear('key' as never)],
    grants: ['DynamoDB', () => live.grants().grants.find(hash as never)],
    challenges: ['DynamoDB', () => live.challenges().challenges.find(hash as never)],
    emailChanges: ['DynamoDB', () => live.emailChanges().emailChanges.find(hash as never)],
    mailQueue: ['SQS', () => live.mailQueue().queueMail({} as never, 0)],
    rareMailQueue: ['SQS', () => live.rareMailQueue().queueMail({} as never, 0)],
    queuedMail: ['SQS', () => live.queuedMail().postponeMail('receipt', 5)],
    mailer: ['SES', () => live.mailer().sendMail('ada@example.com', { subject: '', text: '', html: '' } as never)],
    providerExchange: ['provider', () => live.providerExchange().providerNetwork.getJson(aws.url)],
  }

  test.each(Object.entries(calls).flatMap(([part, call]) => (call ? [[part, ...call] as const] : [])))(
    'for what %s calls: %s',
    async (_, wait, call) => {
      vi.useFakeTimers({ toFake: ['hrtime'] })
      beforeAnswer = () => void vi.advanceTimersByTime(1500)
      const logged = vi.spyOn(console, 'info').mockImplementation(() => {})
      await lambda(
        () => call,
        () => ({}),
      )({}, {} as Context).catch(() => {})
      expect(logged.mock.calls.flat()).toEqual([{ event: 'slow', milliseconds: 1500, [wait]: 1500 }])
    },
  )

  test('for each of what it may wait for', () => {
    const called = Object.values(calls).flatMap(call => (call ? [call[0]] : []))
    expect(new Set([...called, 'KMS', 'hash'])).toEqual(new Set(waits))
  })
})
