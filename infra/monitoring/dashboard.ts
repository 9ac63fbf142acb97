import { Duration } from 'aws-cdk-lib'
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch'
import { Construct } from 'constructs'
import type { AuthEvent } from '../../shared/base/system.ts'
import type { Alarms, Watched } from './alarms.ts'
import { countOf } from './event-alarms.ts'

const fullWidth = 24

/** The dashboard for people on call: alarms first, then requests, accounts, mails, functions and tables, and errors. */
export class Dashboard extends Construct {
  readonly #stage: string

  constructor(scope: Construct, id: string, watched: Watched, alarms: Alarms) {
    super(scope, id)
    this.#stage = watched.settings.STAGE
    new cloudwatch.Dashboard(this, 'Dashboard', {
      widgets: [
        [new cloudwatch.AlarmStatusWidget({ title: 'Alarms', width: fullWidth, alarms: alarms.all })],
        this.#callers(watched),
        this.#people(watched),
        this.#mails(watched),
        this.#machines(watched),
        this.#errors(watched),
      ],
    })
  }

  #callers({ api: { http }, functions }: Watched): cloudwatch.IWidget[] {
    const { lambda: login } = functions.login
    const percentiles = [50, 99].map(p => ({ statistic: cloudwatch.Stats.percentile(p) }))
    return row({
      Requests: [http.metricCount(), http.metricClientError(), http.metricServerError()].map(summed),
      'Latency (ms)': percentiles.map(p => http.metricLatency(p)),
      'Login (ms)': percentiles.map(p => login.metricDuration(p)),
    })
  }

  #people({ api }: Watched): cloudwatch.IWidget[] {
    return row({
      Logins: this.#events('logged-in', 'login-failed', 'login-limited', 'logged-out-everywhere'),
      Accounts: this.#events('registered', 'email-verified', 'account-deleted'),
      Sessions: this.#events(
        'session-opened',
        'session-refreshed',
        'session-shared',
        'session-ended',
        'session-reused',
      ),
      Addresses: this.#events('email-change-requested', 'email-changed', 'change-undone'),
      Passwords: this.#events('reset-requested', 'password-reset', 'password-changed', 'wrong-password'),
      'Requests over a limit or a throttle': [...this.#events('request-limited'), api.answered429],
    })
  }

  #mails({ mail: { queue, deadLetters } }: Watched): cloudwatch.IWidget[] {
    const statistic = cloudwatch.Stats.MAXIMUM
    return row({
      Mails: this.#events('mail-sent', 'mail-dropped', 'mail-capped', 'mail-failed'),
      'Mails waiting and dead': [
        queue.metricApproximateNumberOfMessagesVisible({ statistic, label: 'waiting' }),
        deadLetters.metricApproximateNumberOfMessagesVisible({ statistic, label: 'dead' }),
      ],
      'Age of the oldest mail (s)': [queue.metricApproximateAgeOfOldestMessage({ statistic })],
      'Bounces and complaints (share of mails)': ['Reputation.BounceRate', 'Reputation.ComplaintRate'].map(
        metricName => new cloudwatch.Metric({ namespace: 'AWS/SES', metricName, period: Duration.hours(1) }),
      ),
    })
  }

  #machines({ functions, data }: Watched): cloudwatch.IWidget[] {
    const lambdas = Object.entries(functions).map(([label, { lambda }]) => ({ label, lambda }))
    return row({
      Errors: lambdas.map(({ label, lambda }) => lambda.metricErrors({ label })),
      Throttles: lambdas.map(({ label, lambda }) => lambda.metricThrottles({ label })),
      'Capacity consumed': [data.users, data.rateLimits].flatMap(table => [
        table.metricConsumedReadCapacityUnits({ label: `${table.node.id} read` }),
        table.metricConsumedWriteCapacityUnits({ label: `${table.node.id} written` }),
      ]),
    })
  }

  #errors({ functions }: Watched): cloudwatch.IWidget[] {
    const logGroupNames = Object.values(functions).map(({ lambda }) => lambda.logGroup.logGroupName)
    return [
      new cloudwatch.LogQueryWidget({
        title: 'Latest errors',
        width: fullWidth,
        logGroupNames,
        queryLines: [
          `fields @timestamp, @log, ${Object.entries(latestErrors.fields)
            .map(([name, places]) => `coalesce(${places.join(', ')}) as ${name}`)
            .join(', ')}`,
          `filter ${latestErrors.filter}`,
          'sort @timestamp desc',
          'limit 20',
        ],
      }),
    ]
  }

  #events(...names: AuthEvent['event'][]): cloudwatch.IMetric[] {
    return names.map(name => countOf(name, this.#stage))
  }
}

/**
 * The query for errors in the functions' logs. Their lines come from the service (where the innermost cause says most),
 * from Lambda's runtime after a crash, and from Lambda's report, which has no level and is the only line for a time-out.
 */
export const latestErrors = {
  fields: {
    error: ['message.cause.error', 'message.error', 'message.errorType', 'record.errorType', 'record.status'],
    text: ['message.cause.message', 'message.message', 'message.errorMessage', 'message'],
    request: ['requestId', 'record.requestId'],
  },
  filter: "level = 'ERROR' or (type = 'platform.report' and record.status != 'success')",
} as const

const summed = (metric: cloudwatch.Metric): cloudwatch.Metric => metric.with({ statistic: cloudwatch.Stats.SUM })

/** A row of graphs, side by side over the full width, by title. */
function row(graphs: Record<string, cloudwatch.IMetric[]>): cloudwatch.IWidget[] {
  const entries = Object.entries(graphs)
  return entries.map(([title, left]) => new cloudwatch.GraphWidget({ title, left, width: fullWidth / entries.length }))
}
