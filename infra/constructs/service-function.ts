import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import * as lambda from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { Row } from '../../shared/api/implied.ts'
import type { Needs } from '../../shared/api/needs.ts'
import type { EndpointName, FunctionName, routes } from '../../shared/api/routes.ts'
import { leftOutWhileUnset, type ResourceVariable, type SettingName } from '../../shared/base/config.ts'
import { logRetention } from './access-log.ts'
import type { ResolvedGrants } from './grants.ts'

interface ServiceFunctionProps {
  code: string
  row: Row
  needs: Needs
  grants: ResolvedGrants
  settings: Record<SettingName, string>
  /** The dimension of its metrics. */
  stage: string
}

/** Those that are there only where OIDC_CLIENTS lists applications, or SIGN_IN_PROVIDERS providers. */
type Optional = {
  [N in EndpointName]: (typeof routes)[N] extends { withClients: true } | { withProviders: true } ? N : never
}[EndpointName]

/** The functions of a stack, by row. */
export type Functions = Readonly<
  Record<Exclude<FunctionName, Optional>, ServiceFunction> & Partial<Record<Optional, ServiceFunction>>
>

/** A Lambda function: Node 24 on arm64, JSON logs, traces, and its own role that allows single actions. */
export class ServiceFunction extends Construct {
  readonly lambda: lambda.Function
  readonly role: Role

  constructor(scope: Construct, id: string, { code, row, needs, grants, settings, stage }: ServiceFunctionProps) {
    super(scope, id)
    const logGroup = new LogGroup(this, 'Logs', { retention: logRetention, removalPolicy: RemovalPolicy.DESTROY })
    const allowed = (resource: string, ...actions: string[]) => new PolicyStatement({ actions, resources: [resource] })
    // All that the function may do stands in its role: one resource less than a policy of its own.
    const statements = [
      allowed(logGroup.logGroupArn, 'logs:CreateLogStream', 'logs:PutLogEvents'),
      allowed('*', 'xray:PutTelemetryRecords', 'xray:PutTraceSegments'),
      ...grants.statements,
    ]
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      // Not the name that the policy had in 0.3.0: CloudFormation deletes that one last, by its name.
      inlinePolicies: { Grants: new PolicyDocument({ statements }) },
    })
    for (const policy of grants.policies) policy.attachToRole(this.role)
    const reason = "X-Ray's actions do not support resources (Service Authorization Reference, AWS X-Ray)."
    Validations.of(this.role).acknowledge(
      ...grants.acknowledgments,
      { id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]', reason },
      { id: 'Serverless::Serverless-LambdaStarPermissions', reason },
    )

    Validations.of(this).acknowledge({
      id: 'Serverless::Serverless-LambdaDLQ',
      reason: 'It only serves asynchronous calls; API Gateway and the poller of the queue wait for the answer.',
    })

    this.lambda = new lambda.Function(this, 'Function', {
      description: row.summary,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      handler: 'index.handler',
      code: lambda.Code.fromAsset(code),
      memorySize: needs.memory,
      timeout: Duration.seconds(needs.timeout),
      // Otherwise CDK would make a policy for tracing.
      role: this.role.withoutPolicyUpdates(),
      logGroup,
      loggingFormat: lambda.LoggingFormat.JSON,
      // Lambda's own segments: the bundle needs no SDK for them.
      tracing: lambda.Tracing.ACTIVE,
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
