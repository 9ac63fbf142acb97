import { Aws, RemovalPolicy } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import { type IAccessLogSettings, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2'
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { FilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { metricsNamespace, stageDimension } from '../../shared/log.ts'
import { logRetention } from './log-retention.ts'

/**
 * One JSON object per request (API Gateway, "Customize HTTP API access logs"). All members are text: a value that does
 * not exist is `-`, which would not be JSON without its quotes. Never the query: the mails' links carry tokens in it.
 */
const fields = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  userAgent: '$context.identity.userAgent',
  method: '$context.httpMethod',
  path: '$context.path',
  route: '$context.routeKey',
  status: '$context.status',
  bytes: '$context.responseLength',
  latency: '$context.responseLatency',
  functionStatus: '$context.integration.status',
  functionLatency: '$context.integration.latency',
  functionRequestId: '$context.integration.requestId',
  functionError: '$context.integrationErrorMessage',
  error: '$context.error.message',
} as const

/** What the API logs of requests, and what is counted of it. */
interface AccessLog {
  settings: IAccessLogSettings
  /** Requests answered 429, whether by a function or by API Gateway itself. */
  tooMany: Metric
}

/**
 * Where the API writes one line per request. Its name begins as AWS's log delivery wants it: groups of other names each
 * add to one resource policy of the account, which has room for few ("Logs sent to CloudWatch Logs").
 *
 * @param stage is written too: a metric out of a log has its dimensions from the line
 */
export function accessLog(scope: Construct, stage: string): AccessLog {
  const group = new LogGroup(scope, 'AccessLog', {
    logGroupName: `/aws/vendedlogs/apigateway/${Aws.STACK_NAME}`,
    retention: logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  const filter = group.addMetricFilter('TooManyRequests', {
    // HTTP APIs have no metric of 429 (API Gateway, "Monitoring HTTP APIs"). All members of a line are text.
    filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
    metricNamespace: metricsNamespace,
    metricName: 'answered-429',
    metricValue: '1',
    dimensions: { [stageDimension]: '$.stage' },
  })
  return {
    settings: {
      destination: new LogGroupLogDestination(group),
      format: AccessLogFormat.custom(JSON.stringify({ ...fields, stage })),
    },
    tooMany: filter.metric({ dimensionsMap: { [stageDimension]: stage }, statistic: Stats.SUM }),
  }
}
