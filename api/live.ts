import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses'
import { ChangeMessageVisibilityCommand, SQSClient } from '@aws-sdk/client-sqs'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { type Writes, writesOf } from '../accounts/account/writes.ts'
import { emailChangeStore } from '../accounts/address/writes.ts'
import { clientsFile } from '../accounts/application/client.ts'
import { grantStore } from '../accounts/application/writes.ts'
import { setupLinkStore } from '../accounts/factor/writes.ts'
import { providersFile } from '../accounts/identity/provider.ts'
import { type LetterWords, letterWordsFile } from '../accounts/mail/words.ts'
import { challengeStore } from '../accounts/passkey/writes.ts'
import { commonPasswordsFile, openCommonPasswords } from '../accounts/password/common-passwords.ts'
import type { PublicKeys } from '../accounts/token/authentication.ts'
import { callAws, clientConfig } from '../shared/aws/aws.ts'
import { counterStore } from '../shared/aws/counters.ts'
import { factorKeyOf, providerKey, publishedKeys, signingKey } from '../shared/aws/keys.ts'
import { sendMessage } from '../shared/aws/queue.ts'
import { settings, stackVariable } from '../shared/base/environment.ts'
import { isCounted, metricLine } from '../shared/base/log.ts'
import { network } from '../shared/base/network.ts'
import type { System } from '../shared/base/system.ts'
import { timed, timedClient } from '../shared/base/timing.ts'
import { uuidv7 } from '../shared/base/uuid.ts'
import type { Deps } from './deps.ts'

/**
 * The outside world on AWS, in parts. A function names the parts it needs, and its bundle holds only their clients:
 * each part is a function of its own, so that esbuild can leave out the others.
 */

const { config } = settings

export const system: Pick<Deps, keyof System | 'config'> = {
  now: () => new Date(),
  newId: () => uuidv7(Date.now(), randomBytes(10)),
  randomBytes,
  pause: milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds)),
  config,
  log(entry) {
    if ('error' in entry) return console.error(entry)
    console.info(entry)
    if (!isCounted(entry)) return
    // Not by the console: under the JSON log format it wraps the line, and CloudWatch finds no metric in it.
    process.stdout.write(`${metricLine(entry, stackVariable('STAGE'), new Date())}\n`)
  },
}

let dbClient: DynamoDBDocumentClient | undefined
const db = () => {
  dbClient ??= timedClient('DynamoDB', DynamoDBDocumentClient.from(new DynamoDBClient(clientConfig)))
  return dbClient
}

export const users = (): Writes => writesOf(db(), stackVariable('USERS_TABLE'), system)

export const rateLimits = (): Pick<Deps, 'counters'> => ({
  counters: {
    ...counterStore(db(), stackVariable('RATE_LIMITS_TABLE')),
    ...setupLinkStore(db(), stackVariable('RATE_LIMITS_TABLE')),
  },
})

export const grants = (): Pick<Deps, 'grants'> => ({ grants: grantStore(db(), stackVariable('RATE_LIMITS_TABLE')) })

export const challenges = (): Pick<Deps, 'challenges'> => ({
  challenges: challengeStore(db(), stackVariable('RATE_LIMITS_TABLE')),
})

/** Reads the applications that lie beside the bundle. None lie there where there are none. */
export const clients = (): Pick<Deps, 'clients'> => ({
  clients: config.hasClients ? JSON.parse(readFileSync(join(import.meta.dirname, clientsFile), 'utf8')) : [],
})

/** Reads the other providers that lie beside the bundle. None lie there where there are none. */
export const providers = (): Pick<Deps, 'providers'> => ({
  providers: config.hasProviders ? JSON.parse(readFileSync(join(import.meta.dirname, providersFile), 'utf8')) : [],
})

/** What it takes to ask a provider: the network, and the key of its secret. */
export const providerExchange = (): Pick<Deps, 'providerNetwork' | 'providerSecrets'> => ({
  providerNetwork: network,
  providerSecrets: providerKey(() => stackVariable('PROVIDER_KEY_ID'), system),
})

export const emailChanges = (): Pick<Deps, 'emailChanges'> => ({
  emailChanges: emailChangeStore(
    db(),
    { users: stackVariable('USERS_TABLE'), rateLimits: stackVariable('RATE_LIMITS_TABLE') },
    system,
  ),
})

