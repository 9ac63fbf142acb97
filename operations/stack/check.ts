import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm'
import {
  CloudWatchClient,
  GetMetricStatisticsCommand,
  type MetricAlarm,
  paginateDescribeAlarms,
} from '@aws-sdk/client-cloudwatch'
import { DescribeContinuousBackupsCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { GetAccountCommand, SESv2Client } from '@aws-sdk/client-sesv2'
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns'
import { type Checklist, Skipped } from '../command-line/checklist.ts'
import { explain } from '../command-line/failures.ts'
import type { Stack } from '../command-line/stack.ts'

/** The AWS usage of a million people's accounts in the busiest hour: docs/deploy.md, "How many accounts". */
export const perMillion = { mailsADay: 4667, executions: 8 } as const

/** From this part of a quota on, ask for more: the answer takes up to several days. */
const nearly = 0.8

/** Days before its end in which a certificate is renewed by hand: ACM renews 60 days before (AWS ACM, "Managed renewal"). */
const renewalDays = 30

/** CloudFront takes certificates of this region alone. */
const cloudFrontRegion = 'us-east-1'

const day = 24 * 60 * 60 * 1000

/** Something for the operator to do. */
class Todo extends Error {
  override name = 'Todo'
}

/** Checks a stack's state on AWS, one call after another: the calls are few, and their quotas small. */
export async function checkStack(checklist: Checklist, { title, outputs, client }: Stack): Promise<void> {
  const now = new Date()
  const accounts = Number(outputs.ExpectedAccounts)
  const check = (rule: string, examine: () => Promise<void>) =>
    checklist.check(rule, async () => {
      try {
        await examine()
      } catch (error) {
        if (error instanceof Todo || error instanceof Skipped) throw error
        throw new Error([explain(error, 'stack') ?? String(error)].flat().join('\n'))
      }
    })
  const cloudWatch = new CloudWatchClient(client)

  await check('somebody hears of alarms', async () => {
    const TopicArn = outputs.AlarmTopic
    const pages = paginateListSubscriptionsByTopic({ client: new SNSClient(client) }, { TopicArn })
    for await (const { Subscriptions = [] } of pages) {
      if (Subscriptions.some(({ SubscriptionArn = '' }) => SubscriptionArn.startsWith('arn:'))) return
    }
    throw new Todo(`no subscription is confirmed: aws sns subscribe --topic-arn ${TopicArn} --protocol email \
--notification-endpoint <address>, then click the link in the mail`)
  })

  await check('alarms act', async () => {
    const alarms: MetricAlarm[] = []
    for await (const { MetricAlarms = [] } of paginateDescribeAlarms(
      { client: cloudWatch },
      { AlarmNamePrefix: `${title}-` },
    )) {
      alarms.push(...MetricAlarms)
    }
    if (alarms.length === 0) throw new Todo('the stack has none: does it still exist?')
    const silent = alarms.filter(({ ActionsEnabled }) => ActionsEnabled === false)
    if (silent.length === 0) return
    const names = (of: MetricAlarm[]) => of.map(({ AlarmName }) => AlarmName).join(' ')
    const inForce = silent.filter(({ StateValue }) => StateValue === 'ALARM')
    const unheard = inForce.length > 0 ? `; in force, and unheard: ${names(inForce)}` : ''
    throw new Todo(`actions are off: aws cloudwatch enable-alarm-actions --alarm-names ${names(silent)}${unheard}`)
  })

  const mail = new SESv2Client(client)
  await check('mail has room', async () => {
    if (outputs.MailFrom === undefined) throw new Skipped('this stack sends no mails')
    const {
      ProductionAccessEnabled,
      SendingEnabled,
      EnforcementStatus,
      SendQuota = {},
    } = await mail.send(new GetAccountCommand({}))
    const { Max24HourSend = 0, SentLast24Hours = 0 } = SendQuota
    const needed = Math.ceil((accounts / 1e6) * perMillion.mailsADay)
    if (!ProductionAccessEnabled)
      throw new Todo('SES is in its sandbox: SES → Account dashboard → Request production access')
    if (!SendingEnabled || EnforcementStatus === 'SHUTDOWN')
      throw new Todo('SES has paused sending: answer its case in AWS Support')
    // -1 means no limit.
    if (Max24HourSend < 0) return
    if (SentLast24Hours >= nearly * Max24HourSend) {
      throw new Todo(
        `${SentLast24Hours} of ${Max24HourSend} mails a day are sent: Service Quotas → Amazon SES → Sending quota`,
      )
    }
    if (Max24HourSend < needed) {
      throw new Todo(
        `${accounts} accounts need ${needed} mails a day, the quota is ${Max24HourSend}: Service Quotas → Amazon SES → Sending quota`,
      )
    }
  })

  await check('functions have room', async () => {
    const { AccountLimit } = await new LambdaClient(client).send(new GetAccountSettingsCommand({}))
    const quota = AccountLimit?.ConcurrentExecutions ?? 0
    const { Datapoints = [] } = await cloudWatch.send(
      new GetMetricStatisticsCommand({
        Namespace: 'AWS/Lambda',
        MetricName: 'ConcurrentExecutions',
        Statistics: ['Maximum'],
        StartTime: new Date(now.getTime() - 14 * day),
        EndTime: now,
        Period: day / 1000,
      }),
    )
    const most = Math.max(0, ...Datapoints.map(({ Maximum = 0 }) => Maximum))
    const needed = Math.ceil((accounts / 1e6) * perMillion.executions)
    const ask = 'Service Quotas → AWS Lambda → Concurrent executions'
    if (most >= nearly * quota)
      throw new Todo(`${most} of ${quota} executions ran at once in the last fortnight: ${ask}`)
    if (quota < needed)
      throw new Todo(`${accounts} accounts need ${needed} executions at once, the quota is ${quota}: ${ask}`)
  })

  const kms = new KMSClient(client)
  const keys: [string, string | undefined][] = [
    ...outputs.SigningKeys.split(',').map((pair): [string, string] => {
      const [name = '', id = ''] = pair.split('=')
      return [`the signing key ${name}`, id]
    }),
    ['the key of second factors', outputs.FactorKey],
    ['the key of secrets at providers', outputs.ProviderKey],
  ]
  for (const [name, KeyId] of keys) {
    await check(`${name} is enabled`, async () => {
      if (KeyId === undefined) throw new Skipped('this stack has none')
      const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId }))
      const state = KeyMetadata?.KeyState
      if (state === 'Enabled') return
      const first = state === 'PendingDeletion' ? `aws kms cancel-key-deletion --key-id ${KeyId} && ` : ''
      throw new Todo(`it is ${state}: ${first}aws kms enable-key --key-id ${KeyId}`)
    })
  }

  const dynamo = new DynamoDBClient(client)
  for (const [what, TableName] of [
    ['accounts', outputs.AccountsTable],
    ['counters and marks', outputs.RateLimitsTable],
  ]) {
    await check(`the table of ${what} can be brought back to any moment`, async () => {
      const { ContinuousBackupsDescription } = await dynamo.send(new DescribeContinuousBackupsCommand({ TableName }))
      const recovery = ContinuousBackupsDescription?.PointInTimeRecoveryDescription
      if (recovery?.PointInTimeRecoveryStatus === 'ENABLED') return
      throw new Todo(`point-in-time recovery is off: aws dynamodb update-continuous-backups --table-name ${TableName} \
--point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`)
    })
  }
  await check('the table of accounts cannot be deleted', async () => {
    const TableName = outputs.AccountsTable
    const { Table } = await dynamo.send(new DescribeTableCommand({ TableName }))
    if (Table?.DeletionProtectionEnabled) return
    throw new Todo(
      `deletion protection is off: aws dynamodb update-table --table-name ${TableName} --deletion-protection-enabled`,
    )
  })

  for (const [what, CertificateArn, region] of [
    ['API_DOMAIN', outputs.ApiCertificate, undefined],
    ['CATALOGUE_DOMAIN', outputs.CatalogueCertificate, cloudFrontRegion],
  ]) {
    await check(`the certificate of ${what} is good for ${renewalDays} days`, async () => {
      if (CertificateArn === undefined) throw new Skipped(`${what} is not set`)
      const acm = new ACMClient({ ...client, ...(region && { region }) })
      const { Certificate } = await acm.send(new DescribeCertificateCommand({ CertificateArn }))
      const records = 'see in ACM that its DNS records for validation are there'
      if (Certificate?.Status !== 'ISSUED') throw new Todo(`it is ${Certificate?.Status}: ${records}`)
      const left = Math.floor((Number(Certificate.NotAfter ?? 0) - now.getTime()) / day)
      if (left < renewalDays) throw new Todo(`it ends in ${left} days: ${records}, or import another`)
    })
  }
}
