import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { EncryptCommand, GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms'
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses'
import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { configOf, keyOf, type Observed, observe, smallStack, tableOf } from '../../support/system/small-stack.ts'

const others = {
  Accounts: tableOf('id', {
    AttributeDefinitions: ['id', 'token'].map(AttributeName => ({ AttributeName, AttributeType: 'S' })),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-token',
        KeySchema: [{ AttributeName: 'token', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  }),
  Mails: { Type: 'AWS::SQS::Queue', Properties: {} },
  Others: { Type: 'AWS::SQS::Queue', Properties: {} },
  OthersPolicy: {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      Queues: [{ Ref: 'Others' }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Deny', Principal: '*', Action: 'sqs:*', Resource: { 'Fn::GetAtt': ['Others', 'Arn'] } }],
      },
    },
  },
  Signs: keyOf('RSA_2048'),
  Encrypts: keyOf(),
}
const source = 'exports.handler = async () => null'
const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] })

let system: Observed
beforeAll(async () => {
  const assembly = smallStack(
    {
      reader: {
        source,
        may: [
          { Action: 'dynamodb:GetItem', Resource: arn('Accounts') },
          { Action: 'dynamodb:Query', Resource: { 'Fn::Join': ['', [arn('Accounts'), '/index/by-token']] } },
          { Action: 'kms:GetPublicKey', Resource: arn('Signs') },
        ],
      },
      'table-reader': { source, may: [{ Action: 'dynamodb:Query', Resource: arn('Accounts') }] },
      writer: {
        source,
        may: [
          { Action: 'dynamodb:PutItem', Resource: arn('Accounts') },
          { Action: 'sqs:SendMessage', Resource: [arn('Mails'), arn('Others')] },
          { Action: 'kms:Sign', Resource: arn('Signs') },
          {
            Action: 'ses:SendEmail',
            Resource: '*',
            Condition: { StringEquals: { 'ses:FromAddress': 'no-reply@example.com' } },
          },
        ],
      },
      encrypter: {
        source,
        may: [
          {
            Action: 'kms:Encrypt',
            Resource: arn('Encrypts'),
            Condition: {
              'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': ['account'] },
              Null: { 'kms:EncryptionContextKeys': 'false' },
            },
          },
        ],
      },
      counter: {
        source,
        may: [
          {
            Action: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
            Resource: arn('Accounts'),
            Condition: {
              'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['count.#*', '0'] },
              Null: { 'dynamodb:LeadingKeys': 'false' },
            },
          },
        ],
      },
      nobody: { source },
    },
    others,
  )
  system = await observe(assembly)
})
afterAll(() => system.stop())
beforeEach(() => {
  system.denials.length = 0
})

test('a call that DynamoDB refuses for any items is reported with the reason', async () => {
  await sdk('writer').put()
  expect(system.invalid).toEqual([])
  const conditional = sdk('writer').put({ ConditionExpression: 'id = :absent' })
  await expect(conditional).rejects.toMatchObject({ name: 'ValidationException' })
  expect(system.invalid).toEqual([{ caller: 'writer', action: 'PutItem', reason: expect.stringContaining(':absent') }])
})

