import {
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  SESv2Client,
  type SuppressedDestination,
} from '@aws-sdk/client-sesv2'
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { command, emailOf, jsonOption, run } from './command-line/command.ts'
import { showProgress } from './command-line/long-work.ts'
import { findStack, stackOptions } from './command-line/stack.ts'
import { print, toLines } from './command-line/terminal.ts'

const details = `SES has one suppression list for an account and a region. It adds an address when a mail to it bounces for good, or when
the recipient reports one as spam. From then on SES accepts mails to the address but sends none: the owner gets no links,
and nothing fails.`

const suppressedCommand = command({
  summary: 'Says whether SES suppresses an address, and why.',
  operand: '<email>',
  options: { ...stackOptions, ...jsonOption },
  details: `${details}

--json prints {email, suppressed, reason, since}.`,
  async run(options, address) {
    const email = emailOf(address)
    const ses = new SESv2Client(findStack(options).client)
    const found = await unlessMissing(ses.send(new GetSuppressedDestinationCommand({ EmailAddress: email })))
    const suppressed = found?.SuppressedDestination
    if (options.json) {
      const { Reason: reason = null, LastUpdateTime: since = null } = suppressed ?? {}
      print(JSON.stringify({ email, suppressed: suppressed !== undefined, reason, since }))
    } else {
      const stack = options.local ? '--local' : `--outputs ${options.outputs}`
      print(suppressed ? describe(email, suppressed, stack) : notSuppressed(email))
    }
    return 0
  },
})

const unsuppressCommand = command({
  summary: "Takes an address off SES's suppression list.",
  operand: '<email>',
  options: stackOptions,
  details: `${details}

First make sure that the mailbox exists, and that its owner wants these mails: bounces and complaints count against the
account's reputation, and after the next one SES puts the address back.`,
  async run(options, address) {
    const email = emailOf(address)
    const ses = new SESv2Client(findStack(options).client)
    const removed = await unlessMissing(ses.send(new DeleteSuppressedDestinationCommand({ EmailAddress: email })))
    const taken = toLines`${email} is off the suppression list: SES mails it again. Suppressed mails are not sent later: the owner
asks for a new link.`
    print(removed === null ? notSuppressed(email) : taken)
    return 0
  },
})

const notSuppressed = (email: string): string => `SES does not suppress ${email}`

const reasons: Record<string, string> = {
  BOUNCE: 'a mail to it bounced for good',
  COMPLAINT: 'the recipient reported a mail as spam',
}

function describe(email: string, { Reason, LastUpdateTime }: SuppressedDestination, stack: string): string[] {
  const reason = reasons[Reason ?? '']
  return toLines`SES has suppressed ${email} since ${LastUpdateTime?.toISOString() ?? ''}${reason ? `, because ${reason}` : ''} (${Reason ?? ''}).
It gets no mail. To take it off the list: npm run mail -- unsuppress ${email} ${stack}`
}

/** Awaits a call. @returns null when the address is not on the list */
async function unlessMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Error && error.name === 'NotFoundException') return null
    throw error
  }
}

/** Seconds of a long poll, which asks all of SQS's servers (Amazon SQS, "Long polling"). */
const waitSeconds = 2

/** Seconds for which a message is hidden from other readers while it is moved. */
const visibilitySeconds = 60

const redriveCommand = command({
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
    const progress = showProgress(() => `${moved} of about ${waiting.visible} moved`)
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
      print(`${moved} moved`)
    }
    const { held } = await count(sqs, outputs.DeadLetters)
    // SQS's counts are approximate and delayed (Amazon SQS, "Queue metrics"): this is a hint, not a failure.
    if (held > 0) print(`another reader holds about ${held} more; run the command again in a minute`)
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

await run('mail', 'Manages mails that were not delivered.', {
  redrive: redriveCommand,
  suppressed: suppressedCommand,
  unsuppress: unsuppressCommand,
})
