import type { JsonObject } from './template.ts'

/** Where the stack runs: what AWS would know of account, region and addresses. */
export interface Place {
  stackName: string
  accountId: string
  region: string
  /** The API's address, without a slash at its end. */
  baseUrl: string
  /** Where AWS's own APIs are answered. */
  awsUrl: string
  arn(service: string, resource: string): string
}

/** How a template's resource is known to the others: what `Ref` gives, and what `Fn::GetAtt` does. */
export interface Identity {
  ref: string
  attributes: Record<string, string>
}

type Identify = (id: string, place: Place, properties: JsonObject) => Identity

/** Physical names are the same at every start: data is found again by them. */
const physicalName = (place: Place, id: string, given?: unknown): string =>
  typeof given === 'string' ? given : `${place.stackName}-${id}`

/** What is known by its name, and by an ARN in the stack's region. */
const named =
  (property: string, service: string, resource: (name: string) => string): Identify =>
  (id, place, { [property]: given }) => {
    const name = physicalName(place, id, given)
    return { ref: name, attributes: { Arn: place.arn(service, resource(name)) } }
  }

const running: Record<string, Identify> = {
  'AWS::ApiGatewayV2::Api': (_, place) => ({
    ref: 'local',
    attributes: { ApiId: 'local', ApiEndpoint: place.baseUrl },
  }),
  'AWS::DynamoDB::Table': named('TableName', 'dynamodb', name => `table/${name}`),
  'AWS::IAM::ManagedPolicy': (id, place, { ManagedPolicyName }) => ({
    ref: `arn:aws:iam::${place.accountId}:policy/${physicalName(place, id, ManagedPolicyName)}`,
    attributes: {},
  }),
  'AWS::IAM::Role': (id, place, { RoleName }) => {
    const name = physicalName(place, id, RoleName)
    return { ref: name, attributes: { Arn: `arn:aws:iam::${place.accountId}:role/${name}` } }
  },
  'AWS::KMS::Key': (id, place) => ({ ref: id, attributes: { Arn: place.arn('kms', `key/${id}`), KeyId: id } }),
  'AWS::Lambda::Function': named('FunctionName', 'lambda', name => `function:${name}`),
  'AWS::Logs::LogGroup': named('LogGroupName', 'logs', name => `log-group:${name}:*`),
  'AWS::SQS::Queue': (id, place, { QueueName }) => {
    const name = physicalName(place, id, QueueName)
    const url = `${place.awsUrl}/${place.accountId}/${name}`
    return { ref: url, attributes: { Arn: place.arn('sqs', name), QueueName: name, QueueUrl: url } }
  },
}

/** They say how running parts hang together, or exist on AWS alone: here there is nothing to run for them. */
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
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::IAM::Policy',
  'AWS::KMS::Alias',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Permission',
  'AWS::Logs::Delivery',
  'AWS::Logs::DeliveryDestination',
  'AWS::Logs::DeliverySource',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::Logs::ResourcePolicy',
  'AWS::SES::ConfigurationSet',
  'AWS::SES::ConfigurationSetEventDestination',
  'AWS::SES::EmailIdentity',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::WAFv2::WebACL',
  'AWS::WAFv2::WebACLAssociation',
]

/** The closed table of resource types. */
export const identities: ReadonlyMap<string, Identify> = new Map([
  ...inert.map(type => [type, (id: string): Identity => ({ ref: id, attributes: {} })] as const),
  ...Object.entries(running),
])
