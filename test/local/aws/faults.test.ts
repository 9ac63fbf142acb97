import { DynamoDBClient, GetItemCommand, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import { KMSClient, SignCommand } from '@aws-sdk/client-kms'
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Fault, Scope } from '../../../local/aws/faults.ts'
import type { ServiceName } from '../../../local/aws/protocols.ts'
import { configOf, keyOf, type Observed, observe, smallStack, tableOf } from '../../support/system/small-stack.ts'

const all = { source: 'exports.handler = async () => null', may: [{ Action: '*', Resource: '*' }] }

let system: Observed
beforeAll(async () => {
  const others = {
    Accounts: tableOf('id'),
    Counters: tableOf('id'),
    Mails: { Type: 'AWS::SQS::Queue' },
    Signs: keyOf('RSA_2048'),
  }
  system = await observe(smallStack({ one: all, other: all }, others))
})
afterAll(() => system.stop())

function sdk(caller = 'one', requestTimeout = 10_000) {
  const config = { ...configOf(system, caller), requestHandler: { requestTimeout, throwOnRequestTimeout: true } }
  const id = { id: { S: 'ada' } }
  return {
    get: (name = 'Accounts', of = 'ada') =>
      new DynamoDBClient(config).send(new GetItemCommand({ TableName: `Gatehouse-${name}`, Key: { id: { S: of } } })),
    put: (name = 'Accounts') =>
      new DynamoDBClient(config).send(new PutItemCommand({ TableName: `Gatehouse-${name}`, Item: id })),
    transact: (...names: string[]) =>
      new DynamoDBClient(config).send(
        new TransactWriteItemsCommand({
          TransactItems: names.map(name => ({
            Put: { TableName: `Gatehouse-${name}`, Item: { id: { S: 'transaction' } } },
          })),
        }),
      ),
    queue: () =>
      new SQSClient(config).send(
        new SendMessageCommand({ QueueUrl: `${system.awsUrl}/000000000000/Gatehouse-Mails`, MessageBody: 'x' }),
      ),
    sign: () =>
      new KMSClient(config).send(
        new SignCommand({ KeyId: 'Signs', Message: Buffer.from('x'), SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256' }),
      ),
    mail: () =>
      new SESClient(config).send(
        new SendEmailCommand({
          Source: 'a@example.com',
          Destination: { ToAddresses: ['b@example.com'] },
          Message: { Subject: { Data: 'x' }, Body: { Text: { Data: 'x' } } },
        }),
      ),
  }
}
type Sdk = ReturnType<typeof sdk>

function disturb(service: ServiceName, fault: Fault, scope?: Scope) {
  const restore = system.disturb(service, fault, scope)
  onTestFinished(restore)
  return restore
}

describe.each<[ServiceName, (aws: Sdk) => Promise<unknown>, string]>([
  ['dynamodb', aws => aws.get(), 'ThrottlingException'],
  ['sqs', aws => aws.queue(), 'RequestThrottled'],
  ['kms', aws => aws.sign(), 'ThrottlingException'],
  ['ses', aws => aws.mail(), 'Throttling'],
])('%s, out of order,', (service, call, throttled) => {
  test('throttles with its own error, until the disturbance ends', async () => {
    const restore = disturb(service, { kind: 'throttle' })
    await expect(call(sdk())).rejects.toMatchObject({ name: throttled, $metadata: { httpStatusCode: 400 } })
    restore()
    await call(sdk())
  })

  test('fails with a 500', async () => {
    disturb(service, { kind: 'failure' })
    await expect(call(sdk())).rejects.toMatchObject({ $metadata: { httpStatusCode: 500 } })
  })

  test('never answers, and the caller gives up', async () => {
    disturb(service, { kind: 'hang' })
    await expect(call(sdk('one', 50))).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test('is slow', async () => {
    disturb(service, { kind: 'slow', milliseconds: 100 })
    const began = performance.now()
    await call(sdk())
    expect(performance.now() - began).toBeGreaterThanOrEqual(99)
  })
})

test('a call whose answer is lost has taken effect', async () => {
  disturb('dynamodb', { kind: 'lost-answer' }, { action: 'PutItem', times: 1 })
  await expect(sdk().put('Counters')).rejects.toThrow()
  expect((await sdk().get('Counters')).Item).toEqual({ id: { S: 'ada' } })
})

test('a transaction that conflicts with another one writes nothing, and names the items', async () => {
  disturb('dynamodb', { kind: 'conflict' }, { action: 'TransactWriteItems', resource: 'Counters', times: 1 })
  await expect(sdk().transact('Accounts', 'Counters')).rejects.toMatchObject({
    name: 'TransactionCanceledException',
    message: expect.stringMatching(/ \[None, TransactionConflict\]$/),
    CancellationReasons: [
      { Code: 'None' },
      { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
    ],
  })
  expect((await sdk().get('Accounts', 'transaction')).Item).toBeUndefined()
  await sdk().transact('Accounts', 'Counters')
  expect((await sdk().get('Counters', 'transaction')).Item).toEqual({ id: { S: 'transaction' } })
})

test('a write of one item that meets a transaction is refused', async () => {
  disturb('dynamodb', { kind: 'conflict' }, { action: 'PutItem' })
  await expect(sdk().put()).rejects.toMatchObject({
    name: 'TransactionConflictException',
    message: 'Transaction is ongoing for the item',
    $metadata: { httpStatusCode: 400 },
  })
})

test('a call that hangs is released when the disturbance ends', async () => {
  const restore = disturb('dynamodb', { kind: 'hang' })
  const call = sdk().get()
  restore()
  await call
})

describe('a disturbance keeps to', () => {
  const refused = (call: Promise<unknown>) =>
    call.then(
      () => false,
      () => true,
    )

  test('its table', async () => {
    disturb('dynamodb', { kind: 'failure' }, { resource: 'Accounts' })
    expect([await refused(sdk().get('Accounts')), await refused(sdk().get('Counters'))]).toEqual([true, false])
  })

  test('its action', async () => {
    disturb('dynamodb', { kind: 'failure' }, { action: 'GetItem' })
    expect([await refused(sdk().get()), await refused(sdk().put())]).toEqual([true, false])
  })

  test('its caller', async () => {
    disturb('dynamodb', { kind: 'failure' }, { caller: 'other' })
    expect([await refused(sdk('other').get()), await refused(sdk('one').get())]).toEqual([true, false])
  })

  test('its number of times', async () => {
    disturb('dynamodb', { kind: 'failure' }, { times: 2 })
    const outcomes = []
    for (let i = 0; i < 3; i++) outcomes.push(await refused(sdk().get()))
    expect(outcomes).toEqual([true, true, false])
  })

  test('what IAM allows: a call that is denied is denied', async () => {
    disturb('dynamodb', { kind: 'hang' })
    const before = system.denials.length
    const forged = { ...system.credential('one'), accessKeyId: 'ASIAFORGED0000000000' }
    const config = { ...configOf(system, 'one'), credentials: forged }
    const call = new DynamoDBClient(config).send(new GetItemCommand({ TableName: 'x', Key: {} }))
    await expect(call).rejects.toMatchObject({ name: 'UnrecognizedClientException' })
    expect(system.denials.length).toBe(before)
  })
})
