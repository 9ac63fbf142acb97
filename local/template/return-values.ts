import type { JsonObject } from './template.ts'

/** Values that a template refers to but does not state: account, region, and addresses. */
export interface Deployment {
  stackName: string
  accountId: string
  region: string
  /** The API's address, without a trailing slash. */
  baseUrl: string
  /** The address of the stand-ins for AWS's APIs. */
  awsUrl: string
  arn(service: string, resource: string): string
  /** The id of a key that encrypts. A signing key's is its logical id, which tokens name as `kid`. */
  keyId(logicalId: string): string
}

/** The values of `Ref` and `Fn::GetAtt` for a resource (AWS CloudFormation, "Return values"). */
export interface ReturnValues {
  ref: string
  attributes: Record<string, string>
}

type ReturnValuesOf = (id: string, deployment: Deployment, properties: JsonObject) => ReturnValues

/** Physical names are the same at every start, because stored data is found by them. */
const physicalName = (deployment: Deployment, id: string, stated?: unknown): string =>
  typeof stated === 'string' ? stated : `${deployment.stackName}-${id}`

/** A resource that `Ref` refers to by name, with an ARN in the stack's region. */
const named =
  (property: string, service: string, resource: (name: string) => string): ReturnValuesOf =>
  (id, deployment, { [property]: stated }) => {
    const name = physicalName(deployment, id, stated)
    return { ref: name, attributes: { Arn: deployment.arn(service, resource(name)) } }
  }

/** The id of the one API. */
export const apiId = 'local'

const running: Record<string, ReturnValuesOf> = {
  'AWS::ApiGatewayV2::Api': () => ({ ref: apiId, attributes: { ApiId: apiId } }),
  'AWS::DynamoDB::Table': named('TableName', 'dynamodb', name => `table/${name}`),
  'AWS::IAM::ManagedPolicy': (id, deployment, { ManagedPolicyName }) => ({
    ref: `arn:aws:iam::${deployment.accountId}:policy/${physicalName(deployment, id, ManagedPolicyName)}`,
    attributes: {},
  }),
  'AWS::IAM::Role': (id, deployment, { RoleName }) => {
    const name = physicalName(deployment, id, RoleName)
    return { ref: name, attributes: { Arn: `arn:aws:iam::${deployment.accountId}:role/${name}` } }
  },
  'AWS::KMS::Key': (logicalId, deployment, { KeySpec = 'SYMMETRIC_DEFAULT' }) => {
    const id = KeySpec === 'SYMMETRIC_DEFAULT' ? deployment.keyId(logicalId) : logicalId
    return { ref: id, attributes: { Arn: deployment.arn('kms', `key/${id}`), KeyId: id } }
  },
  'AWS::Lambda::Function': named('FunctionName', 'lambda', name => `function:${name}`),
  'AWS::Logs::LogGroup': named('LogGroupName', 'logs', name => `log-group:${name}:*`),
  'AWS::SNS::Topic': (id, deployment, { TopicName }) => {
    const arn = deployment.arn('sns', physicalName(deployment, id, TopicName))
    return { ref: arn, attributes: { TopicArn: arn } }
  },
  'AWS::SQS::Queue': (id, deployment, { QueueName }) => {
    const name = physicalName(deployment, id, QueueName)
    const url = `${deployment.awsUrl}/${deployment.accountId}/${name}`
    return { ref: url, attributes: { Arn: deployment.arn('sqs', name), QueueName: name, QueueUrl: url } }
  },
}

/** Types that connect other resources, or exist only on AWS: nothing runs for them, and no policy names them. */
const inert = [
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::DomainName',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::CloudFront::CachePolicy',
  'AWS::CloudFront::Distribution',
  'AWS::CloudFront::Function',
  'AWS::CloudFront::OriginRequestPolicy',
  'AWS::CloudFront::ResponseHeadersPolicy',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::IAM::Policy',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Logs::MetricFilter',
  'AWS::SES::ConfigurationSet',
  'AWS::SES::ConfigurationSetEventDestination',
  'AWS::SES::EmailIdentity',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
]

/** All supported resource types: any other is refused at the start. */
export const returnValues: ReadonlyMap<string, ReturnValuesOf> = new Map([
  ...inert.map(type => [type, (id: string): ReturnValues => ({ ref: id, attributes: {} })] as const),
  ...Object.entries(running),
])
