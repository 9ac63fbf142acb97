import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { clientConfig } from './aws.ts'

let client: SQSClient | undefined

/** Puts a message on a queue, as JSON. @param DelaySeconds until the queue delivers it */
export function sendMessage(QueueUrl: string, message: object, DelaySeconds: number): Promise<unknown> {
  client ??= new SQSClient(clientConfig)
  return client.send(new SendMessageCommand({ QueueUrl, DelaySeconds, MessageBody: JSON.stringify(message) }))
}
