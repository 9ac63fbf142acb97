// The least work that a function's result requires, to measure the function against.
import { createHash, createHmac, createPublicKey, createVerify, type KeyObject } from 'node:crypto'
import { Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import bcrypt from 'bcryptjs'

/** Of `login`. */
export const compare = ({ password, hash }: { password: string; hash: string }) => bcrypt.compare(password, hash)

let key: KeyObject | undefined

/** Of `get-me`: verifies a token, and reads its account. @param publicKey in PEM */
export async function readAccount({ token, publicKey }: { token: string; publicKey: string }) {
  key ??= createPublicKey(publicKey)
  const [header, claims = '', signature = ''] = token.split('.')
  createVerify('sha256').update(`${header}.${claims}`).verify(key, signature, 'base64url')
  const { email } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  return call('DynamoDB_20120810.GetItem', { TableName: 'Users', Key: { email: { S: email } }, ConsistentRead: true })
}

const agent = new Agent({ keepAlive: true })
const sha256 = (data: string): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()

/** Calls DynamoDB without the SDK: only builds and signs the request (Signature Version 4). */
function call(target: string, input: object): Promise<unknown> {
  const { AWS_ENDPOINT_URL = '', AWS_REGION = '', AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env
  const body = JSON.stringify(input)
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const headers: Record<string, string> = {
    'content-type': 'application/x-amz-json-1.0',
    host: new URL(AWS_ENDPOINT_URL).host,
    'x-amz-date': time,
    'x-amz-security-token': process.env.AWS_SESSION_TOKEN ?? '',
    'x-amz-target': target,
  }
  const names = Object.keys(headers).join(';')
  const fields = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const canonical = ['POST', '/', '', fields.join(''), names, sha256(body)].join('\n')
  const scope = [time.slice(0, 8), AWS_REGION, 'dynamodb', 'aws4_request']
  const toSign = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n')
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${AWS_SECRET_ACCESS_KEY}`)
  const credential = `${AWS_ACCESS_KEY_ID}/${scope.join('/')}`
  const signature = hmac(key, toSign).toString('hex')
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`
  headers['content-length'] = String(Buffer.byteLength(body))
  return new Promise((resolve, reject) => {
    request(AWS_ENDPOINT_URL, { method: 'POST', headers, agent }, async response =>
      resolve(JSON.parse(await text(response))),
    )
      .on('error', reject)
      .end(body)
  })
}
