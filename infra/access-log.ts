import { Aws, RemovalPolicy } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import { type IAccessLogSettings, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
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

/**
 * Where the API writes one line per request. Its name begins as AWS's log delivery wants it: groups of other names each
 * add to one resource policy of the account, which has room for few ("Logs sent to CloudWatch Logs").
 */
export const accessLog = (scope: Construct): IAccessLogSettings => ({
  destination: new LogGroupLogDestination(
    new LogGroup(scope, 'AccessLog', {
      logGroupName: `/aws/vendedlogs/apigateway/${Aws.STACK_NAME}`,
      retention: logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    }),
  ),
  format: AccessLogFormat.custom(JSON.stringify(fields)),
})