/** The SDK as a function has it. */
function sdk(caller: string, credentials = system.credential(caller)) {
  const config = { ...configOf(system, caller), credentials }
  const [db, sqs, kms, ses] = [
    new DynamoDBClient(config),
    new SQSClient(config),
    new KMSClient(config),
    new SESClient(config),
  ]
  const queue = (name: string) => `${system.awsUrl}/000000000000/Gatehouse-${name}`
  const user = { id: { S: 'ada' } }
  const message = { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Hello' } } }
  return {
    get: () => db.send(new GetItemCommand({ TableName: 'Gatehouse-Accounts', Key: user })),
    put: (others = {}) => db.send(new PutItemCommand({ TableName: 'Gatehouse-Accounts', Item: user, ...others })),
    transact: (...kinds: ('Put' | 'Delete' | 'ConditionCheck')[]) =>
      db.send(
        new TransactWriteItemsCommand({
          TransactItems: kinds.map((kind, i) => {
            const [TableName, Key] = ['Gatehouse-Accounts', { id: { S: String(i) } }]
            if (kind === 'Put') return { Put: { TableName, Item: Key } }
            if (kind === 'Delete') return { Delete: { TableName, Key } }
            return { ConditionCheck: { TableName, Key, ConditionExpression: 'attribute_not_exists(id)' } }
          }),
        }),
      ),
    query: (index: boolean) =>
      db.send(
        new QueryCommand({
          TableName: 'Gatehouse-Accounts',
          ...(index && { IndexName: 'by-token' }),
          KeyConditionExpression: `${index ? '#t' : 'id'} = :x`,
          ...(index && { ExpressionAttributeNames: { '#t': 'token' } }),
          ExpressionAttributeValues: { ':x': { S: 'x' } },
        }),
      ),
    queue: (name: string) => sqs.send(new SendMessageCommand({ QueueUrl: queue(name), MessageBody: 'hello' })),
    queueBatch: (name: string) =>
      sqs.send(new SendMessageBatchCommand({ QueueUrl: queue(name), Entries: [{ Id: '1', MessageBody: 'hello' }] })),
    publicKey: (KeyId = 'Signs') => kms.send(new GetPublicKeyCommand({ KeyId })),
    sign: () =>
      kms.send(
        new SignCommand({
          KeyId: 'Signs',
          Message: Buffer.from('text'),
          SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
        }),
      ),
    encrypt: (EncryptionContext?: Record<string, string>) =>
      kms.send(new EncryptCommand({ KeyId: 'Encrypts', Plaintext: Buffer.from('text'), EncryptionContext })),
    mail: (Source: string) =>
      ses.send(new SendEmailCommand({ Source, Destination: { ToAddresses: ['ada@example.com'] }, Message: message })),
  }
}
type Sdk = ReturnType<typeof sdk>

describe('a function may do what its role grants:', () => {
  test.each<[string, string, (aws: Sdk) => Promise<unknown>]>([
    ['an action on a table', 'reader', aws => aws.get()],
    ['a query of an index', 'reader', aws => aws.query(true)],
    ['an action on a key', 'reader', aws => aws.publicKey()],
    ['an action on a key by its ARN', 'reader', aws => aws.publicKey('arn:aws:kms:us-east-1:000000000000:key/Signs')],
    ['a transaction of such actions', 'writer', aws => aws.transact('Put', 'Put')],
    ['an action on a queue', 'writer', aws => aws.queue('Mails')],
    ['a batch of an action', 'writer', aws => aws.queueBatch('Mails')],
    ['an action on a condition that holds', 'writer', aws => aws.mail('no-reply@example.com')],
    ['an action on an item of a family', 'counter', aws => aws.put({ Item: { id: { S: 'count.#1' } } })],
    ['a transaction of such items', 'counter', aws => aws.transact('Put')],
    ['an encryption whose context has the right key', 'encrypter', aws => aws.encrypt({ account: 'ada' })],
    ['the same with a display name', 'writer', aws => aws.mail('Gatehouse <no-reply@example.com>')],
  ])('%s', async (_, caller, call) => {
    await call(sdk(caller))
    expect(system.denials).toEqual([])
  })
})

describe('a function may do nothing else:', () => {
  test.each<[string, string, (aws: Sdk) => Promise<unknown>, string, object]>([
    ...(
      [
        ['an action on an item of another family', aws => aws.put({ Item: { id: { S: 'countx#1' } } })],
        ['an action on an item of none', aws => aws.get()],
        ['a transaction with one item of another family', aws => aws.transact('Put', 'Put')],
        ['a call that names no item where a condition fixes the family', aws => aws.query(false)],
      ] as [string, (aws: Sdk) => Promise<unknown>][]
    ).map(([what, call]): [string, string, typeof call, string, object] => [
      what,
      'counter',
      call,
      'AccessDeniedException',
      { resource: expect.stringMatching(/:table\/Gatehouse-Accounts$/), keys: '' },
    ]),
    [
      'another action on its table',
      'reader',
      aws => aws.put(),
      'AccessDeniedException',
      { action: 'dynamodb:PutItem', resource: expect.stringMatching(/:table\/Gatehouse-Accounts$/) },
    ],
    [
      'a query of the table whose index it may query',
      'reader',
      aws => aws.query(false),
      'AccessDeniedException',
      { action: 'dynamodb:Query', resource: expect.stringMatching(/:table\/Gatehouse-Accounts$/) },
    ],
    [
      'a query of an index of the table that it may query',
      'table-reader',
      aws => aws.query(true),
      'AccessDeniedException',
      { action: 'dynamodb:Query', resource: expect.stringMatching(/\/index\/by-token$/) },
    ],
    [
      'a transaction with an action that it lacks',
      'writer',
      aws => aws.transact('Put', 'Delete'),
      'AccessDeniedException',
      { action: 'dynamodb:DeleteItem', resource: expect.stringMatching(/:table\/Gatehouse-Accounts$/) },
    ],
    [
      'a transaction that checks a condition',
      'writer',
      aws => aws.transact('Put', 'ConditionCheck'),
      'AccessDeniedException',
      { action: 'dynamodb:ConditionCheckItem', resource: expect.stringMatching(/:table\/Gatehouse-Accounts$/) },
    ],
    ['a signature', 'reader', aws => aws.sign(), 'AccessDeniedException', { action: 'kms:Sign' }],
    ['a message', 'reader', aws => aws.queue('Mails'), 'AccessDeniedException', { action: 'sqs:SendMessage' }],
    ['a batch', 'reader', aws => aws.queueBatch('Mails'), 'AccessDeniedException', { action: 'sqs:SendMessage' }],
    ['a mail', 'reader', aws => aws.mail('no-reply@example.com'), 'AccessDenied', { action: 'ses:SendEmail' }],
    [
      'a mail from another address than its condition names',
      'writer',
      aws => aws.mail('ceo@example.com'),
      'AccessDenied',
      { action: 'ses:SendEmail', resource: 'arn:aws:ses:us-east-1:000000000000:identity/example.com' },
    ],
    [
      'what the resource itself denies',
      'writer',
      aws => aws.queue('Others'),
      'AccessDeniedException',
      { action: 'sqs:SendMessage', reason: 'a policy denies it' },
    ],
    ...[undefined, {}, { other: 'ada' }, { account: 'ada', other: '' }].map(
      context =>
        [
          `an encryption with the context ${JSON.stringify(context)}`,
          'encrypter',
          aws => aws.encrypt(context),
          'AccessDeniedException',
          { action: 'kms:Encrypt' },
        ] as [string, string, (aws: Sdk) => Promise<unknown>, string, object],
    ),
    ['anything at all', 'nobody', aws => aws.get(), 'AccessDeniedException', { action: 'dynamodb:GetItem' }],
  ])('%s', async (_, caller, call, name, denial) => {
    await expect(call(sdk(caller))).rejects.toMatchObject({ name })
    expect(system.denials).toEqual([expect.objectContaining({ caller, ...denial })])
  })

  test('and the error names the caller, the action and the resource', async () => {
    await expect(sdk('reader').put()).rejects.toThrow(
      'User: arn:aws:sts::000000000000:assumed-role/Gatehouse-readerRole/Gatehouse-ReaderFunction00000000 is not ' +
        'authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:us-east-1:000000000000:table/Gatehouse-Accounts',
    )
  })
})

test.each<[string, Parameters<typeof smallStack>, string]>([
  [
    'a role',
    [{ reader: { source, may: [{ Action: 'sqs:*', Resource: '*', Condition: { DateLessThan: {} } }] } }],
    'npm start does not support the policy readerPolicy of reader: Statement.1.Condition: the operator DateLessThan is not supported',
  ],
  [
    'an operator',
    [
      {},
      {
        Operators: {
          Type: 'AWS::IAM::ManagedPolicy',
          Properties: {
            PolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', NotAction: '*', Resource: '*' }] },
          },
        },
      },
    ],
    'npm start does not support the policy Operators of operator: Statement.0: the element NotAction is not supported',
  ],
  [
    'a key',
    [{}, { Signs: { Type: 'AWS::KMS::Key', Properties: { KeyPolicy: { Version: '2012-10-17' } } } }],
    'npm start does not support the policy of arn:aws:kms:us-east-1:000000000000:key/',
  ],
])('nothing starts with a policy of %s that is not understood', async (_, stack, complaint) => {
  await expect(observe(smallStack(...stack))).rejects.toThrow(complaint)
})

test.each<[string, (aws: Sdk) => Promise<unknown>, string]>([
  ['DynamoDB', aws => aws.get(), 'UnrecognizedClientException'],
  ['SQS', aws => aws.queue('Mails'), 'InvalidClientTokenId'],
  ['KMS', aws => aws.sign(), 'UnrecognizedClientException'],
  ['SES', aws => aws.mail('no-reply@example.com'), 'InvalidClientTokenId'],
])('a credential that no function holds is refused by %s', async (_, call, name) => {
  const forged = { ...system.credential('writer'), accessKeyId: 'ASIAFORGED0000000000' }
  await expect(call(sdk('writer', forged))).rejects.toMatchObject({ name })
})

test('a request without a credential is refused', async () => {
  const response = await fetch(system.awsUrl, { method: 'POST', body: '{}' })
  expect(response.status).toBe(403)
})

test('every allowed call is recorded by function, action and resource', async () => {
  const count = () =>
    system.calls.find(({ caller, action }) => caller === 'reader' && action === 'dynamodb:GetItem')?.count ?? 0
  const before = count()
  await sdk('reader').get()
  await sdk('reader').get()
  expect(count()).toBe(before + 2)
  await sdk('reader')
    .put()
    .catch(() => {})
  expect(system.calls.map(({ caller, action }) => `${caller} ${action}`)).not.toContain('reader dynamodb:PutItem')
})

test('a body that is not JSON, or incomplete, does no harm', async () => {
  const { accessKeyId } = system.credential('reader')
  const headers = {
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none`,
    'x-amz-target': 'DynamoDB_20120810.GetItem',
    'content-type': 'application/x-amz-json-1.0',
  }
  for (const body of ['', 'null', '[]', '{', '"text"', '{"TableName":"Gatehouse-Accounts","Key":null}']) {
    const response = await fetch(system.awsUrl, { method: 'POST', headers, body })
    expect({ body, isRefused: response.status >= 400 }).toEqual({ body, isRefused: true })
  }
  await sdk('reader').get()
})
