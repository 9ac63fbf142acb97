import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { perMillion } from '../../operations/stack/check.ts'
import { everything } from '../support/stack/settings.ts'
import { permissionsIn, type Statement, synthesize } from '../support/stack/template.ts'
import { operate } from '../support/system/operate.ts'
import { serve } from '../support/web-server.ts'

/** `stack -- check` on AWS's answers: a stand-in answers each of its calls. */

const days = (count: number): number => Date.now() / 1000 + count * 24 * 60 * 60

interface World {
  subscription: string
  alarms: { AlarmName: string; ActionsEnabled: boolean; StateValue: string }[]
  ses: Record<string, unknown>
  executions: number
  ran: number
  keyState: string
  recovery: string
  isProtected: boolean
  certificate: Record<string, unknown>
  denied: string
}

const healthy: World = {
  subscription: 'arn:aws:sns:eu-central-1:111122223333:alarms:1',
  alarms: [
    { AlarmName: 'Gatehouse-staging-Bounces', ActionsEnabled: true, StateValue: 'ALARM' },
    { AlarmName: 'Gatehouse-staging-DeadLetters', ActionsEnabled: true, StateValue: 'OK' },
  ],
  ses: {
    ProductionAccessEnabled: true,
    SendingEnabled: true,
    EnforcementStatus: 'HEALTHY',
    SendQuota: { Max24HourSend: 50_000, SentLast24Hours: 100 },
  },
  executions: 1000,
  ran: 12,
  keyState: 'Enabled',
  recovery: 'ENABLED',
  isProtected: true,
  certificate: { Status: 'ISSUED', NotAfter: days(60) },
  denied: '',
}
let world = healthy
const called = new Set<string>()

/** The answers, by action. */
const answers: Record<string, () => unknown> = {
  'sns:ListSubscriptionsByTopic': () =>
    `<ListSubscriptionsByTopicResponse><ListSubscriptionsByTopicResult><Subscriptions><member><SubscriptionArn>${world.subscription}</SubscriptionArn></member></Subscriptions></ListSubscriptionsByTopicResult></ListSubscriptionsByTopicResponse>`,
  'cloudwatch:DescribeAlarms': () => ({ MetricAlarms: world.alarms }),
  'cloudwatch:GetMetricStatistics': () => ({ Datapoints: [{ Maximum: world.ran }, { Maximum: 1 }] }),
  'ses:GetAccount': () => world.ses,
  'lambda:GetAccountSettings': () => ({ AccountLimit: { ConcurrentExecutions: world.executions } }),
  'kms:DescribeKey': () => ({ KeyMetadata: { KeyId: 'x', KeyState: world.keyState } }),
  'dynamodb:DescribeContinuousBackups': () => ({
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: world.recovery },
    },
  }),
  'dynamodb:DescribeTable': () => ({ Table: { DeletionProtectionEnabled: world.isProtected } }),
  'acm:DescribeCertificate': () => ({ Certificate: world.certificate }),
}
const services: Record<string, string> = {
  GraniteServiceVersion20100801: 'cloudwatch',
  TrentService: 'kms',
  DynamoDB_20120810: 'dynamodb',
  CertificateManager: 'acm',
}

/** The action of a request, in each of the protocols that AWS's services speak. */
function actionOf(url: string, target: string, body: string): string {
  const [service = '', name = ''] = target.split('.')
  if (name) return `${services[service]}:${name}`
  if (url.includes('/account-settings')) return 'lambda:GetAccountSettings'
  if (url.startsWith('/v2/email/account')) return 'ses:GetAccount'
  return `sns:${new URLSearchParams(body).get('Action')}`
}

const certificateRegions = new Set<string>()

