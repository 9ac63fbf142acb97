import { createHash, createHmac, type createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { writeRefreshToken } from '../../shared/accounts/sessions/refresh-token.ts'
import { newSession } from '../../shared/accounts/sessions/session.ts'
import { toSessionItem } from '../../shared/store/session-item.ts'
import { variables } from '../../test/support/stack/variables.ts'

/** Answers for all of AWS's APIs, over TLS, without any work of its own. */
export interface StandIn extends AsyncDisposable {
  url: string
  /** The variables by which a function finds it and trusts its certificate. */
  environment: Record<string, string>
  /** Of the key that its KMS signs with. */
  publicKey: ReturnType<typeof createPublicKey>
  /** A JWT signed with RS256, like those of `login`. */
  signed(header: object, claims: object): string
}

export const person = {
  email: 'ada@example.com',
  password: 'correct horse',
  id: '01980000-0000-7000-8000-000000000001',
}
/** An imported account, whose hash may cost less than today's. */
export const imported = { email: 'imported@example.com' }
/** An account that has a session, and its refresh token. */
const returning = { email: 'returning@example.com' }
const { session, secret } = newSession(
  { now: () => new Date(Date.now() - 3_600_000), randomBytes },
  { tokenVersion: 0, sessions: [] },
  null,
)
export const refreshToken = writeRefreshToken(returning.email, session, secret)
/** The one-time token of the account, which stores its hash. */
export const oneTimeToken = 'x'.repeat(43)

const later = '2100-01-01T00:00:00.000Z'
const hash = createHash('sha256').update(oneTimeToken).digest('hex')

export interface StandInOptions {
  /** Whether each address has reached its limit of guesses. */
  isGuessLimitReached?: boolean
  /** The hash of the account `imported`; by default that of `person`. */
  importedHash?: string
}

/** The client address of the events of `test/support/service/http.ts`. The owner of the account has logged in from there today. */
const clientAddress = '203.0.113.7'

/** @param passwordHash of the account `person` */
export async function startStandIn(
  passwordHash: string,
  { isGuessLimitReached = false, importedHash = passwordHash }: StandInOptions = {},
): Promise<StandIn> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const item = {
    email: { S: person.email },
    id: { S: person.id },
    name: { S: 'Ada' },
    password_hash: { S: passwordHash },
    is_admin: { BOOL: false },
    is_verified: { BOOL: false },
    token_version: { N: '0' },
    created_at: { S: '2026-01-01T00:00:00.000Z' },
    updated_at: { S: '2026-01-01T00:00:00.000Z' },
    email_verification_token: { S: hash },
    email_verification_expires: { S: later },
    email_verification_requested_at: { S: '2026-01-01T00:00:00.000Z' },
    password_reset_token: { S: hash },
    password_reset_expires: { S: later },
    password_reset_requested_at: { S: '2026-01-01T00:00:00.000Z' },
    remembered_remotes: {
      L: [
        {
          M: {
            hash: { S: createHmac('sha256', person.id).update(clientAddress).digest('base64url') },
            at: { S: new Date().toISOString() },
          },
        },
      ],
    },
  }
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const answers: Record<string, (input: Record<string, string>) => object> = {
    GetItem: ({ Key, TableName }) => {
      if (TableName === variables.RATE_LIMITS_TABLE) return { Item: { n: { N: '100' }, guesses: { SS: ['0#guess'] } } }
      const key = JSON.stringify(Key)
      if (key.includes(imported.email)) {
        return { Item: { ...item, email: { S: imported.email }, password_hash: { S: importedHash } } }
      }
      if (key.includes(returning.email)) {
        const sessions = attribute({ [session.id]: toSessionItem(session) })
        return { Item: { ...item, email: { S: returning.email }, sessions } }
      }
      return key.includes(person.email) ? { Item: item } : {}
    },
    PutItem: () => ({}),
    UpdateItem: () => ({ Attributes: { ...item, n: { N: '1' } } }),
    DeleteItem: () => ({}),
    Query: () => ({ Items: [{ email: item.email }] }),
    SendMessage: ({ MessageBody = '' }) => ({
      MessageId: person.id,
      MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
    }),
    GetPublicKey: () => ({ KeyId: 'key', PublicKey: spki, KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' }),
    Sign: ({ Message = '' }) => ({
      KeyId: 'key',
      Signature: sign('sha256', Buffer.from(Message, 'base64'), privateKey).toString('base64'),
      SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
    }),
  }
  const sent =
    '<SendEmailResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><SendEmailResult><MessageId>1</MessageId></SendEmailResult></SendEmailResponse>'

  const refused = '{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"no"}'

  const { key, cert } = selfSigned()
  const server = createServer({ key, cert, keepAlive: true }, async (request, response) => {
    const body = await text(request)
    const action =
      String(request.headers['x-amz-target'] ?? '')
        .split('.')
        .at(-1) ?? '' // prettier-ignore
    const answer = answers[action]
    const isRefused = isGuessLimitReached && action === 'UpdateItem' && body.includes('#pair')
    const content = isRefused ? refused : answer ? JSON.stringify(answer(JSON.parse(body))) : sent
    response.writeHead(isRefused ? 400 : 200, {
      'content-type': answer ? 'application/x-amz-json-1.0' : 'text/xml',
      'content-length': Buffer.byteLength(content),
    })
    response.end(content)
  })
  await new Promise<void>(resolve => void server.listen(0, 'localhost', resolve))
  const url = `https://localhost:${(server.address() as AddressInfo).port}`
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  writeFileSync(join(directory, 'ca.pem'), cert)

  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  return {
    url,
    publicKey,
    environment: {
      AWS_ENDPOINT_URL: url,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'ASIA0000000000000000',
      AWS_SECRET_ACCESS_KEY: 'x'.repeat(40),
      AWS_SESSION_TOKEN: 'x'.repeat(700),
      NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem'),
    },
    signed(header, claims) {
      const input = `${encode(header)}.${encode(claims)}`
      return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`
    },
    async [Symbol.asyncDispose]() {
      rmSync(directory, { recursive: true })
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A value as DynamoDB writes it. */
function attribute(value: unknown): object {
  if (value === null) return { NULL: true }
  if (Array.isArray(value)) return { L: value.map(attribute) }
  if (typeof value !== 'object') return typeof value === 'number' ? { N: String(value) } : { S: value }
  return { M: Object.fromEntries(Object.entries(value).map(([name, member]) => [name, attribute(member)])) }
}

/** DER (X.690): tag, length, content. */
function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const sequence = (...contents: Uint8Array[]) => der(0x30, ...contents)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const time = (date: Date) => der(0x17, Buffer.from(date.toISOString().replace(/^..|[-:T]|\.\d+/g, '')))

/** A self-signed certificate for `localhost` (RFC 5280 §4.1). */
function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const algorithm = sequence(oid('2a864886f70d01010b'), der(0x05))
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('localhost')))))
  const extensions = [
    sequence(oid('551d11'), der(0x04, sequence(der(0x82, Buffer.from('localhost'))))),
    sequence(oid('551d13'), der(0x04, sequence(der(0x01, Buffer.from([0xff]))))),
  ]
  const hour = 3_600_000
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(new Date(Date.now() - hour)), time(new Date(Date.now() + 24 * hour))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', toBeSigned, privateKey)
  const certificate = sequence(toBeSigned, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}
