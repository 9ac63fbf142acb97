import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import * as lambda from 'aws-cdk-lib/aws-lambda'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { FunctionRow } from '../shared/routes.ts'
import { bundleOf } from './bundle.ts'
import type { Opened } from './grants.ts'

interface ServiceFunctionProps {
  /** Its file in `functions/`. */
  name: string
  row: FunctionRow
  opened: Opened
  settings: Record<string, string>
}

/** What every function is: Node 24 on arm64, JSON logs kept for a while, a role of its own with single actions. */
export class ServiceFunction extends Construct {
  readonly lambda: lambda.Function

  constructor(scope: Construct, id: string, { name, row, opened, settings }: ServiceFunctionProps) {
    super(scope, id)
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    role.addToPolicy(
      new PolicyStatement({
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [logGroup.logGroupArn],
      }),
    )
    for (const statement of opened.statements) role.addToPolicy(statement)

    this.lambda = new lambda.Function(this, 'Function', {
      description: row.summary,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      handler: 'index.handler',
      code: lambda.Code.fromAsset(bundleOf(name)),
      // 1,769 MB are one whole vCPU (AWS Lambda, "Configure Lambda function memory"): bcrypt is all CPU. 512 MB halve
      // the cold start of an SDK against 256 MB, at the price of a warm call's few milliseconds.
      memorySize: row.hashes ? 1769 : 512,
      timeout: Duration.seconds(row.timeout),
      role,
      logGroup,
      loggingFormat: lambda.LoggingFormat.JSON,
      environment: {
        ...opened.environment,
        ...Object.fromEntries(row.settings.map(setting => [setting, settings[setting] ?? ''])),
      },
    })
  }
}
