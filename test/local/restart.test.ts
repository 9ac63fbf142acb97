import { chmodSync, cpSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { DecryptCommand, EncryptCommand, GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses'
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDataDirectory } from '../../local/data-directory.ts'
import type { Assembly } from '../../local/template/assembly.ts'
import {
  configOf,
  idOf,
  keyOf,
  type Observed,
  observe,
  smallStack,
  tableOf,
  until,
} from '../support/system/small-stack.ts'

let dataDirectory: string
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'restart-'))
  chmodSync(dataDirectory, 0o755)
})

const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] })
const parts = {
  Accounts: tableOf('id'),
  Mails: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 60 } },
  Signs: keyOf('RSA_2048'),
  Encrypts: keyOf(),
}
/** The id of the key that encrypts: the name of its file. */
const encryptionKey = () =>
  readdirSync(join(dataDirectory, 'keys'))
    .find(file => file.endsWith('.key'))
    ?.slice(0, -'.key'.length)
const everything = { source: 'exports.handler = async () => null', may: [{ Action: '*', Resource: '*' }] }
const start = (assembly: Assembly = smallStack({ everything }, parts)) => observe(assembly, { dataDirectory })

function sdk(system: Observed) {
  const config = configOf(system, 'everything')
  const [db, sqs, kms, ses] = [
    new DynamoDBClient(config),
    new SQSClient(config),
    new KMSClient(config),
    new SESClient(config),
  ]
  const QueueUrl = `${system.awsUrl}/000000000000/Gatehouse-Mails`
  return {
    put: (id: string) => db.send(new PutItemCommand({ TableName: 'Gatehouse-Accounts', Item: { id: { S: id } } })),
    get: async (id: string) =>
      (await db.send(new GetItemCommand({ TableName: 'Gatehouse-Accounts', Key: { id: { S: id } } }))).Item,
    attributes: async () =>
      (await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes,
    send: (MessageBody: string) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody })),
    receive: async () => (await sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages?.[0],
    release: (ReceiptHandle = '') =>
      sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 })),
    delete: (ReceiptHandle = '') => sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle })),
    encrypt: async (Plaintext: Uint8Array) =>
      (await kms.send(new EncryptCommand({ KeyId: encryptionKey(), Plaintext }))).CiphertextBlob,
    decrypt: async (CiphertextBlob?: Uint8Array) =>
      (await kms.send(new DecryptCommand({ KeyId: encryptionKey(), CiphertextBlob }))).Plaintext,
    publicKey: async () => (await kms.send(new GetPublicKeyCommand({ KeyId: 'Signs' }))).PublicKey,
    mail: (to: string[]) =>
      ses.send(
        new SendEmailCommand({
          Source: 'a@example.com',
          Destination: { ToAddresses: to },
          Message: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Hello' } } },
        }),
      ),
  }
}

test('a queue has the attributes that its template gives it', async () => {
  expect(await sdk(await start()).attributes()).toMatchObject({ VisibilityTimeout: '60' })
})

