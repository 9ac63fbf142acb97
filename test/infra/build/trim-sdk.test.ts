import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundling } from '../../../infra/build/function-bundles.ts'
import { serve } from '../../support/web-server.ts'

/** Trimming the SDK changes nothing: the same script runs with the full SDK and with the trimmed one. */

const script = `
  import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
  import { KMSClient, SignCommand } from '@aws-sdk/client-kms'
  import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses'
  import { SQSClient, SendMessageCommand } from '@aws-sdk/client-sqs'
  const clients = [DynamoDBClient, KMSClient, SESClient, SQSClient].map(Client => new Client({}))
  const [db, kms, ses, sqs] = clients
  const settings = ['region', 'maxAttempts', 'retryMode', 'defaultsMode', 'useFipsEndpoint', 'useDualstackEndpoint',
    'authSchemePreference', 'userAgentAppId', 'endpoint', 'accountIdEndpointMode', 'endpointDiscoveryEnabledProvider']
  const asked = async value => (typeof value === 'function' ? await value() : value)
  const tell = async client => Promise.all(settings.map(name => asked(client.config[name])))
  const refused = call => call.catch(({ name, message, $fault, $metadata }) =>
    ({ name, message, $fault, status: $metadata?.httpStatusCode, attempts: $metadata?.attempts }))
  export const told = async () => ({
    settings: await Promise.all(clients.map(tell)),
    errors: await Promise.all([
      refused(db.send(new GetItemCommand({ TableName: 'x', Key: { id: { S: 'x' } } }))),
      refused(kms.send(new SignCommand({ KeyId: 'x', Message: Buffer.from('x'), SigningAlgorithm: 'RSASSA_PSS_SHA_256' }))),
      refused(sqs.send(new SendMessageCommand({ QueueUrl: process.env.AWS_ENDPOINT_URL + '/1/x', MessageBody: 'x' }))),
      refused(ses.send(new SendEmailCommand({ Source: 'x', Destination: {}, Message: {} }))),
    ]),
  })`

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-sdk-'))
/** Answers with the status and the error that the request's path begins with. */
const aws = await serve(({ url = '', headers }, answer) => {
  const isQuery = !headers['x-amz-target']
  const [, status, name] = url.split('/')
  const message = 'It is refused.'
  answer.writeHead(Number(status), { 'content-type': isQuery ? 'text/xml' : 'application/x-amz-json-1.0' })
  answer.end(
    isQuery
      ? `<ErrorResponse><Error><Type>Sender</Type><Code>${name}</Code><Message>${message}</Message></Error></ErrorResponse>`
      : JSON.stringify({ __type: `com.amazonaws.any#${name}`, message }),
  )
})

type Environment = Record<string, string>
const refusedWith = (status: number, name: string): Environment => ({
  AWS_ENDPOINT_URL: `${aws.url}/${status}/${name}`,
})

const settings: [string, Environment][] = [
  ['by nothing but a region', {}],
  ['by a number of attempts', { AWS_MAX_ATTEMPTS: '2' }],
  ['by a number of attempts that is none', { AWS_MAX_ATTEMPTS: 'many' }],
  ['by a way to try again', { AWS_RETRY_MODE: 'adaptive' }],
  ['by a mode of defaults', { AWS_DEFAULTS_MODE: 'in-region' }],
  ['by a switch that is none', { AWS_USE_FIPS_ENDPOINT: 'perhaps' }],
  ['by two ends and a name', { AWS_USE_DUALSTACK_ENDPOINT: 'true', AWS_SDK_UA_APP_ID: 'gatehouse' }],
  ['by an account', { AWS_ACCOUNT_ID_ENDPOINT_MODE: 'disabled', AWS_ENABLE_ENDPOINT_DISCOVERY: 'false' }],
]
const refusals = [
  [400, 'ConditionalCheckFailedException'],
  [400, 'ProvisionedThroughputExceededException'],
  [400, 'ThrottlingException'],
  [400, 'NotFoundException'],
  [400, 'MessageRejected'],
  [400, 'Nonsense'],
  [403, 'AccessDenied'],
  [500, 'KMSInternalException'],
  [503, 'InternalServerError'],
] as const
const environments: Environment[] = [
  ...settings.map(([, environment]) => ({ ...refusedWith(400, 'AccessDeniedException'), ...environment })),
  ...refusals.map(([status, name]) => ({ ...refusedWith(status, name), AWS_MAX_ATTEMPTS: '2' })),
]

/** What each bundle prints in each environment, in this order. */
let full: unknown[]
let trimmed: unknown[]
beforeAll(async () => {
  const { entryPoints: _, outdir: __, plugins: ___, alias: ____, ...common } = bundling
  const input = { stdin: { contents: script, resolveDir: common.absWorkingDir }, write: true }
  await build({ ...common, ...input, outfile: join(directory, 'full.cjs') })
  const { alias, plugins } = bundling
  await build({ ...common, ...input, alias, plugins: [...plugins], outfile: join(directory, 'trimmed.cjs') })
  const told = await Promise.all(['full.cjs', 'trimmed.cjs'].map(toldBy))
  ;[full = [], trimmed = []] = told
})
afterAll(() => aws.close())

/** One process for all environments. The bundle is loaded anew in each: the SDK reads its environment when it loads too. */
const tell = `(async () => {
  const [bundle, environments] = process.argv.slice(1)
  const told = []
  for (const environment of JSON.parse(environments)) {
    const before = { ...process.env }
    Object.assign(process.env, environment)
    delete require.cache[require.resolve(bundle)]
    told.push(await require(bundle).told())
    for (const name of Object.keys(environment)) name in before ? (process.env[name] = before[name]) : delete process.env[name]
  }
  console.log(JSON.stringify(told))
})()`

async function toldBy(bundle: string): Promise<unknown[]> {
  const env = {
    HOME: directory,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  }
  const args = ['-e', tell, join(directory, bundle), JSON.stringify(environments)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return JSON.parse(stdout)
}

test.each(settings)('the trimmed SDK is configured as the full one %s', name => {
  const at = settings.findIndex(([other]) => other === name)
  expect(full[at]).toBeDefined()
  expect(trimmed[at]).toEqual(full[at])
})

test.each(refusals)('the trimmed SDK reports errors and retries as the full one: %i %s', (status, name) => {
  const at = settings.length + refusals.findIndex(([, other]) => other === name)
  expect(full[at]).toMatchObject({ errors: Array(4).fill({ status }) })
  expect(trimmed[at]).toEqual(full[at])
})
