import { createPublicKey, createVerify, randomUUID } from 'node:crypto'
import bcrypt from 'bcryptjs'
import { rawCall } from './aws/raw-call.ts'

/**
 * The calls to AWS of `register`, `login` and `get-me` without the rest of our code: no SDK, no checks. `load.ts` measures the
 * system with these in place of the three functions: the floor, the least that they could cost.
 */

const { env } = process
const cost = Number(env.BCRYPT_COST)
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const bodyOf = (event: { body?: string }) => JSON.parse(event.body ?? '{}')
const usersTable = { TableName: env.USERS_TABLE }
const answer = (statusCode: number, body: object) => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export async function register(event: { body?: string }) {
  const { email, password } = bodyOf(event)
  const hash = await bcrypt.hash(password, cost)
  const message = { kind: 'registration', email, token: 'x'.repeat(43), requested_at: Date.now() }
  await rawCall('sqs', 'SendMessage', {
    QueueUrl: env.MAIL_QUEUE_URL,
    MessageBody: JSON.stringify(message),
    DelaySeconds: 2,
  })
  const item = { email: { S: email }, id: { S: randomUUID() }, password_hash: { S: hash } }
  const condition = 'attribute_not_exists(email)'
  await rawCall('dynamodb', 'PutItem', { ...usersTable, Item: item, ConditionExpression: condition })
  return answer(201, { email })
}

const findItem = async (email: string): Promise<Record<string, { S: string }>> => {
  const found = await rawCall('dynamodb', 'GetItem', {
    ...usersTable,
    Key: { email: { S: email } },
    ConsistentRead: true,
  })
  return (found as { Item: Record<string, { S: string }> }).Item
}

export async function login(event: { body?: string }) {
  const { email, password } = bodyOf(event)
  const { password_hash } = await findItem(email)
  if (!(await bcrypt.compare(password, password_hash?.S ?? ''))) return answer(401, {})
  const input = `${encode({ alg: 'RS256' })}.${encode({ email })}`
  const signed = await rawCall('kms', 'Sign', {
    KeyId: env.SIGNING_KEY_ID,
    Message: Buffer.from(input).toString('base64'),
    MessageType: 'RAW',
    SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
  })
  const { Signature } = signed as { Signature: string }
  return answer(200, { access_token: `${input}.${Buffer.from(Signature, 'base64').toString('base64url')}` })
}

let key: Promise<ReturnType<typeof createPublicKey>> | undefined
async function fetchKey() {
  const { PublicKey } = (await rawCall('kms', 'GetPublicKey', { KeyId: env.SIGNING_KEY_IDS })) as { PublicKey: string }
  return createPublicKey({ key: Buffer.from(PublicKey, 'base64'), format: 'der', type: 'spki' })
}

export async function me(event: { headers: Record<string, string> }) {
  key ??= fetchKey()
  const [header, claims = '', signature = ''] = event.headers.authorization?.slice('Bearer '.length).split('.') ?? []
  const isValid = createVerify('sha256')
    .update(`${header}.${claims}`)
    .verify(await key, signature, 'base64url')
  if (!isValid) return answer(401, {})
  const item = await findItem(JSON.parse(Buffer.from(claims, 'base64url').toString()).email)
  return answer(200, { email: item.email?.S })
}