const server = await serve(async (request, response) => {
  const body = await text(request)
  const action = actionOf(request.url ?? '', String(request.headers['x-amz-target'] ?? ''), body)
  called.add(action)
  // Credential=<key>/<day>/<region>/… (AWS Signature Version 4)
  if (action === 'acm:DescribeCertificate') certificateRegions.add(request.headers.authorization?.split('/')[2] ?? '')
  if (action === world.denied) {
    const message = `not authorized to perform: ${action}`
    response.writeHead(400).end(JSON.stringify({ __type: 'AccessDeniedException', message }))
    return
  }
  const answer = answers[action]?.()
  response.writeHead(answer === undefined ? 501 : 200)
  response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
})
afterAll(() => server.close())

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-stack-'))
const outputs = {
  AccountsTable: 'users',
  RateLimitsTable: 'limits',
  MailQueue: 'https://sqs.eu-central-1.amazonaws.com/111122223333/mails',
  DeadLetters: 'https://sqs.eu-central-1.amazonaws.com/111122223333/dead',
  SigningKeys: 'main=k1,next=k2',
  MailFrom: 'no-reply@example.com',
  FactorKey: 'arn:aws:kms:eu-central-1:111122223333:key/f',
  ProviderKey: 'arn:aws:kms:eu-central-1:111122223333:key/p',
  OperatorStackPolicy: 'arn:aws:iam::111122223333:policy/p',
  AlarmTopic: 'arn:aws:sns:eu-central-1:111122223333:alarms',
  ExpectedAccounts: '1000000',
  ApiCertificate: everything.API_CERTIFICATE_ARN,
  CatalogueCertificate: everything.CATALOGUE_CERTIFICATE_ARN,
}

/** Runs the command on a stack with these outputs and answers. */
async function check(changes: Partial<World>, others: object = {}, ...options: string[]) {
  world = { ...healthy, ...changes }
  const file = join(directory, 'outputs.json')
  writeFileSync(file, JSON.stringify({ 'Gatehouse-staging': { ...outputs, ...others } }))
  return operate('stack', ['check', '--outputs', file, ...options], {
    env: {
      AWS_ENDPOINT_URL: server.url,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
  })
}
const failures = (stdout: string): string[] => stdout.split('\n').filter(line => line.startsWith('FAIL'))

test('a stack as it should be has a line for each check, none failing', async () => {
  const { status, stdout, stderr } = await check({})
  expect([status, stderr, failures(stdout)]).toEqual([0, '', []])
  expect(stdout).toMatch(/^\d+ ok, 0 failed, 0 skipped$/m)
})

test('its policy allows each call that it makes, and no other', async () => {
  await check({})
  const template = synthesize(everything)
  const policies = template.all('AWS::IAM::ManagedPolicy').filter(([id]) => id.startsWith('OperatorStackPolicy'))
  const statements = policies.flatMap(
    ([, { Properties }]) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement,
  )
  const allowed = new Set(permissionsIn(statements).map(permission => permission.replace(/ on .*/, '')))
  expect([...allowed].sort()).toEqual([...called].sort())
})

test('what a million accounts need is what the guide says', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/deploy.md'), 'utf8')
  const needed = (row: RegExp): number => Number(row.exec(guide)?.[1]?.replace(',', ''))
  expect(needed(/^\| SES in its sandbox: .*? \| 200 \| \**([\d,]+)/m)).toBe(perMillion.mailsADay)
  expect(needed(/^\| Lambda in a new account: .*? \| 10 \| \**([\d,]+)/m)).toBe(perMillion.executions)
})

