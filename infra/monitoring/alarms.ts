import { Aws, CfnCondition, Duration, Fn } from 'aws-cdk-lib'
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront'
import {
  Alarm,
  type AlarmProps,
  type CfnAlarm,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import type { ILogGroup } from 'aws-cdk-lib/aws-logs'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { accountIndexes } from '../../accounts/account/attributes.ts'
import type { Api } from '../constructs/api.ts'
import type { Data } from '../constructs/data.ts'
import { pascalCase } from '../constructs/logical-id.ts'
import type { Mail } from '../constructs/mail.ts'
import type { Functions } from '../constructs/service-function.ts'
import type { Settings } from '../settings/settings.ts'
import { countOf, floodsFor, lastingErrorsFor, tooManyRequestsFor } from './event-alarms.ts'
import { describe, type Optional, type Runbook } from './runbooks.ts'

export interface Watched {
  api: Api
  data: Data
  mail: Mail
  functions: Functions
  /** Of all functions. */
  log: ILogGroup
  /** CloudFront's distribution of the catalogue, if there is one. */
  catalogue: Distribution | null
  settings: Pick<
    Settings,
    | 'BCRYPT_COST'
    | 'EXPECTED_ACCOUNTS'
    | 'OIDC_CLIENTS'
    | 'PASSKEY_RP_ID'
    | 'PASSWORD_BLOCKLIST'
    | 'SIGN_IN_PROVIDERS'
    | 'STAGE'
  >
}

/** The period of the thresholds below, unless stated. */
const period = Duration.minutes(5)

/** Seconds of a password hash on a full vCPU: half a second at cost 12 on Lambda's slower machines. */
const hashSeconds = (cost: number): number => 0.5 * 2 ** (cost - 12)

/**
 * The percentage of requests answered with 5xx, or 0 below `atLeast` of them. A metric has no data point without
 * requests, and an expression with a missing operand has none either: so each operand is filled.
 */
const failureRate = (api: Api, atLeast: number, period: Duration): MathExpression =>
  new MathExpression({
    label: 'Percent of requests answered with 5xx',
    expression: `IF(FILL(errors, 0) >= ${atLeast}, 100 * FILL(errors, 0) / FILL(requests, 1), 0)`,
    usingMetrics: { errors: api.http.metricServerError({ statistic: Stats.SUM }), requests: api.http.metricCount() },
    period,
  })

/** DynamoDB throttles each table and each index separately. */
const tablesAndIndexes = ({ accounts, rateLimits }: Data): [id: string, table: Table, index?: string][] => [
  ['Accounts', accounts],
  ...accountIndexes.map(({ index }) => [`Accounts${pascalCase(index)}`, accounts, index] as [string, Table, string]),
  ['RateLimits', rateLimits],
]

/** CloudFront's metrics are in us-east-1, for stacks of every region (Amazon CloudFront, "View CloudFront metrics"). */
export const cloudFrontRegion = 'us-east-1'

/** The percentage of requests to the catalogue that CloudFront answers with 5xx. */
export const catalogueErrors = ({ distributionId }: Distribution): Metric =>
  new Metric({
    namespace: 'AWS/CloudFront',
    metricName: '5xxErrorRate',
    dimensionsMap: { DistributionId: distributionId, Region: 'Global' },
    period,
  })

/** The alarms. Each notifies when it starts and ends, and its description says what to do first. */
export class Alarms extends Construct {
  readonly all: Alarm[] = []
  readonly #topic: ITopic

  constructor(scope: Construct, id: string, watched: Watched, topic: ITopic) {
    super(scope, id)
    const { api, data, mail, functions, catalogue, settings } = watched
    const { BCRYPT_COST, EXPECTED_ACCOUNTS, OIDC_CLIENTS, PASSKEY_RP_ID, SIGN_IN_PROVIDERS, STAGE: stage } = settings
    this.#topic = topic

    const deadLetters = mail.deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.MAXIMUM })
    this.#add('DeadLetters', 'dead-letters', deadLetters, 1)

    // A mail that keeps failing counts in each period; one that a retry sends counts once.
    this.#add('MailFailed', 'mail-failed', countOf('mail-failed', stage).with({ period }), 1, {
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
    })

    // One person who keeps asking for links exceeds a cap by two or three.
    this.#add('MailCapped', 'capped-mails', countOf('mail-capped', stage).with({ period: Duration.hours(1) }), 5)

    // The metric ignores messages that were received three times (Amazon SQS, "Available CloudWatch metrics"): it shows
    // that the worker takes no messages, not that mails fail.
    const age = mail.queue.metricApproximateAgeOfOldestMessage({ period, statistic: Stats.MAXIMUM })
    this.#add('OldestMail', 'oldest-mail', age, Duration.minutes(15).toSeconds())

    // Fewer than five errors in five minutes may be chance, unless they recur.
    this.#add('ServerErrors', 'server-errors', failureRate(api, 5, period), 1)
    this.#add('RecurringServerErrors', 'server-errors', failureRate(api, 1, Duration.minutes(15)), 1, {
      evaluationPeriods: 8,
      datapointsToAlarm: 2,
    })

    // Among many endpoints one can fail always without raising the rates above. So failures are counted too: crashes
    // and timeouts of functions, throttles, and the functions' own 503.
    const quarter = Duration.minutes(15)
    const failed = api.http.metricServerError({ period: quarter, statistic: Stats.SUM })
    this.#add('LastingErrors', 'server-errors', failed, lastingErrorsFor(EXPECTED_ACCOUNTS), {
      evaluationPeriods: 4,
      datapointsToAlarm: 3,
    })

    // The worker's failures appear in no request. One error may be chance; three in five minutes are not.
    const { lambda: worker, node } = functions['on-mail-queued']
    this.#add(`${node.id}Errors`, 'function-errors', worker.metricErrors({ period }), 3)
    this.#add(`${node.id}Throttles`, 'function-throttles', worker.metricThrottles({ period }), 3)

    // A second for a cold start and the calls, plus two hashes for the first login after a change of cost.
    const limit = 1000 * (1 + 2 * hashSeconds(BCRYPT_COST))
    const slowest = functions.login.lambda.metricDuration({ period, statistic: Stats.percentile(99) })
    this.#add('SlowLogins', 'slow-logins', slowest, limit, {
      evaluationPeriods: 3,
      // Of a handful of logins, the 99th percentile is just the slowest.
      evaluateLowSampleCountPercentile: 'ignore',
    })

    for (const [id, table, index] of tablesAndIndexes(data)) {
      const dimensionsMap = { TableName: table.tableName, ...(index && { GlobalSecondaryIndexName: index }) }
      for (const kind of ['Read', 'Write']) {
        // One alarm each instead of one of their sum: DynamoDB publishes data points only while it throttles.
        const throttled = table.metric(`${kind}ThrottleEvents`, { dimensionsMap, period, statistic: Stats.SUM })
        this.#add(`${id}${kind}Throttles`, 'table-throttles', throttled, 5)
      }
    }

    const has: Optional[] = [
      ...(OIDC_CLIENTS.length > 0 ? (['clients'] as const) : []),
      ...(PASSKEY_RP_ID !== '' ? (['passkeys'] as const) : []),
      ...(SIGN_IN_PROVIDERS.length > 0 ? (['providers'] as const) : []),
      ...(settings.PASSWORD_BLOCKLIST === 'online' ? (['blocklist'] as const) : []),
    ]
    for (const { event, threshold, minutes, runbook } of floodsFor(EXPECTED_ACCOUNTS, has)) {
      const counted = countOf(event, stage).with({ period: Duration.minutes(minutes) })
      this.#add(pascalCase(event), runbook, counted, threshold)
    }
    this.#add(
      'TooManyRequests',
      'too-many-requests',
      api.answered429.with({ period }),
      tooManyRequestsFor(EXPECTED_ACCOUNTS),
    )

    if (catalogue) {
      // An alarm watches metrics of its own region alone. A few failures among few requests are chance.
      const errors = this.#make('CatalogueErrors', 'server-errors', catalogueErrors(catalogue), 5, {
        evaluationPeriods: 3,
        datapointsToAlarm: 2,
      })
      const condition = new CfnCondition(this, 'SeesCloudFront', {
        expression: Fn.conditionEquals(Aws.REGION, cloudFrontRegion),
      })
      ;(errors.node.defaultChild as CfnAlarm).cfnOptions.condition = condition
    }

    if (mail.sender === null) return
    // SES puts an account under review at these rates (Amazon SES, "Monitoring your sender reputation").
    const hour = Duration.hours(1)
    const reputation = (metricName: string) => new Metric({ namespace: 'AWS/SES', metricName, period: hour })
    this.#add('Bounces', 'bounces', reputation('Reputation.BounceRate'), 0.05)
    this.#add('Complaints', 'complaints', reputation('Reputation.ComplaintRate'), 0.001)
  }

  /** Adds an alarm that every region has, and the dashboard lists. */
  #add(id: string, runbook: Runbook, metric: IMetric, threshold: number, props: Partial<AlarmProps> = {}): void {
    this.all.push(this.#make(id, runbook, metric, threshold, props))
  }

  #make(id: string, runbook: Runbook, metric: IMetric, threshold: number, props: Partial<AlarmProps> = {}): Alarm {
    const alarm = new Alarm(this, id, {
      alarmDescription: describe(runbook),
      metric,
      threshold,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...props,
    })
    const notify = new SnsAction(this.#topic)
    alarm.addAlarmAction(notify)
    alarm.addOkAction(notify)
    return alarm
  }
}
