import { expect, test } from 'vitest'
import { resolverOf } from '../../local/template/resolver.ts'
import type { Deployment } from '../../local/template/return-values.ts'
import type { Json, Resource } from '../../local/template/template.ts'

const deployment: Deployment = {
  stackName: 'Stack',
  accountId: '000000000000',
  region: 'us-east-1',
  baseUrl: 'http://localhost:3000',
  awsUrl: 'http://127.0.0.1:4000',
  arn: (service, resource) => `arn:aws:${service}:us-east-1:000000000000:${resource}`,
  keyId: id => `${id}-of-its-own`,
}

const Resources: Record<string, Resource> = {
  Accounts: { Type: 'AWS::DynamoDB::Table' },
  Named: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'people' } },
  Mails: { Type: 'AWS::SQS::Queue' },
  Signs: { Type: 'AWS::KMS::Key', Properties: { KeySpec: 'RSA_2048' } },
  Encrypts: { Type: 'AWS::KMS::Key' },
  Api: { Type: 'AWS::ApiGatewayV2::Api' },
  Login: { Type: 'AWS::Lambda::Function' },
  Lines: { Type: 'AWS::Logs::LogGroup' },
  Alarm: { Type: 'AWS::CloudWatch::Alarm' },
  Alarms: { Type: 'AWS::SNS::Topic' },
}
const Mappings = { Regions: { 'us-east-1': { Size: 'big' } }, Sizes: { big: { Rate: 10 } } }
const Conditions = {
  IsBig: { 'Fn::Equals': [{ 'Fn::FindInMap': ['Regions', { Ref: 'AWS::Region' }, 'Size'] }, 'big'] },
  IsSmall: { 'Fn::Equals': ['big', 'small'] },
}
const resolver = resolverOf({ Resources, Conditions, Mappings, Parameters: { Stage: { Default: 'test' } } }, deployment)

test.each<[string, Json, Json]>([
  ['text as it is', 'text', 'text'],
  ['a table by its name', { Ref: 'Accounts' }, 'Stack-Accounts'],
  ['a table by the name it is given', { Ref: 'Named' }, 'people'],
  ['a queue by its URL', { Ref: 'Mails' }, 'http://127.0.0.1:4000/000000000000/Stack-Mails'],
  ['a key that signs by its id', { Ref: 'Signs' }, 'Signs'],
  ['a key that encrypts by the id of its own', { Ref: 'Encrypts' }, 'Encrypts-of-its-own'],
  ['a topic by its ARN', { Ref: 'Alarms' }, 'arn:aws:sns:us-east-1:000000000000:Stack-Alarms'],
  ['a parameter by its default', { Ref: 'Stage' }, 'test'],
  ['a pseudo parameter', { Ref: 'AWS::Region' }, 'us-east-1'],
  [
    'an attribute',
    { 'Fn::GetAtt': ['Accounts', 'Arn'] },
    'arn:aws:dynamodb:us-east-1:000000000000:table/Stack-Accounts',
  ],
  ['an attribute in one word', { 'Fn::GetAtt': 'Mails.QueueName' }, 'Stack-Mails'],
  [
    'the address of the API, with what follows it',
    {
      'Fn::Join': [
        '',
        ['https://', { Ref: 'Api' }, '.execute-api.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }, '/auth'],
      ],
    },
    'http://localhost:3000/auth',
  ],
  [
    'a log group with the star that its ARN ends in',
    { 'Fn::GetAtt': ['Lines', 'Arn'] },
    'arn:aws:logs:us-east-1:000000000000:log-group:Stack-Lines:*',
  ],
  ['a join of what it joins', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Partition' }, 'b']] }, 'a-aws-b'],
  ['a part of a split', { 'Fn::Select': [2, { 'Fn::Split': ['/', 'https://host/path'] }] }, 'host'],
  ['the parts of a split', { 'Fn::Split': [',', 'a,b'] }, ['a', 'b']],
  ['a value of a mapping', { 'Fn::FindInMap': ['Regions', { Ref: 'AWS::Region' }, 'Size'] }, 'big'],
  [
    'a value of a mapping that another one leads to',
    { 'Fn::FindInMap': ['Sizes', { 'Fn::FindInMap': ['Regions', { Ref: 'AWS::Region' }, 'Size'] }, 'Rate'] },
    10,
  ],
  ['what a condition chooses that is met', { 'Fn::If': ['IsBig', 10, 1] }, 10],
  ['what a condition chooses that is not', { a: { 'Fn::If': ['IsSmall', 1, { Ref: 'AWS::NoValue' }] } }, {}],
  [
    'a substitution',
    { 'Fn::Sub': 'on $' + '{Accounts} at $' + '{Accounts.Arn}' },
    expect.stringMatching(/^on Stack-Accounts at arn:/),
  ],
  ['a substitution with values of its own', { 'Fn::Sub': ['$' + '{x}!', { x: { Ref: 'Stage' } }] }, 'test!'],
  ['a literal that looks like a substitution', { 'Fn::Sub': '$' + '{!Accounts}' }, '$' + '{Accounts}'],
  ['objects member by member', { a: [{ Ref: 'Stage' }], b: 1 }, { a: ['test'], b: 1 }],
  ['no value by leaving it out', { a: { Ref: 'AWS::NoValue' }, b: [{ Ref: 'AWS::NoValue' }, 1] }, { b: [1] }],
  ['an object with a member named Ref and others as it is', { Ref: 'x', other: 1 }, { Ref: 'x', other: 1 }],
])('the resolver gives %s', (_, value, expected) => {
  expect(resolver.resolve(value)).toEqual(expected)
})

test('an attribute of what is not run is refused', () => {
  expect(() => resolver.resolve({ 'Fn::GetAtt': ['Alarm', 'Arn'] })).toThrow(/Alarm\.Arn/)
})

test('names are the same at every start', () => {
  const another = resolverOf(
    { Resources },
    { ...deployment, baseUrl: 'http://localhost:1', awsUrl: 'http://127.0.0.1:2' },
  )
  for (const id of ['Accounts', 'Signs', 'Login', 'Lines']) expect(another.ref(id)).toBe(resolver.ref(id))
  expect(another.attribute('Mails', 'Arn')).toBe(resolver.attribute('Mails', 'Arn'))
})
