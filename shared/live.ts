import { randomBytes } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms'
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses'
import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { JSONWebKeySet } from 'jose'
import { publishedKey } from './accounts/public-key.ts'
import { readConfig } from './config.ts'
import type {
  KeyParts,
  MailerParts,
  MailQueueParts,
  QueuedMailParts,
  RateLimitParts,
  SignerParts,
  System,
  UserParts,
} from './deps.ts'
import { DomainError } from './errors.ts'
import { metricLine } from './metrics.ts'
import { accountStore } from './store/accounts.ts'
import { reach } from './store/attempt.ts'
import { counterStore } from './store/counters.ts'
import { uuidv7 } from './uuid.ts'

/**
 * The outside world on AWS, in parts. A function names the parts it needs, and its bundle carries the clients of those
 * alone: each part is a function of its own, so that esbuild can leave the others out.
 */

/**
 * Bounds on waiting, in milliseconds. DynamoDB, SQS, SES and KMS answer within tens of them. A call that does not answer
 * is given up after 3 s and its pauses, so that a request of which one part fails is told so within the 10 s that its
 * function has, a password's hash included.
 */
const patience = { connectionTimeout: 500, requestTimeout: 1000, throwOnRequestTimeout: true }
const clientConfig = { maxAttempts: 3, requestHandler: patience }

const config = readConfig(process.env)

export const system: System = {
  now: () => new Date(),
  newId: () => uuidv7(Date.now(), randomBytes(10)),
  randomBytes,
  config,
  log(event) {
    console.info(event)
    // Not by the console: under the JSON log format it would wrap the line, and no metric would be found in it.
    process.stdout.write(`${metricLine(event, given('STAGE'), new Date())}\n`)
  },
}

/** What the stack gives besides settings: its stage and the names of its resources. */
function given(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`the environment variable ${name} is missing`)
  return value
}

let client: DynamoDBDocumentClient | undefined
const db = () => {
  client ??= DynamoDBDocumentClient.from(new DynamoDBClient(clientConfig))
  return client
}

export const users = (): UserParts => ({ accounts: accountStore(db(), given('USERS_TABLE')) })

export const rateLimits = (): RateLimitParts => ({ counters: counterStore(db(), given('RATE_LIMITS_TABLE')) })

export function mailQueue(): MailQueueParts {
  const sqs = new SQSClient(clientConfig)
  const QueueUrl = given('MAIL_QUEUE_URL')
  return {
    async queueMail(message, DelaySeconds) {
      await reach(sqs.send(new SendMessageCommand({ QueueUrl, DelaySeconds, MessageBody: JSON.stringify(message) })))
    },
  }
}

export function queuedMail(): QueuedMailParts {
  const sqs = new SQSClient(clientConfig)
  const QueueUrl = given('MAIL_QUEUE_URL')
  return {
    async postponeMail(ReceiptHandle, VisibilityTimeout) {
      await reach(sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout })))
    },
  }
}

export function mailer(): MailerParts {
  const ses = new SESClient(clientConfig)
  return {
    async sendMail(to, { subject, text, html }) {
      const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' })
      const command = new SendEmailCommand({
        Source: config.mailFrom ?? '',
        Destination: { ToAddresses: [to] },
        Message: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) } },
      })
      await reach(ses.send(command))
    },
  }
}

/** Key ids of KMS, the one that signs first. */
const keyIds = (): string[] => given('SIGNING_KEY_IDS').split(',')

export function signer(): SignerParts {
  const kms = new KMSClient(clientConfig)
  const [KeyId = ''] = keyIds()
  const publicKey = once(() => fetchPublicKey(kms, KeyId))
  return {
    signer: {
      keyId: async () => (await publicKey()).kid,
      async sign(data) {
        const signed = await reach(
          kms.send(
            new SignCommand({
              KeyId,
              Message: data,
              MessageType: 'RAW',
              SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
            }),
          ),
        )
        return required(signed.Signature)
      },
    },
  }
}

export function publicKeys(): KeyParts {
  const kms = new KMSClient(clientConfig)
  return {
    publicKeys: once(
      async (): Promise<JSONWebKeySet> => ({ keys: await Promise.all(keyIds().map(id => fetchPublicKey(kms, id))) }),
    ),
  }
}

async function fetchPublicKey(kms: KMSClient, KeyId: string) {
  const { PublicKey } = await reach(kms.send(new GetPublicKeyCommand({ KeyId })))
  return publishedKey(required(PublicKey))
}

/** The SDK types every member of an answer as optional. */
function required<T>(member: T | undefined): T {
  if (member === undefined) throw new DomainError('unavailable')
  return member
}

/** Asks once for as long as the environment lives; a failure is not kept. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  return () => {
    answer ??= ask().catch((error: unknown) => {
      answer = undefined
      throw error
    })
    return answer
  }
}
