import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { withClient } from '../shared/accounts/remembered-clients.ts'
import { writeRefreshToken } from '../shared/accounts/sessions/refresh-token.ts'
import { newSession } from '../shared/accounts/sessions/session.ts'
import { hashToken } from '../shared/accounts/tokens/one-time-token.ts'
import { type AccountItem, toAccount, toClients } from '../shared/store/account-item.ts'
import { toSessionItem } from '../shared/store/session-item.ts'
import { variables } from '../test/support/stack/variables.ts'

export const person = { email: 'ada@example.com', password: 'correct horse' }
/** An imported account, whose hash may cost less than today's. */
export const imported = { email: 'imported@example.com' }
/** An account with a second factor. */
export const guarded = { email: 'guarded@example.com' }
const factor = { totp_secret: randomBytes(180), totp_last_step: 0, recovery_codes: new Set([hashToken('a code')]) }
/** An account with a session that is an hour old, and its refresh token. */
const returning = { email: 'returning@example.com' }
const opening = { now: () => new Date(Date.now() - 3_600_000), randomBytes }
const { session, secret } = newSession(opening, { tokenVersion: 0, sessions: [] }, 'Phone', ['pwd'])
export const refreshToken = writeRefreshToken(returning.email, session, secret)
/** The one-time token of the account, which stores its hash. */
export const oneTimeToken = 'x'.repeat(43)

const opened = '2026-01-01T00:00:00.000Z'
const later = '2100-01-01T00:00:00.000Z'

/** The item of `person`: both tokens work, and the client of `test/support/service/http.ts` has logged in today. */
export function itemOf(passwordHash: string): AccountItem {
  const item: AccountItem = {
    email: person.email,
    id: '01980000-0000-7000-8000-000000000001',
    name: 'Ada',
    password_hash: passwordHash,
    is_admin: false,
    is_verified: false,
    token_version: 0,
    created_at: opened,
    updated_at: opened,
    email_verification_token: hashToken(oneTimeToken),
    email_verification_expires: later,
    email_verification_requested_at: opened,
    password_reset_token: hashToken(oneTimeToken),
    password_reset_expires: later,
    password_reset_requested_at: opened,
  }
  return { ...item, remembered_remotes: toClients(withClient(toAccount(item), '203.0.113.7', new Date()) ?? []) }
}

function typed(value: unknown): object {
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'number') return { N: String(value) }
  if (typeof value === 'boolean') return { BOOL: value }
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') }
  if (value instanceof Set) return { SS: [...value] }
  return Array.isArray(value) ? { L: value.map(typed) } : { M: typedMembers(value as object) }
}
const typedMembers = (members: object): object =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, typed(value)]))

const sentMail =
  '<SendEmailResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><SendEmailResult><MessageId>1</MessageId></SendEmailResult></SendEmailResponse>'
const refused = '{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"no"}'

/** Answers for all of AWS's APIs, over TLS, without any work of its own. @param item of `person` */
export async function startStandIn(item: AccountItem, importedHash: string, isGuessLimitReached: boolean) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signature = (data: Uint8Array) => sign('sha256', data, privateKey)
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const answers: Record<string, (input: Record<string, string>) => object> = {
    GetItem: ({ Key, TableName }) => {
      if (TableName === variables.RATE_LIMITS_TABLE) return { Item: { n: { N: '100' }, guesses: { SS: ['0#guess'] } } }
      const key = JSON.stringify(Key)
      if (key.includes(person.email)) return { Item: typedMembers(item) }
      if (key.includes(guarded.email)) return { Item: typedMembers({ ...item, ...guarded, ...factor }) }
      if (key.includes(returning.email)) {
        return { Item: typedMembers({ ...item, ...returning, sessions: { [session.id]: toSessionItem(session) } }) }
      }
      return key.includes(imported.email)
        ? { Item: typedMembers({ ...item, ...imported, password_hash: importedHash }) }
        : {}
    },
    PutItem: () => ({}),
    UpdateItem: () => ({ Attributes: typedMembers({ ...item, n: 1 }) }),
    DeleteItem: () => ({}),
    Query: () => ({ Items: [typedMembers({ email: item.email })] }),
    SendMessage: ({ MessageBody = '' }) => ({
      MessageId: item.id,
      MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
    }),
    GetPublicKey: () => ({ KeyId: 'key', PublicKey: spki, KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' }),
    Sign: ({ Message = '' }) => ({
      KeyId: 'key',
      Signature: signature(Buffer.from(Message, 'base64')).toString('base64'),
      SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
    }),
  }

  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const server = createServer({ ...certify(directory), keepAlive: true }, async (request, response) => {
    const body = await text(request)
    const action = String(request.headers['x-amz-target']).split('.').at(-1) ?? ''
    const answer = answers[action]
    const isRefused = isGuessLimitReached && action === 'UpdateItem' && body.includes('#pair')
    const content = isRefused ? refused : answer ? JSON.stringify(answer(JSON.parse(body))) : sentMail
    response.writeHead(isRefused ? 400 : 200, {
      'content-type': answer ? 'application/x-amz-json-1.0' : 'text/xml',
      'content-length': Buffer.byteLength(content),
    })
    response.end(content)
  })
  await new Promise<void>(resolve => void server.listen(0, 'localhost', resolve))
  const url = `https://localhost:${(server.address() as AddressInfo).port}`
  return {
    url,
    publicKey,
    /** RS256, by the key of its KMS. */
    sign: signature,
    /** The variables by which a function finds it and trusts its certificate. */
    environment: {
      AWS_ENDPOINT_URL: url,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'ASIA0000000000000000',
      AWS_SECRET_ACCESS_KEY: 'x'.repeat(40),
      AWS_SESSION_TOKEN: 'x'.repeat(700),
      NODE_EXTRA_CA_CERTS: join(directory, 'cert.pem'),
    },
    async [Symbol.asyncDispose]() {
      rmSync(directory, { recursive: true })
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** Has OpenSSL write a key and a self-signed certificate for `localhost` into a folder: Node only reads certificates. */
function certify(directory: string): { key: Buffer; cert: Buffer } {
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', '-x509', '-days', '1', ...subject, ...files], { stdio: 'pipe' })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}
