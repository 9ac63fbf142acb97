import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { command } from './command-line/command.ts'
import { Progress } from './command-line/long-work.ts'
import { findStack, stackOptions } from './command-line/stack.ts'

/** Seconds that a poll waits for a message. A long poll asks all of SQS's servers (Amazon SQS, "Long polling"). */
const waitSeconds = 2

/** Seconds for which a message that is being moved is hidden from other readers. */
const visibilitySeconds = 60

export const redriveCommand = command({
  summary: 'Puts dead letters back on the mail queue.',
  options: stackOptions,
  details: `First find out why these mails failed, and fix it: the worker tries each of them ten more times. It drops those whose
links have expired. A message is sent before it is deleted, so none is lost. After a failure in between it is on both queues,
and at worst the worker mails the same link twice. Run the command again to continue.`,
  async run(options) {
    const { outputs, client } = findStack(options)
    const sqs = new SQSClient(client)
    const waiting = await count(sqs, outputs.DeadLetters)
    let moved = 0
    const progress = new Progress(() => `${moved} of about ${waiting.visible} moved`)
    try {
      for (;;) {
        const messages = await receive(sqs, outputs.DeadLetters)
        if (messages.length === 0) break
        for (const message of messages) {
          await sqs.send(new SendMessageCommand({ QueueUrl: outputs.MailQueue, MessageBody: message.Body }))
          await sqs.send(
            new DeleteMessageCommand({ QueueUrl: outputs.DeadLetters, ReceiptHandle: message.ReceiptHandle }),
          )
          moved += 1
        }
      }
    } finally {
      progress.end()
      console.log(`${moved} moved`)
    }
    const { held } = await count(sqs, outputs.DeadLetters)
    // SQS's counts are approximate and late (Amazon SQS, "Queue metrics"): this is a hint, not a failure.
    if (held > 0) console.log(`another reader holds about ${held} more; run the command again in a minute`)
    return 0
  },
})

async function receive(sqs: SQSClient, QueueUrl: string): Promise<Message[]> {
  const received = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl,
      // The maximum (Amazon SQS API Reference, ReceiveMessage).
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: waitSeconds,
      VisibilityTimeout: visibilitySeconds,
    }),
  )
  return received.Messages ?? []
}

async function count(sqs: SQSClient, QueueUrl: string): Promise<{ visible: number; held: number }> {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }))
  const [visible, held] = names.map(name => Number(Attributes?.[name] ?? 0))
  return { visible: visible ?? 0, held: held ?? 0 }
}
