import { Aws, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import * as lambda from 'aws-cdk-lib/aws-lambda'
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { Row } from '../../api/implied.ts'
import type { Needs } from '../../api/needs.ts'
import type { EndpointName, FunctionName, routes } from '../../api/routes.ts'
import { leftOutWhileUnset, type ResourceVariable, type SettingName } from '../../shared/base/config.ts'
import { logRetention } from './access-log.ts'
import type { ResolvedGrants } from './grants.ts'

interface ServiceFunctionProps {
  code: string
  row: Row
  needs: Needs
  grants: ResolvedGrants
  settings: Record<SettingName, string>
  /** A dimension of its metrics. */
  stage: string
  log: ILogGroup
}

/**
 * The log group of all functions: one resource, and one group in queries, which read at most 50 (CloudWatch Logs,
 * "Quotas"). Lambda names each stream by its function (AWS Lambda, "Configuring CloudWatch log groups").
 */
export const functionLog = (scope: Construct): ILogGroup =>
  new LogGroup(scope, 'FunctionLog', {
    logGroupName: `/lambda/${Aws.STACK_NAME}`,
    retention: logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  })

/** The functions that exist only where OIDC_CLIENTS lists applications, or SIGN_IN_PROVIDERS providers. */
type Optional = {
  [N in EndpointName]: (typeof routes)[N] extends { withClients: true } | { withProviders: true } ? N : never
}[EndpointName]

/** The functions of a stack, by row. */
export type Functions = Readonly<
  Record<Exclude<FunctionName, Optional>, ServiceFunction> & Partial<Record<Optional, ServiceFunction>>
>

/** A Lambda function: Node 24 on arm64, JSON logs, and a role of its own with single actions. */
export class ServiceFunction extends Construct {
  readonly lambda: lambda.Function
  readonly role: Role

  constructor(scope: Construct, id: string, { code, row, needs, grants, settings, stage, log }: ServiceFunctionProps) {
    super(scope, id)
    const allowed = (resource: string, ...actions: string[]) => new PolicyStatement({ actions, resources: [resource] })
    // All its statements are in its role, which saves a policy resource.
    const statements = [allowed(log.logGroupArn, 'logs:CreateLogStream', 'logs:PutLogEvents'), ...grants.statements]
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      // Not the policy's name in 0.3.0: CloudFormation would delete the new policy last, by that name.
      inlinePolicies: { Grants: new PolicyDocument({ statements }) },
    })
    for (const policy of grants.policies) policy.attachToRole(this.role)
    Validations.of(this.role).acknowledge(...grants.acknowledgments)

    Validations.of(this).acknowledge(
      {
        id: 'Serverless::Serverless-LambdaDLQ',
        reason: 'It only serves asynchronous calls; API Gateway and the poller of the queue wait for the answer.',
      },
      {
        id: 'Serverless::Serverless-LambdaTracing',
        reason:
          "Without an SDK in the bundle a trace shows none of the function's calls, and a stranger's header can order one for each request. " +
          'A slow request logs what it waited for.',
      },
    )

    this.lambda = new lambda.Function(this, 'Function', {
      description: row.summary,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      handler: 'index.handler',
      code: lambda.Code.fromAsset(code),
      memorySize: needs.memory,
      timeout: Duration.seconds(needs.timeout),
      role: this.role,
      logGroup: log,
      loggingFormat: lambda.LoggingFormat.JSON,
      environment: {
        STAGE: stage,
        ...grants.environment,
        ...Object.fromEntries(
          needs.settings
            .filter(setting => settings[setting] !== '' || !leftOutWhileUnset.has(setting))
            .map(setting => [setting, settings[setting]]),
        ),
      } satisfies Partial<Record<ResourceVariable | SettingName, string>>,
    })
    if (grants.policies.length > 0) this.lambda.node.addDependency(...grants.policies)
  }
}
