import { Duration } from 'aws-cdk-lib'
import {
  Alarm,
  type AlarmProps,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import type { FunctionName } from '../../shared/routes.ts'
import { tokenAttributes } from '../../shared/store/tables.ts'
import type { Api } from '../constructs/api.ts'
import type { Data } from '../constructs/data.ts'
import type { Mail } from '../constructs/mail.ts'
import type { ServiceFunction } from '../constructs/service-function.ts'
import { countOf } from './events.ts'
import { floods, tooManyRequests } from './floods.ts'
import { describe, type Runbook } from './runbooks.ts'

/** What is watched. */
export interface Watched {
  api: Api
  data: Data
  mail: Mail
  functions: Readonly<Record<FunctionName, ServiceFunction>>
  bcryptCost: number
  stage: string
}

/** As often as metrics that cost nothing extra are worth looking at. */
const period = Duration.minutes(5)

/** One password hash on a whole vCPU: half a second at cost 12, on Lambda's slower machines; each step doubles it. */
const hashSeconds = (cost: number): number => 0.5 * 2 ** (cost - 12)

/**
 * Percent of an API's requests that are answered 5xx, 0 while these are fewer than a number. A metric has no point for a
 * period without requests, so that each is filled: of an expression with a missing operand CloudWatch has no point.
 */
const failureRate = (api: Api, atLeast: number, period: Duration): MathExpression =>
  new MathExpression({
    label: 'Percent of requests answered with 5xx',
    expression: `IF(FILL(errors, 0) >= ${atLeast}, 100 * FILL(errors, 0) / FILL(requests, 1), 0)`,
    usingMetrics: { errors: api.http.metricServerError({ statistic: Stats.SUM }), requests: api.http.metricCount() },
    period,
  })

/** Where DynamoDB throttles: each table and each index by itself. */
const throttledPlaces = ({ users, rateLimits }: Data): [id: string, table: Table, index?: string][] => [
  ['Users', users],
  ...Object.values(tokenAttributes).map(
    ({ index }) => [`Users${pascalCase(index)}`, users, index] as [string, Table, string],
  ),
  ['RateLimits', rateLimits],
]

/** The alarms. Each is told when it begins and when it is over, and says in its description what to do first. */
export class Alarms extends Construct {
  readonly all: Alarm[] = []
  readonly #topic: ITopic

  constructor(scope: Construct, id: string, { api, data, mail, functions, bcryptCost, stage }: Watched, topic: ITopic) {
    super(scope, id)
    this.#topic = topic

    const deadLetters = mail.deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.MAXIMUM })
    this.#add('DeadLetters', 'dead-letters', deadLetters, 1)

    // A mail whose tries go on failing fails in each of them; one that the next try sends fails in one.
    this.#add('MailFailed', 'mail-failed', countOf('mail-failed', stage).with({ period }), 1, {
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
    })

    // It leaves out messages that were received three times (Amazon SQS, "Available CloudWatch metrics"): it sees that
    // nobody takes mails, not that they fail.
    const age = mail.queue.metricApproximateAgeOfOldestMessage({ period, statistic: Stats.MAXIMUM })
    this.#add('OldestMail', 'oldest-mail', age, Duration.minutes(15).toSeconds())

    // Below five errors in five minutes it would be chance that decides, were it not for a second time.
    this.#add('ServerErrors', 'server-errors', failureRate(api, 5, period), 1)
    this.#add('RecurringServerErrors', 'server-errors', failureRate(api, 1, Duration.minutes(15)), 1, {
      evaluationPeriods: 8,
      datapointsToAlarm: 2,
    })

    for (const { lambda, node } of Object.values(functions)) {
      // One may be chance, three in five minutes are not.
      this.#add(`${node.id}Errors`, 'function-errors', lambda.metricErrors({ period }), 3)
      this.#add(`${node.id}Throttles`, 'function-throttles', lambda.metricThrottles({ period }), 3)
    }

    // A second for a cold start and the calls, and two hashes: the first login after a change of cost makes another.
    const limit = 1000 * (1 + 2 * hashSeconds(bcryptCost))
    const slowest = functions.login.lambda.metricDuration({ period, statistic: Stats.percentile(99) })
    this.#add('SlowLogins', 'slow-logins', slowest, limit, {
      evaluationPeriods: 3,
      // Of a handful of logins, the slowest is the 99th percentile: that says nothing.
      evaluateLowSampleCountPercentile: 'ignore',
    })

    for (const [id, table, index] of throttledPlaces(data)) {
      const dimensionsMap = { TableName: table.tableName, ...(index && { GlobalSecondaryIndexName: index }) }
      for (const kind of ['Read', 'Write']) {
        // An alarm for each: DynamoDB has a point only while something is throttled, and a sum might have none.
        const throttled = table.metric(`${kind}ThrottleEvents`, { dimensionsMap, period, statistic: Stats.SUM })
        this.#add(`${id}${kind}Throttles`, 'table-throttles', throttled, 5)
      }
    }

    for (const { event, threshold, runbook } of floods) {
      this.#add(pascalCase(event), runbook, countOf(event, stage).with({ period }), threshold)
    }
    this.#add('TooManyRequests', 'too-many-requests', api.tooMany.with({ period }), tooManyRequests)

    if (mail.sender === null) return
    // Where SES puts an account under review (Amazon SES, "Monitoring your sender reputation"); it counts per account.
    const hour = Duration.hours(1)
    const reputation = (metricName: string) => new Metric({ namespace: 'AWS/SES', metricName, period: hour })
    this.#add('Bounces', 'bounces', reputation('Reputation.BounceRate'), 0.05)
    this.#add('Complaints', 'complaints', reputation('Reputation.ComplaintRate'), 0.001)
  }

  #add(id: string, runbook: Runbook, metric: IMetric, threshold: number, props: Partial<AlarmProps> = {}): void {
    const alarm = new Alarm(this, id, {
      alarmDescription: describe(runbook),
      metric,
      threshold,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...props,
    })
    const tell = new SnsAction(this.#topic)
    alarm.addAlarmAction(tell)
    alarm.addOkAction(tell)
    this.all.push(alarm)
  }
}

const pascalCase = (name: string): string => name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
