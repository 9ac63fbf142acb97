import { setTimeout as wait } from 'node:timers/promises'
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import type { AwsReply, AwsRequest } from '../aws/service.ts'
import type { MappingDefinition } from '../template/definitions.ts'
import type { Outcome } from './environment.ts'

interface EventSourceParts {
  mapping: MappingDefinition
  region: string
  /** SQS as the consumer has it: Lambda polls with its role. */
  sqs(request: AwsRequest): Promise<AwsReply | null>
  invoke(event: string, signal: AbortSignal): Promise<Outcome | 'throttled'>
}

/** A message as SQS hands it out. */
interface Message {
  MessageId: string
  ReceiptHandle: string
  Body: string
  MD5OfBody: string
  Attributes: SQSRecord['attributes']
  MessageAttributes?: Record<string, { StringValue?: string; BinaryValue?: string; DataType: string }>
}

/** Seconds that a poll waits for a message, the most there is (Amazon SQS, "Long polling"). */
const longPoll = 20

/** Milliseconds between tries while the queue does not answer. */
const pause = 1000

/**
 * Lambda's side of an event source mapping: as many pollers as may run at once, each of which takes a batch, invokes
 * the function, and deletes what was handled. What was not comes back when its visibility ends.
 */
export class EventSource {
  readonly #parts: EventSourceParts
  readonly #stopping = new AbortController()

  constructor(parts: EventSourceParts) {
    this.#parts = parts
    // Lambda looks at the queue's attributes with the function's role before it begins.
    void this.#sqs('GetQueueAttributes', { AttributeNames: ['All'] }).catch(() => {})
    for (let i = 0; i < parts.mapping.concurrency; i++) void this.#poll()
  }

  /** Takes no more messages. What is being handled comes back after a restart. */
  stop(): void {
    this.#stopping.abort()
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        const received = await this.#sqs<{ Messages?: Message[] }>('ReceiveMessage', {
          MaxNumberOfMessages: this.#parts.mapping.batchSize,
          WaitTimeSeconds: longPoll,
          MessageSystemAttributeNames: ['All'],
          MessageAttributeNames: ['All'],
        })
        if (received.Messages && !signal.aborted) await this.#deliver(received.Messages)
      } catch {
        await wait(pause, undefined, { signal }).catch(() => {})
      }
    }
  }

  async #deliver(messages: Message[]): Promise<void> {
    const { mapping, region, invoke } = this.#parts
    const event: SQSEvent = { Records: messages.map(message => recordOf(message, mapping.queue.arn, region)) }
    const outcome = await invoke(JSON.stringify(event), this.#stopping.signal)
    if (typeof outcome === 'string' || 'error' in outcome) return
    const failures = mapping.reportsItemFailures ? failuresOf(outcome.payload, messages) : new Set()
    const handled = messages.filter(({ MessageId }) => !failures.has(MessageId))
    await Promise.all(handled.map(({ ReceiptHandle }) => this.#sqs('DeleteMessage', { ReceiptHandle })))
  }

  async #sqs<T>(action: string, input: object): Promise<T> {
    const { mapping, sqs } = this.#parts
    const reply = await sqs({
      method: 'POST',
      path: '/',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `AmazonSQS.${action}`,
      },
      body: JSON.stringify({ QueueUrl: mapping.queue.url, ...input }),
    })
    if (reply?.status !== 200) throw new Error(`SQS refuses ${action}`)
    return JSON.parse(reply.body) as T
  }
}

function recordOf(message: Message, eventSourceARN: string, awsRegion: string): SQSRecord {
  const attributes = Object.entries(message.MessageAttributes ?? {}).map(
    ([name, { StringValue, BinaryValue, DataType }]) => [
      name,
      {
        ...(StringValue !== undefined && { stringValue: StringValue }),
        ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
        stringListValues: [],
        binaryListValues: [],
        dataType: DataType,
      },
    ],
  )
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes,
    messageAttributes: Object.fromEntries(attributes),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN,
    awsRegion,
  }
}

/**
 * The messages that a function reports as failed. A report that makes no sense fails them all
 * (AWS Lambda, "Handling errors for an SQS event source", success and failure conditions).
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
