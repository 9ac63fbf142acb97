import { createHash, createHmac } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'

/**
 * Calls AWS without the SDK: the request is only built and signed (Signature Version 4). This is the least that any code
 * must do for the call.
 */
export function rawCall(service: 'dynamodb' | 'sqs' | 'kms', action: string, input: object): Promise<unknown> {
  const { AWS_ENDPOINT_URL = '', AWS_REGION = '', AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env
  const url = new URL(AWS_ENDPOINT_URL)
  const body = JSON.stringify(input)
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const headers: Record<string, string> = {
    'content-type': `application/x-amz-json-${service === 'kms' ? '1.1' : '1.0'}`,
    host: url.host,
    'x-amz-date': time,
    'x-amz-security-token': process.env.AWS_SESSION_TOKEN ?? '',
    'x-amz-target': `${targets[service]}.${action}`,
  }
  const names = Object.keys(headers)
  const fields = names.map(name => `${name}:${headers[name]}\n`).join('')
  const canonical = ['POST', '/', '', fields, names.join(';'), sha256(body)].join('\n')
  const scope = [time.slice(0, 8), AWS_REGION, service, 'aws4_request']
  const toSign = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n')
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${AWS_SECRET_ACCESS_KEY}`)
  const credential = `${AWS_ACCESS_KEY_ID}/${scope.join('/')}`
  const signature = hmac(key, toSign).toString('hex')
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  headers['content-length'] = String(Buffer.byteLength(body))

  const options = { host: url.hostname, port: url.port, method: 'POST', headers }
  return new Promise((resolve, reject) => {
    const receive = (response: http.IncomingMessage) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => (text += chunk))
      response.on('end', () => resolve(JSON.parse(text)))
    }
    const request =
      url.protocol === 'https:'
        ? https.request({ ...options, agent: agents.https }, receive)
        : http.request({ ...options, agent: agents.http }, receive)
    request.on('error', reject).end(body)
  })
}

const agents = { https: new https.Agent({ keepAlive: true }), http: new http.Agent({ keepAlive: true }) }
const targets = { dynamodb: 'DynamoDB_20120810', sqs: 'AmazonSQS', kms: 'TrentService' }
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
