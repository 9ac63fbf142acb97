import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { AccountItem } from '../accounts/account/attributes.ts'
import { accountKinds } from '../shared/base/families.ts'
import { accountsLike, counterLike, foundBy, guarded } from './people.ts'
import { connected, idClaims, identity } from './provider.ts'

function typed(value: unknown): object {
  if (value === null) return { NULL: true }
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

/** The name of the table of counters. */
export const countersTable = 'RateLimits'

/** Members of requests that the answers depend on. */
interface Input {
  Key?: Record<string, { S: string }>
  TableName?: string
  ExpressionAttributeValues?: object
  MessageBody?: string
  Message?: string
}

/** Answers for all of AWS's APIs, and for a provider, over TLS, at the least cost. @param item of `person` */
export async function startStandIn(item: AccountItem, importedHashes: readonly string[]) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signature = (data: Uint8Array) => sign('sha256', data, privateKey)
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const accounts = accountsLike(item, importedHashes)
  const keyOf = (key: Input['Key'] = {}) => Object.values(key)[0]?.S ?? ''
  const accountOf = (email: string) => accounts.find(account => account.email === email) ?? item
  /** The accounts, and the entries that lead to them. */
  const items = new Map<string, object>(
    accounts.flatMap(({ id, ...account }) => [
      [`${accountKinds.Accounts}${id}`, { id, ...account }],
      [`${accountKinds.Addresses}${account.email}`, { id }],
    ]),
  )
  items.set(`${accountKinds.Identities}${identity.key}`, { id: accountOf(connected.email).id })
  const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  function idToken(): string {
    const text = `${base64url({ alg: 'RS256', kid: 'key' })}.${base64url(idClaims())}`
    return `${text}.${signature(Buffer.from(text)).toString('base64url')}`
  }
  const keys = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key', alg: 'RS256', use: 'sig' }] }
  const ofProvider: Record<string, () => object> = { '/token': () => ({ id_token: idToken() }), '/keys': () => keys }
  const answers: Record<string, (input: Input) => object> = {
    GetItem: ({ Key, TableName }) => {
      const found = TableName === countersTable ? counterLike(item, keyOf(Key)) : items.get(keyOf(Key))
      return found ? { Item: typedMembers(found) } : {}
    },
    TransactWriteItems: () => ({}),
    PutItem: () => ({}),
    UpdateItem: ({ Key }) => ({ Attributes: typedMembers({ ...(items.get(keyOf(Key)) ?? item), n: 1 }) }),
    DeleteItem: () => ({}),
    Query: ({ ExpressionAttributeValues }) => {
      const asked = JSON.stringify(ExpressionAttributeValues)
      const [, email = item.email] = foundBy.find(([value]) => asked.includes(value)) ?? []
      return { Items: [typedMembers({ key: `${accountKinds.Accounts}${accountOf(email).id}` })] }
    },
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
    // With the second factor's key.
    Encrypt: () => ({ KeyId: 'key', CiphertextBlob: randomBytes(180).toString('base64') }),
    Decrypt: () => ({ KeyId: 'key', Plaintext: guarded.secret.toString('base64') }),
  }

  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const server = createServer({ ...certify(directory), keepAlive: true }, async (request, response) => {
    const body = await text(request)
    const action = String(request.headers['x-amz-target']).split('.').at(-1) ?? ''
    const ofAws = answers[action]
    const answer = ofProvider[request.url ?? ''] ?? (ofAws && (() => ofAws(JSON.parse(body))))
    const content = answer ? JSON.stringify(answer()) : sentMail
    response.writeHead(200, {
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
    accountOf,
    /** RS256, with the key of its KMS. */
    sign: signature,
    /** The variables that tell a function its address and certificate. */
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

/** Has OpenSSL write a key and a self-signed certificate for `localhost` into a folder: Node cannot make certificates. */
function certify(directory: string): { key: Buffer; cert: Buffer } {
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', '-x509', '-days', '1', ...subject, ...files], { stdio: 'pipe' })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}