describe('after a restart with the same directory', () => {
  test('tables, queues, mails and keys are as they were', async () => {
    const before = await start()
    const first = sdk(before)
    await first.put('ada')
    await first.send('queued')
    await first.mail(['ada@example.com', 'bob@example.com'])
    const key = await first.publicKey()
    const secret = Buffer.from('a secret')
    const encrypted = await first.encrypt(secret)
    await before.stop()

    await using after = await start()
    const second = sdk(after)
    expect(await second.get('ada')).toEqual({ id: { S: 'ada' } })
    expect(await second.receive()).toMatchObject({ Body: 'queued' })
    expect(after.inbox.list()).toMatchObject([{ destination: { to: ['ada@example.com', 'bob@example.com'] } }])
    expect(await second.publicKey()).toEqual(key)
    expect(Buffer.from((await second.decrypt(encrypted)) ?? [])).toEqual(secret)
  })

  test('a key that encrypts keeps its id, also an old one', async () => {
    const first = await start()
    const id = encryptionKey()
    expect(id).toMatch(/^Encrypts-[\da-f-]{36}$/)
    await first.stop()
    await (await start()).stop()
    expect(encryptionKey()).toBe(id)

    renameSync(join(dataDirectory, 'keys', `${id}.key`), join(dataDirectory, 'keys', 'Encrypts.key'))
    await using again = await start()
    expect(encryptionKey()).toBe('Encrypts')
    expect(await sdk(again).encrypt(Buffer.from('a secret'))).toBeDefined()
  })

  test('a deleted message stays deleted, and a returned one is still there', async () => {
    const before = await start()
    const first = sdk(before)
    await first.send('deleted')
    await first.delete((await first.receive())?.ReceiptHandle)
    await first.send('given back')
    await first.release((await first.receive())?.ReceiptHandle)
    await before.stop()

    await using after = await start()
    expect(after.messages('Mails')).toMatchObject([{ body: 'given back', approximateReceiveCount: 1 }])
  })

  test('a message that was being handled is delivered again at once', async () => {
    const consuming = (source: string) =>
      smallStack(
        { everything, consumer: { source, may: [{ Action: 'sqs:*', Resource: arn('Mails') }], timeout: 30 } },
        {
          ...parts,
          Delivery: {
            Type: 'AWS::Lambda::EventSourceMapping',
            Properties: { EventSourceArn: arn('Mails'), FunctionName: { Ref: idOf('consumer') } },
          },
        },
      )
    const before = await start(consuming('exports.handler = () => { console.info("begun"); for (;;); }'))
    const { MessageId } = await sdk(before).send('hello')
    await until(() => before.lines.length > 0)
    await before.stop()

    await using after = await start(consuming('exports.handler = async ({ Records: [r] }) => console.info(r)'))
    const [told] = await until(() => after.lines.length > 0 && after.lines)
    expect(JSON.parse(told?.line ?? '').message).toMatchObject({
      messageId: MessageId,
      attributes: { ApproximateReceiveCount: '2' },
    })
    await until(() => after.messages('Mails').length === 0)
  })
})

test.each([
  [
    'emptied',
    (path: string) => {
      for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true })
    },
  ],
  ['moved', (path: string) => renameSync(path, `${path}-moved`)],
  [
    'replaced by a copy',
    (path: string) => {
      cpSync(path, `${path}-copy`, { recursive: true })
      rmSync(path, { recursive: true })
      renameSync(`${path}-copy`, path)
    },
  ],
])('a directory that is %s while it is open is reported once', async (_, lose) => {
  const lost: string[] = []
  const database = openDataDirectory(dataDirectory, reason => lost.push(reason))
  onTestFinished(() => database.close())
  lose(dataDirectory)
  await until(() => lost.length > 0)
  expect(lost).toEqual([
    `DATA_DIR ${dataDirectory} was removed or replaced while it was in use, so it stops: run \`npm start\` again`,
  ])
})

test('a directory of 0.4.0 is refused with the steps of the update', async () => {
  const { Accounts: _, ...others } = parts
  const former = await start(smallStack({ everything }, { ...others, Users: tableOf('email') }))
  const key = await sdk(former).publicKey()
  await former.stop()
  const both = smallStack({ everything }, { ...parts, Users: tableOf('email') })
  await expect(start(both)).rejects.toThrow(/^DATA_DIR is of version 0\.4\.0\. .* docs\/upgrade\/0\.5\.md says how$/)
  for (const name of readdirSync(dataDirectory).filter(name => name !== 'keys'))
    rmSync(join(dataDirectory, name), { recursive: true })
  await using present = await start(both)
  expect(await sdk(present).publicKey()).toEqual(key)
})

test('each directory has a key of its own, which a ciphertext names', async () => {
  const first = await start()
  const foreign = await sdk(first).encrypt(Buffer.from('a secret'))
  await first.stop()
  rmSync(dataDirectory, { recursive: true })
  await using second = await start()
  await expect(sdk(second).decrypt(foreign)).rejects.toMatchObject({ name: 'IncorrectKeyException' })
})

test('no other user can read the directory or the keys in it', async () => {
  await using _ = await start()
  const mode = (path: string) => (statSync(join(dataDirectory, path)).mode & 0o777).toString(8)
  expect(mode('.')).toBe('700')
  expect(mode('keys')).toBe('700')
  const files = readdirSync(join(dataDirectory, 'keys'))
  expect(files.sort()).toEqual([`${encryptionKey()}.key`, 'Signs.pem'])
  for (const key of files) expect(mode(`keys/${key}`)).toBe('600')
})

test('without a directory nothing is kept', async () => {
  const assembly = smallStack({ everything }, parts)
  const before = await observe(assembly)
  await sdk(before).put('ada')
  const key = await sdk(before).publicKey()
  await before.stop()
  await using after = await observe(assembly)
  expect(await sdk(after).get('ada')).toBeUndefined()
  expect(await sdk(after).publicKey()).not.toEqual(key)
})
