import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import * as lambda from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { Needs, Row } from '../../shared/api/needs.ts'
import type { ResourceVariable, SettingName } from '../../shared/base/config.ts'
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

/** A Lambda function: Node 24 on arm64, JSON logs, traces, and its own role that allows single actions. */
export class ServiceFunction extends Construct {
  readonly lambda: lambda.Function
  readonly role: Role

  constructor(scope: Construct, id: string, { code, row, needs, grants, settings, stage }: ServiceFunctionProps) {
    super(scope, id)
    const logGroup = new LogGroup(this, 'Logs', { retention: logRetention, removalPolicy: RemovalPolicy.DESTROY })
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    this.role.addToPolicy(
      new PolicyStatement({
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [logGroup.logGroupArn],
      }),
    )
    for (const statement of grants.statements) this.role.addToPolicy(statement)
    Validations.of(this.role).acknowledge(...grants.acknowledgments, {
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason: "X-Ray's actions do not support resources (Service Authorization Reference, AWS X-Ray).",
    })

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
      role: this.role,
      logGroup,
      loggingFormat: lambda.LoggingFormat.JSON,
      // Lambda's own segments: the bundle needs no SDK for them. CDK adds X-Ray's two actions to the role.
      tracing: lambda.Tracing.ACTIVE,
      environment: {
        STAGE: stage,
        ...grants.environment,
        ...Object.fromEntries(needs.settings.map(setting => [setting, settings[setting]])),
      } satisfies Partial<Record<ResourceVariable | SettingName, string>>,
    })
  }
}
