import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { SQSRecord } from 'aws-lambda'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../local/template/template.ts'
import { configOf, idOf, observe, smallStack, until } from '../../support/system/small-stack.ts'

const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] })

/** Seconds until redelivery: enough for a slowly started process on a busy machine to report the first delivery. */
const soon = 3

/** A queue whose consumer reports each record, and then runs `handling`. Times are in seconds. */
async function consume(handling: string, visibility: number, mapping: JsonObject = {}, timeout = 10) {
  const assembly = smallStack(
    {
      consumer: {
        timeout,
        may: [{ Action: 'sqs:*', Resource: arn('Mails') }],
        source: `
          const failed = records => ({ batchItemFailures: records.map(r => ({ itemIdentifier: r.messageId })) })
          const later = ms => new Promise(resolve => setTimeout(resolve, ms))
          exports.handler = async ({ Records }) => {
            for (const record of Records) console.info({ record, size: Records.length, pid: process.pid })
            ${handling}
          }`,
      },
      sender: {
        source: 'exports.handler = async () => null',
        may: [{ Action: 'sqs:*', Resource: [arn('Mails'), arn('Dead')] }],
      },
    },
    {
      Dead: { Type: 'AWS::SQS::Queue', Properties: {} },
      Mails: {
        Type: 'AWS::SQS::Queue',
        Properties: {
          VisibilityTimeout: visibility,
          RedrivePolicy: { deadLetterTargetArn: arn('Dead'), maxReceiveCount: 2 },
        },
      },
      Delivery: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          EventSourceArn: arn('Mails'),
          FunctionName: { Ref: idOf('consumer') },
          BatchSize: 2,
          FunctionResponseTypes: ['ReportBatchItemFailures'],
          ScalingConfig: { MaximumConcurrency: 2 },
          ...mapping,
        },
      },
    },
  )
  const system = await observe(assembly)
  const sqs = new SQSClient(configOf(system, 'sender'))
  const url = (queue: string) => `${system.awsUrl}/000000000000/Gatehouse-${queue}`
  const told = (): { record: SQSRecord; size: number; pid: number }[] =>
    system.lines.map(({ line }) => JSON.parse(line).message).filter(message => message?.record)
  return {
    system,
    told,
    /** Waits for so many records. */
    records: (count: number) => until(() => told().length >= count && told().map(({ record }) => record)),
    /** Waits until so many messages lie on a queue. */
    rest: (queue: string, count: number) => until(() => system.messages(queue).length === count),
    send: (MessageBody: string, DelaySeconds = 0) =>
      sqs.send(new SendMessageCommand({ QueueUrl: url('Mails'), MessageBody, DelaySeconds })),
    receiveDead: () => sqs.send(new ReceiveMessageCommand({ QueueUrl: url('Dead') })),
    [Symbol.asyncDispose]: () => system.stop(),
  }
}

describe.concurrent('an event source mapping', () => {
  test('passes a message on as Lambda does, and deletes it once it is handled', async () => {
    await using queue = await consume('return { batchItemFailures: [] }', 30)
    const before = Date.now()
    const { MessageId } = await queue.send('hello')
    const [record] = await queue.records(1)
    expect(record).toEqual({
      messageId: MessageId,
      receiptHandle: expect.any(String),
      body: 'hello',
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: expect.stringMatching(/^\d{13}$/),
        SenderId: expect.any(String),
        ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
      },
      messageAttributes: {},
      md5OfBody: '5d41402abc4b2a76b9719d911017c592',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:Gatehouse-Mails',
      awsRegion: 'us-east-1',
    })
    expect(Number(record?.attributes.SentTimestamp)).toBeGreaterThanOrEqual(before)
    await queue.rest('Mails', 0)
  })

  test('redelivers only the failed messages of a batch, until they are dead letters', async () => {
    await using queue = await consume('return failed(Records.filter(r => r.body === "bad"))', soon)
    await Promise.all([queue.send('good'), queue.send('bad'), queue.send('fine')])
    await queue.rest('Dead', 1)
    const bodies = (await queue.records(4)).map(({ body }) => body)
    expect(bodies.sort()).toEqual(['bad', 'bad', 'fine', 'good'])
    await queue.rest('Mails', 0)
    const { Messages } = await queue.receiveDead()
    expect(Messages).toMatchObject([{ Body: 'bad' }])
  })

  test.each([
    ['throws', 'throw new Error("no")'],
    ['ends its process', 'process.exit(1)'],
    ['runs out of time', 'await later(5000)', 1],
    ['reports what is not in the batch', 'return { batchItemFailures: [{ itemIdentifier: "other" }] }'],
    ['reports without saying which', 'return { batchItemFailures: [{ itemIdentifier: "" }] }'],
    ['reports in another form', 'return { batchItemFailures: "all" }'],
  ])('redelivers a batch when its function %s', async (_, handling, timeout?: number) => {
    const source = `if (Records[0].attributes.ApproximateReceiveCount === '1') { ${handling} }`
    await using queue = await consume(source, soon, {}, timeout)
    await queue.send('hello')
    const received = (await queue.records(2)).map(({ attributes }) => attributes.ApproximateReceiveCount)
    expect(received.sort()).toEqual(['1', '2'])
    await queue.rest('Mails', 0)
  })

  test.each([
    ['nothing', 'return'],
    ['no report', 'return {}'],
    ['an empty report', 'return { batchItemFailures: null }'],
  ])('counts a batch as handled when its function returns %s', async (_, handling) => {
    await using queue = await consume(handling, 30)
    await queue.send('hello')
    await queue.records(1)
    await queue.rest('Mails', 0)
  })

  test('ignores a report without ReportBatchItemFailures', async () => {
    await using queue = await consume('return failed(Records)', 30, { FunctionResponseTypes: [] })
    await queue.send('hello')
    await queue.records(1)
    await queue.rest('Mails', 0)
    expect(queue.told()).toHaveLength(1)
    expect(queue.system.messages('Dead')).toEqual([])
  })

  test('hands on a delayed message when its delay is over', async () => {
    await using queue = await consume('return', 30)
    const sentAt = Date.now()
    await queue.send('later', 1)
    await queue.records(1)
    expect(Date.now() - sentAt).toBeGreaterThanOrEqual(1000)
  })

  test('handles no more batches at once than MaximumConcurrency, and none larger than BatchSize', async () => {
    await using queue = await consume('await later(50)', 30, { ScalingConfig: { MaximumConcurrency: 1 } })
    await Promise.all(Array.from({ length: 12 }, (_, i) => queue.send(String(i))))
    await queue.records(12)
    expect(Math.max(...queue.told().map(({ size }) => size))).toBe(2)
    expect(new Set(queue.told().map(({ pid }) => pid)).size).toBe(1)
  })

  test('polls a queue again that did not answer', async () => {
    await using queue = await consume('return', 30)
    queue.system.disturb('sqs', { kind: 'failure' }, { action: 'ReceiveMessage', times: 3 })
    await queue.send('hello')
    await queue.records(1)
  })
})
