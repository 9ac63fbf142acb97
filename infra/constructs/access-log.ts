import { Aws, RemovalPolicy } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import { type IAccessLogSettings, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2'
import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { FilterPattern, LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { metricsNamespace, stageDimension } from '../../shared/base/log.ts'

/**
 * How long log groups keep their lines: enough to investigate a problem reported late, and no longer, because the
 * access log holds IP addresses.
 *
 * CloudWatch Logs encrypts the groups with its own keys. A key of ours would cost a dollar a month, and a mistake in
 * its policy would lose logs. The logs hold no email addresses, tokens or passwords.
 */
export const logRetention = RetentionDays.THREE_MONTHS

/**
 * One JSON object per request (API Gateway, "Customize HTTP API access logs"). All members are strings, because API
 * Gateway writes `-` for a missing value. The query is left out, because links in mails carry tokens.
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

/**
 * Creates the log group of the API's access log, with one line per request. Its name starts with `/aws/vendedlogs/`:
 * any other group takes room in a resource policy of the account, which is small ("Logs sent to CloudWatch Logs").
 *
 * @param stage in each line, because a log metric takes its dimensions from the line
 */
export function accessLog(scope: Construct, stage: string) {
  const group = new LogGroup(scope, 'AccessLog', {
    logGroupName: `/aws/vendedlogs/apigateway/${Aws.STACK_NAME}`,
    retention: logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  })
  const filter = group.addMetricFilter('TooManyRequests', {
    // HTTP APIs have no metric for 429 (API Gateway, "Monitoring HTTP APIs"). All members of a line are strings.
    filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
    metricNamespace: metricsNamespace,
    metricName: 'answered-429',
    metricValue: '1',
    dimensions: { [stageDimension]: '$.stage' },
  })
  return {
    name: group.logGroupName,
    settings: {
      destination: new LogGroupLogDestination(group),
      format: AccessLogFormat.custom(JSON.stringify({ ...fields, stage })),
    } satisfies IAccessLogSettings,
    /** Requests answered 429, whether by a function or by API Gateway itself. */
    answered429: filter.metric({ dimensionsMap: { [stageDimension]: stage }, statistic: Stats.SUM }),
  }
}
