import { Duration } from 'aws-cdk-lib'
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch'
import { Construct } from 'constructs'
import type { CountedEvent } from '../../shared/base/system.ts'
import { type Alarms, catalogueErrors, cloudFrontRegion, type Watched } from './alarms.ts'
import { countOf } from './event-alarms.ts'

const fullWidth = 24

/**
 * The dashboard for people on call: alarms, requests, signs of an attack, mails, worker and tables, logs. Up to 50
 * metrics are free, and the logs cost only when they are viewed.
 */
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
        ...this.#logs(watched),
      ],
    })
  }

  #callers({ api: { http }, functions, catalogue }: Watched): cloudwatch.IWidget[] {
    const { lambda: login } = functions.login
    const percentiles = [50, 99].map(p => ({ statistic: cloudwatch.Stats.percentile(p) }))
    return row({
      Requests: [http.metricCount(), http.metricClientError(), http.metricServerError()].map(sum),
      'Latency (ms)': percentiles.map(p => http.metricLatency(p)),
      'Login (ms)': percentiles.map(p => login.metricDuration(p)),
      ...(catalogue && {
        'Catalogue: answers 5xx (%)': [catalogueErrors(catalogue).with({ region: cloudFrontRegion })],
      }),
    })
  }

  #people({ api }: Watched): cloudwatch.IWidget[] {
    return row({
      Guesses: this.#events('login-failed', 'login-limited', 'wrong-password', 'wrong-code'),
      Takeovers: this.#events('recovery-code-used', 'session-reused', 'email-changed', 'change-undone'),
      Registrations: this.#events('registered'),
      'Requests over a limit or a throttle': [...this.#events('request-limited'), api.answered429],
    })
  }

  #mails({ mail: { queue, deadLetters } }: Watched): cloudwatch.IWidget[] {
    const statistic = cloudwatch.Stats.MAXIMUM
    return row({
      'Mails not sent': this.#events('mail-capped', 'mail-failed'),
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
    const { lambda: worker } = functions['on-mail-queued']
    return row({
      'Mail worker': [worker.metricErrors(), worker.metricThrottles()],
      'Capacity consumed': [data.accounts, data.rateLimits].flatMap(table => [
        table.metricConsumedReadCapacityUnits({ label: `${table.node.id} read` }),
        table.metricConsumedWriteCapacityUnits({ label: `${table.node.id} written` }),
      ]),
    })
  }

  #logs({ api, log }: Watched): cloudwatch.IWidget[][] {
    const query = (title: string, group: string, ...queryLines: string[]) => [
      new cloudwatch.LogQueryWidget({ title, width: fullWidth, logGroupNames: [group], queryLines }),
    ]
    return [
      query(
        'Failures by route',
        api.accessLog,
        'filter status like /^5/',
        'stats count(*) as requests by route, status, functionError',
        'sort requests desc',
      ),
      query(
        'What people did',
        log.logGroupName,
        'filter ispresent(message.event) and message.event != "slow"',
        'stats count(*) as times by message.event',
        'sort times desc',
      ),
      query(
        'Latest errors',
        log.logGroupName,
        `fields @timestamp, @logStream, ${Object.entries(latestErrors.fields)
          .map(([name, places]) => `coalesce(${places.join(', ')}) as ${name}`)
          .join(', ')}`,
        `filter ${latestErrors.filter}`,
        'sort @timestamp desc',
        'limit 20',
      ),
    ]
  }

  #events(...names: CountedEvent[]): cloudwatch.IMetric[] {
    return names.map(name => countOf(name, this.#stage))
  }
}

/**
 * The query for errors in the functions' logs. Lines come from the service (the innermost cause says most), from
 * Lambda's runtime after a crash, and from Lambda's report, which has no level and is the only line of a timeout.
 */
export const latestErrors = {
  fields: {
    error: ['message.cause.error', 'message.error', 'message.errorType', 'record.errorType', 'record.status'],
    text: ['message.cause.message', 'message.message', 'message.errorMessage', 'message'],
    request: ['requestId', 'record.requestId'],
  },
  filter: "level = 'ERROR' or (type = 'platform.report' and record.status != 'success')",
} as const

const sum = (metric: cloudwatch.Metric): cloudwatch.Metric => metric.with({ statistic: cloudwatch.Stats.SUM })

/** A row of graphs, side by side over the full width, by title. */
function row(graphs: Record<string, cloudwatch.IMetric[]>): cloudwatch.IWidget[] {
  const entries = Object.entries(graphs)
  return entries.map(([title, left]) => new cloudwatch.GraphWidget({ title, left, width: fullWidth / entries.length }))
}
