import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses'
import { ChangeMessageVisibilityCommand, SQSClient } from '@aws-sdk/client-sqs'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { accountStore, accountWrites } from '../accounts/account/writes.ts'
import { deletionMarks } from '../accounts/address/deletion-marks.ts'
import { addressWrites } from '../accounts/address/writes.ts'
import { clientsFile } from '../accounts/application/client.ts'
import { grantStore } from '../accounts/application/writes.ts'
import { factorWrites, setupLinkStore } from '../accounts/factor/writes.ts'
import { providersFile } from '../accounts/identity/provider.ts'
import { identityWrites } from '../accounts/identity/writes.ts'
import { type LetterWords, letterWordsFile } from '../accounts/mail/words.ts'
import { challengeStore, passkeyWrites } from '../accounts/passkey/writes.ts'
import { commonPasswordsFile, openCommonPasswords } from '../accounts/password/common-passwords.ts'
import { passwordWrites } from '../accounts/password/writes.ts'
import { sessionWrites } from '../accounts/session/writes.ts'
import type { PublicKeys } from '../accounts/token/authentication.ts'
import { tokenWrites } from '../accounts/token/writes.ts'
import { callAws, clientConfig } from '../shared/aws/aws.ts'
import { counterStore } from '../shared/aws/counters.ts'
import { factorKeyOf, providerKey, publishedKeys, signingKey } from '../shared/aws/keys.ts'
import { sendMessage } from '../shared/aws/queue.ts'
import { settings, stackVariable } from '../shared/base/environment.ts'
import { isCounted, metricLine } from '../shared/base/log.ts'
import { network, textNetwork } from '../shared/base/network.ts'
import type { System } from '../shared/base/system.ts'
import { timed, timedClient } from '../shared/base/timing.ts'
import { uuidv7 } from '../shared/base/uuid.ts'
import type { Deps } from './deps.ts'

/**
 * The outside world on AWS: what builds each member of `Deps`, by the member's name. The build writes into a function's entry those
 * that its row grants, so each is a function of its own, and the bundle holds only the clients of these. A name with `rare` loads the
 * client with the first call.
 */

const { config } = settings

/** What every function gets. */
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
const rateLimitsTableName = () => stackVariable('RATE_LIMITS_TABLE')
const table = () => accountStore(db(), stackVariable('ACCOUNTS_TABLE'), system)
const marks = () => deletionMarks(db(), rateLimitsTableName)

export const accounts = (): Deps['accounts'] => accountWrites(table(), marks())
export const addresses = (): Deps['addresses'] => addressWrites(table(), marks())
export const factors = (): Deps['factors'] => factorWrites(table())
export const identities = (): Deps['identities'] => identityWrites(table())
export const passkeys = (): Deps['passkeys'] => passkeyWrites(table())
export const passwords = (): Deps['passwords'] => passwordWrites(table())
export const sessions = (): Deps['sessions'] => sessionWrites(table())
export const tokens = (): Deps['tokens'] => tokenWrites(table())

export const counters = (): Deps['counters'] => ({
  ...counterStore(db(), rateLimitsTableName()),
  ...setupLinkStore(db(), rateLimitsTableName()),
})

export const grants = (): Deps['grants'] => grantStore(db(), rateLimitsTableName())

export const challenges = (): Deps['challenges'] => challengeStore(db(), rateLimitsTableName())

const readBeside = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'))

/** Reads the applications that lie beside the bundle. None lie there where there are none. */
export const clients = (): Deps['clients'] => (config.hasClients ? readBeside(clientsFile) : [])

/** Reads the other providers that lie beside the bundle. None lie there where there are none. */
export const providers = (): Deps['providers'] => (config.hasProviders ? readBeside(providersFile) : [])

export const providerNetwork = (): Deps['providerNetwork'] => network

export const providerSecrets = (): Deps['providerSecrets'] =>
  providerKey(() => stackVariable('PROVIDER_KEY_ID'), system)

export const queueMail = (): Deps['queueMail'] => async (message, delaySeconds) => {
  await callAws(timed('SQS', () => sendMessage(stackVariable('MAIL_QUEUE_URL'), message, delaySeconds)))
}

export const rareQueueMail = (): Deps['queueMail'] => async (message, delaySeconds) => {
  const { sendMessage } = await import('../shared/aws/queue.ts')
  await callAws(timed('SQS', () => sendMessage(stackVariable('MAIL_QUEUE_URL'), message, delaySeconds)))
}

export function postponeMail(): Deps['postponeMail'] {
  const sqs = timedClient('SQS', new SQSClient(clientConfig))
  const QueueUrl = stackVariable('MAIL_QUEUE_URL')
  return async (ReceiptHandle, VisibilityTimeout) => {
    await callAws(sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout })))
  }
}

export function sendMail(): Deps['sendMail'] {
  const ses = timedClient('SES', new SESClient(clientConfig))
  return async (to, { subject, text, html }) => {
    const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' })
    const command = new SendEmailCommand({
      Source: config.mailFrom ?? '',
      Destination: { ToAddresses: [to] },
      Message: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) } },
    })
    await callAws(ses.send(command))
  }
}

/** Reads the words of mails that lie beside the bundle, those of each language once. */
export function letterWords(): Deps['letterWords'] {
  const known = new Map<string, LetterWords>()
  return tag => {
    const words: LetterWords = known.get(tag) ?? readBeside(letterWordsFile(tag))
    known.set(tag, words)
    return words
  }
}

/** Reads the list that lies beside the bundle. */
export const isCommonPassword = (): Deps['isCommonPassword'] =>
  openCommonPasswords(join(import.meta.dirname, commonPasswordsFile))

export const blocklistNetwork = (): Deps['blocklistNetwork'] => textNetwork

export const signer = (): Deps['signer'] => signingKey(() => stackVariable('SIGNING_KEY_ID'), system)

export const publicKeys = (): Deps['publicKeys'] => publishedKeys(stackVariable('SIGNING_KEY_IDS').split(','), system)

/** An error of the part beside the bundle is none of ours, but its cause is. */
export function rarePublicKeys(): Deps['publicKeys'] {
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
  return { findById: id => ask(keys => keys.findById(id)), listUsable: () => ask(keys => keys.listUsable()) }
}

export const factorKey = (): Deps['factorKey'] => factorKeyOf(() => stackVariable('FACTOR_KEY_ID'), system)
