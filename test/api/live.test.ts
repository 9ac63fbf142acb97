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
  const account = { id: 'id', tokenVersion: 0, sessions: [], rememberedClients: [] } as never
  const pending = { secret: '', expiresAt: new Date(), byPasskey: false } as never
  /** A call of each dependency; null without any. */
  const calls: Record<keyof typeof live, null | [Wait, () => Promise<unknown>]> = {
    system: null,
    clients: null,
    providers: null,
    letterWords: null,
    isCommonPassword: null,
    // `keys.test.ts` calls them: their client keeps the first file's address.
    signer: null,
    publicKeys: null,
    factorKey: null,
    rarePublicKeys: null,
    providerSecrets: null,
    accounts: ['DynamoDB', () => live.accounts().find('id')],
    addresses: ['DynamoDB', () => live.addresses().verify(account, new Date())],
    factors: ['DynamoDB', () => live.factors().storePending(account, pending, new Date())],
    identities: ['DynamoDB', () => live.identities().findHolder('key')],
    passkeys: ['DynamoDB', () => live.passkeys().findHolder(hash)],
    passwords: ['DynamoDB', () => live.passwords().replaceHash(account, '', new Date())],
    sessions: ['DynamoDB', () => live.sessions().endAll(account, { mark: '', clients: [] }, new Date())],
    tokens: ['DynamoDB', () => live.tokens().findHolder('reset', hash)],
    counters: ['DynamoDB', () => live.counters().clear('key' as never)],
    grants: ['DynamoDB', () => live.grants().find(hash as never)],
    challenges: ['DynamoDB', () => live.challenges().find(hash as never)],
    queueMail: ['SQS', () => live.queueMail()({} as never, 0)],
    rareQueueMail: ['SQS', () => live.rareQueueMail()({} as never, 0)],
    postponeMail: ['SQS', () => live.postponeMail()('receipt', 5)],
    sendMail: ['SES', () => live.sendMail()('ada@example.com', { subject: '', text: '', html: '' } as never)],
    blocklistNetwork: [
      'blocklist',
      () => live.blocklistNetwork().getText(aws.url, {}, { deadline: 1000, maxBody: 1024 }),
    ],
    providerNetwork: ['provider', () => live.providerNetwork().getJson(aws.url)],
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