export const mailQueue = (): Pick<Deps, 'queueMail'> => ({
  async queueMail(message, delaySeconds) {
    await callAws(timed('SQS', () => sendMessage(stackVariable('MAIL_QUEUE_URL'), message, delaySeconds)))
  },
})

/** The same for functions that seldom queue a mail: its client is loaded with the first. */
export const rareMailQueue = (): Pick<Deps, 'queueMail'> => ({
  async queueMail(message, delaySeconds) {
    const { sendMessage } = await import('../shared/aws/queue.ts')
    await callAws(timed('SQS', () => sendMessage(stackVariable('MAIL_QUEUE_URL'), message, delaySeconds)))
  },
})

export function queuedMail(): Pick<Deps, 'postponeMail'> {
  const sqs = timedClient('SQS', new SQSClient(clientConfig))
  const QueueUrl = stackVariable('MAIL_QUEUE_URL')
  return {
    async postponeMail(ReceiptHandle, VisibilityTimeout) {
      await callAws(sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout })))
    },
  }
}

export function mailer(): Pick<Deps, 'sendMail'> {
  const ses = timedClient('SES', new SESClient(clientConfig))
  return {
    async sendMail(to, { subject, text, html }) {
      const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' })
      const command = new SendEmailCommand({
        Source: config.mailFrom ?? '',
        Destination: { ToAddresses: [to] },
        Message: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) } },
      })
      await callAws(ses.send(command))
    },
  }
}

/** Reads the words of mails that lie beside the bundle, those of each language once. */
export function letterWords(): Pick<Deps, 'letterWords'> {
  const known = new Map<string, LetterWords>()
  const read = (tag: string): LetterWords =>
    JSON.parse(readFileSync(join(import.meta.dirname, letterWordsFile(tag)), 'utf8'))
  return {
    letterWords(tag) {
      const words = known.get(tag) ?? read(tag)
      known.set(tag, words)
      return words
    },
  }
}

/** Reads the list that lies beside the bundle. */
export const commonPasswords = (): Pick<Deps, 'isCommonPassword'> => ({
  isCommonPassword: openCommonPasswords(join(import.meta.dirname, commonPasswordsFile)),
})

export const signer = (): Pick<Deps, 'signer'> => ({
  signer: signingKey(() => stackVariable('SIGNING_KEY_ID'), system),
})

export const publicKeys = (): Pick<Deps, 'publicKeys'> => ({
  publicKeys: publishedKeys(stackVariable('SIGNING_KEY_IDS').split(','), system),
})

/**
 * The same for the function that seldom lists them: their client is loaded with the first. An error of the part beside the bundle is
 * none of ours, but its cause is.
 */
export function rarePublicKeys(): Pick<Deps, 'publicKeys'> {
  const ids = stackVariable('SIGNING_KEY_IDS').split(',')
  let loaded: PublicKeys | undefined
  const ask = <T>(call: (keys: PublicKeys) => Promise<T>): Promise<T> =>
    callAws(
      timed('KMS', async () => {
        loaded ??= (await import('../shared/aws/keys.ts')).publishedKeys(ids, system)
        return await call(loaded)
      }).catch(error => {
        throw error.cause ?? error
      }),
    )
  return {
    publicKeys: { findById: id => ask(keys => keys.findById(id)), listUsable: () => ask(keys => keys.listUsable()) },
  }
}

/** What checking an access token takes: the keys that sign, and the account. */
export const bearer = () => ({ ...users(), ...publicKeys() })

export const factorKey = (): Pick<Deps, 'factorKey'> => ({
  factorKey: factorKeyOf(() => stackVariable('FACTOR_KEY_ID'), system),
})

/**
 * What checking a password takes, and a second factor: the account, the guesses, and the key of the factor. Its mails go
 * by `mailQueue` or `rareMailQueue`, as the function mails.
 */
export const passwordCheck = () => ({ ...users(), ...rateLimits(), ...factorKey() })

/** What checking an owner takes: a password, or a passkey. */
export const ownerCheck = () => ({ ...passwordCheck(), ...challenges() })
