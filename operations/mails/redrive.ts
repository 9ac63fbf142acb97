import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { command } from '../command-line/command.ts'
import { Progress } from '../command-line/progress.ts'
import { findStack, stackOptions } from '../command-line/stack.ts'

/** Seconds that a poll waits for a letter. A long poll asks all of SQS's servers (Amazon SQS, "Long polling"). */
const wait = 2

/** Seconds for which nobody else sees a letter that is being moved. */
const visibility = 60

export const redriveCommand = command({
  summary: 'Puts dead letters back on the mail queue.',
  options: stackOptions,
  details: `Find out first why they failed, and mend it: the worker tries each ten times more. Letters whose links have
expired meanwhile are dropped by the worker. A letter is sent before it is deleted, so that none is lost: after a
failure in between it is on both queues, and the worker mails the same link twice at worst. Run the command again to
go on.`,
  async run(given) {
    const { outputs, client } = findStack(given)
    const sqs = new SQSClient(client)
    const waiting = await count(sqs, outputs.DeadLetters)
    let moved = 0
    const progress = new Progress(() => `${moved} of about ${waiting.visible} moved`)
    try {
      for (;;) {
        const letters = await receive(sqs, outputs.DeadLetters)
        if (letters.length === 0) break
        for (const letter of letters) {
          await sqs.send(new SendMessageCommand({ QueueUrl: outputs.MailQueue, MessageBody: letter.Body }))
          await sqs.send(
            new DeleteMessageCommand({ QueueUrl: outputs.DeadLetters, ReceiptHandle: letter.ReceiptHandle }),
          )
          moved += 1
        }
      }
    } finally {
      progress.end()
      console.log(`${moved} moved`)
    }
    const { held } = await count(sqs, outputs.DeadLetters)
    // SQS counts about right, and late (Amazon SQS, "Queue metrics"): a hint, not a failure.
    if (held > 0) console.log(`about ${held} more are held by another reader; look again in a minute`)
    return 0
  },
})

async function receive(sqs: SQSClient, QueueUrl: string): Promise<Message[]> {
  const received = await sqs.send(
    // The most there is (Amazon SQS API Reference, ReceiveMessage).
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: wait,
      VisibilityTimeout: visibility,
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
