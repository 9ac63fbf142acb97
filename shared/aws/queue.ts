import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { clientConfig } from './aws.ts'

let client: SQSClient | undefined

/** Puts a message on a queue, as JSON. @param DelaySeconds how long the queue holds it back */
export function sendMessage(QueueUrl: string, message: object, DelaySeconds: number): Promise<unknown> {
  client ??= new SQSClient(clientConfig)
  return client.send(new SendMessageCommand({ QueueUrl, DelaySeconds, MessageBody: JSON.stringify(message) }))
}