const quota = (sent: number, max: number) => ({
  ...healthy.ses,
  SendQuota: { Max24HourSend: max, SentLast24Hours: sent },
})
test.each<[string, Partial<World>, RegExp, number]>([
  ['nobody has subscribed', { subscription: '' }, /hears of alarms: .*aws sns subscribe --topic-arn arn:/, 1],
  ['the subscription is not confirmed', { subscription: 'PendingConfirmation' }, /hears of alarms: /, 1],
  ['the stack is gone', { alarms: [] }, /alarms act: the stack has none/, 1],
  [
    'an alarm that is in force does nothing',
    { alarms: healthy.alarms.map(alarm => ({ ...alarm, ActionsEnabled: false })) },
    /--alarm-names Gatehouse-staging-Bounces Gatehouse-staging-DeadLetters; in force, and unheard: Gatehouse-staging-Bounces$/,
    1,
  ],
  ['SES is in its sandbox', { ses: { ...healthy.ses, ProductionAccessEnabled: false } }, /sandbox/, 1],
  ['SES has paused', { ses: { ...healthy.ses, SendingEnabled: false } }, /paused/, 1],
  ['SES has shut down', { ses: { ...healthy.ses, EnforcementStatus: 'SHUTDOWN' } }, /paused/, 1],
  ['four mails of five are sent', { ses: quota(4000, 5000) }, /4000 of 5000 mails/, 1],
  ['the quota of mails is too small', { ses: quota(0, perMillion.mailsADay - 1) }, /need 4667 mails a day/, 1],
  ['four executions of five ran', { ran: 800 }, /800 of 1000 executions/, 1],
  ['the quota of executions is too small', { executions: perMillion.executions - 1, ran: 0 }, /need 8 executions/, 1],
  ['keys are disabled', { keyState: 'Disabled' }, /it is Disabled: aws kms enable-key --key-id \S+$/, 4],
  [
    'keys are to be deleted',
    { keyState: 'PendingDeletion' },
    /cancel-key-deletion --key-id (\S+) && .*enable-key --key-id \1$/,
    4,
  ],
  [
    'nothing can be brought back',
    { recovery: 'DISABLED' },
    /update-continuous-backups --table-name (users|limits) /,
    2,
  ],
  [
    'the table can be deleted',
    { isProtected: false },
    /update-table --table-name users --deletion-protection-enabled$/,
    1,
  ],
  ['certificates are not issued', { certificate: { Status: 'PENDING_VALIDATION' } }, /it is PENDING_VALIDATION: /, 2],
  ['certificates end soon', { certificate: { Status: 'ISSUED', NotAfter: days(29.5) } }, /it ends in 29 days: /, 2],
  ['AWS denies a call', { denied: 'kms:DescribeKey' }, /OperatorStackPolicy names the policy/, 4],
])('where %s, it says what to do', async (_, changes, told, times) => {
  const { status, stdout } = await check(changes)
  expect(status).toBe(1)
  expect(failures(stdout)).toEqual(Array.from({ length: times }, () => expect.stringMatching(told)))
})

test.each<[string, Partial<World>]>([
  ['exactly as many mails as are needed', { ses: quota(0, perMillion.mailsADay) }],
  ['mails without a limit', { ses: quota(10, -1) }],
  ['just below four executions of five', { ran: 799 }],
  ['exactly as many executions as are needed', { executions: perMillion.executions, ran: 0 }],
  ['a certificate that ends in thirty days', { certificate: { Status: 'ISSUED', NotAfter: days(30.1) } }],
])('%s are enough', async (_, changes) => {
  expect(failures((await check(changes)).stdout)).toEqual([])
})

test('what a stack does not have is skipped, and says why', async () => {
  const none = {
    MailFrom: undefined,
    ProviderKey: undefined,
    ApiCertificate: undefined,
    CatalogueCertificate: undefined,
  }
  const { status, stdout } = await check({}, none, '--json')
  const { failed, skipped, checks } = JSON.parse(stdout)
  expect([status, failed, skipped]).toEqual([0, 0, 4])
  for (const { result, reason } of checks) expect(reason === undefined).toBe(result === 'ok')
})

test('the catalogue’s certificate is looked up where CloudFront reads it', async () => {
  await check({})
  expect([...certificateRegions].sort()).toEqual(['eu-central-1', 'us-east-1'])
})

test('outputs of an earlier version are refused with what to do', async () => {
  const { status, stderr } = await check({}, { OperatorStackPolicy: undefined })
  expect([status, stderr]).toEqual([1, expect.stringContaining('deploy, and write the file again')])
})
