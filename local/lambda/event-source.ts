import { setTimeout as wait } from 'node:timers/promises'
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import type { AwsReply, AwsRequest } from '../aws/service.ts'
import type { Rest } from '../rest.ts'
import type { MappingDefinition } from '../template/read-stack.ts'
import type { Outcome } from './environment.ts'
import type { Throttled } from './functions.ts'

interface EventSourceParts {
  mapping: MappingDefinition
  region: string
  /** Calls SQS with the consumer's role, as Lambda's poller does. */
  sqs(request: AwsRequest): Promise<AwsReply | null>
  invoke(event: string, signal: AbortSignal): Promise<Outcome | Throttled>
  rest: Pick<Rest, 'mayPoll' | 'runs'>
}

interface Message {
  MessageId: string
  ReceiptHandle: string
  Body: string
  MD5OfBody: string
  Attributes: SQSRecord['attributes']
}

/** Seconds that a poll waits for a message: the maximum (Amazon SQS, "Long polling"). */
const longPoll = 20

/** Milliseconds between retries while the queue does not answer. */
const pause = 1000

/**
 * Lambda's poller of an event source mapping. Each concurrent poller takes a batch, invokes the function, and deletes
 * the handled messages. Others return when their visibility timeout ends.
 *
 * @returns stops polling; messages in progress return after a restart
 */
export function pollQueue({ mapping, region, sqs, invoke, rest }: EventSourceParts): () => void {
  const stopping = new AbortController()
  const { signal } = stopping

  async function call<T>(action: string, input: object): Promise<T> {
    const reply = await sqs({
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
      body: JSON.stringify({ QueueUrl: mapping.queue.url, ...input }),
    })
    if (reply?.status !== 200) throw new Error(`SQS refused ${action}`)
    return JSON.parse(reply.body) as T
  }
  async function poll(): Promise<void> {
    while (!signal.aborted) {
      try {
        const received = await call<{ Messages?: Message[] }>('ReceiveMessage', {
          MaxNumberOfMessages: mapping.batchSize,
          WaitTimeSeconds: longPoll,
          MessageSystemAttributeNames: ['All'],
        })
        if (received.Messages && (await rest.mayPoll()) && !signal.aborted) await rest.runs(deliver(received.Messages))
      } catch {
        await wait(pause, undefined, { signal }).catch(() => {})
      }
    }
  }
  async function deliver(messages: Message[]): Promise<void> {
    const event: SQSEvent = { Records: messages.map(message => recordOf(message, mapping.queue.arn, region)) }
    const outcome = await invoke(JSON.stringify(event), signal)
    if (typeof outcome === 'string' || 'error' in outcome) return
    const failures = mapping.reportsItemFailures ? failuresOf(outcome.payload, messages) : new Set()
    const handled = messages.filter(({ MessageId }) => !failures.has(MessageId))
    await Promise.all(handled.map(({ ReceiptHandle }) => call('DeleteMessage', { ReceiptHandle })))
  }

  // Before it starts, Lambda reads the queue's attributes with the function's role.
  void call('GetQueueAttributes', { AttributeNames: ['All'] }).catch(() => {})
  for (let i = 0; i < mapping.concurrency; i++) void poll()
  return () => stopping.abort()
}

/** A message as Lambda passes it on. No message here has attributes of its own. */
const recordOf = (message: Message, eventSourceARN: string, awsRegion: string): SQSRecord => ({
  messageId: message.MessageId,
  receiptHandle: message.ReceiptHandle,
  body: message.Body,
  attributes: message.Attributes,
  messageAttributes: {},
  md5OfBody: message.MD5OfBody,
  eventSource: 'aws:sqs',
  eventSourceARN,
  awsRegion,
})

/**
 * The messages that a function reports as failed. An invalid report fails them all (AWS Lambda, "Handling errors for an
 * SQS event source", success and failure conditions).
 */
function failuresOf(payload: string, messages: readonly Message[]): Set<string> {
  const all = new Set(messages.map(({ MessageId }) => MessageId))
  const report = JSON.parse(payload) as Partial<SQSBatchResponse> | null
  const failures = report?.batchItemFailures
  if (failures === undefined || failures === null) return new Set()
  if (!Array.isArray(failures)) return all
  const reported = failures.map(({ itemIdentifier }) => itemIdentifier)
  return reported.every(id => all.has(id)) ? new Set(reported) : all
}
