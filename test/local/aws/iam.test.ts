import { describe, expect, test } from 'vitest'
import { decide, type Need, ResourcePolicy, RolePolicy, TrustPolicy, type Verdict } from '../../../local/aws/iam.ts'
import { readProperties } from '../../../local/template/property-schemas.ts'
import type { Json } from '../../../local/template/template.ts'

const account = '111122223333'
const role = `arn:aws:iam::${account}:role/Gatehouse-Login`
const root = `arn:aws:iam::${account}:root`
const table = `arn:aws:dynamodb:us-east-1:${account}:table/Accounts`
const key = `arn:aws:kms:us-east-1:${account}:key/main`
const queue = `arn:aws:sqs:us-east-1:${account}:Mails`

const document = (statement: object) => ({ Version: '2012-10-17', Statement: [statement as Json] })
const ofRole = (statement: object) => readProperties('Role', RolePolicy, document(statement))
const ofResource = (statement: object) => readProperties('Key', ResourcePolicy, document(statement))

const get: Need = { action: 'dynamodb:GetItem', resource: table, context: {} }
const allow = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: table }

/** The verdict on a role with one statement. */
const verdict = (statement: object, asked: Partial<Need> = {}): Verdict =>
  decide({ ...get, ...asked }, role, [ofRole({ ...allow, ...statement })])

describe('a statement is about', () => {
  test.each<[string, object, Partial<Need>, boolean]>([
    ['its action', {}, {}, true],
    ['its action in any case', { Action: 'dynamodb:getitem' }, {}, true],
    ['one of its actions', { Action: ['dynamodb:PutItem', 'dynamodb:GetItem'] }, {}, true],
    ['no action that only begins like its own', {}, { action: 'dynamodb:GetItems' }, false],
    ['any action', { Action: '*' }, {}, true],
    ['any action of a service', { Action: 'dynamodb:*' }, {}, true],
    ['no action of another service', { Action: 'dynamodb:*' }, { action: 'sqs:GetItem' }, false],
    ['actions with one other letter', { Action: 'dynamodb:?etItem' }, {}, true],
    ['no action with one letter less', { Action: 'dynamodb:?GetItem' }, {}, false],
    ['its resource', {}, {}, true],
    ['one of its resources', { Resource: [queue, table] }, {}, true],
    ['any resource', { Resource: '*' }, {}, true],
    ['any resource, where an action has none', { Resource: '*' }, { resource: '*' }, true],
    ['its resource, not what has none', {}, { resource: '*' }, false],
    ['no resource in another case', { Resource: table.toLowerCase() }, {}, false],
    ['resources of any region', { Resource: table.replace('us-east-1', '*') }, {}, true],
    [
      'resources by their beginning',
      { Resource: table.replace('Accounts', '*') },
      { resource: `${table}/index/a:b` },
      true,
    ],
    [
      'no resource that a wildcard would reach in the next part',
      { Resource: 'arn:aws:*:table/Accounts:x:y' },
      {},
      false,
    ],
    ['no resource with a letter for a dot', { Resource: `${table}.` }, { resource: `${table}s` }, false],
  ])('%s', (_, statement, asked, is) => {
    expect(verdict(statement, asked)).toBe(is ? 'allowed' : 'no policy allows it')
  })
})

describe('the operator', () => {
  const from = 'ses:FromAddress'
  const keys = 'dynamodb:LeadingKeys'
  const roleArn = 'aws:PrincipalArn'
  test.each<[string, string, Record<string, string | string[]>, Need['context'], boolean]>([
    ['StringEquals', 'one of the values', { [from]: ['a@x.org', 'b@x.org'] }, { [from]: 'b@x.org' }, true],
    ['StringEquals', 'another value', { [from]: 'a@x.org' }, { [from]: 'b@x.org' }, false],
    ['StringEquals', 'a value in another case', { [from]: 'a@x.org' }, { [from]: 'A@x.org' }, false],
    ['StringEquals', 'a value that a pattern would fit', { [from]: '*' }, { [from]: 'a@x.org' }, false],
    ['StringEquals', 'no value', { [from]: 'a@x.org' }, {}, false],
    ['StringEquals', 'one of two keys', { [from]: 'a@x.org', 'ses:ApiVersion': '2' }, { [from]: 'a@x.org' }, false],
    ['ArnLike', 'the role', { [roleArn]: role }, {}, true],
    ['ArnLike', 'a pattern of it', { [roleArn]: `arn:aws:iam::*:role/Gatehouse-*` }, {}, true],
    ['ArnLike', 'a pattern of fewer parts', { [roleArn]: `arn:aws:*:role/Gatehouse:a:*` }, {}, false],
    ['ArnLike', 'no value', { 'iam:PolicyARN': `arn:aws:iam::${account}:policy/*` }, {}, false],
    ['ArnLikeIfExists', 'the role', { [roleArn]: role }, {}, true],
    ['ArnLikeIfExists', 'another role', { [roleArn]: `${role}-2` }, {}, false],
    ['ArnLikeIfExists', 'no value', { 'aws:SourceArn': role }, {}, true],
    ['ArnNotEquals', 'the role', { [roleArn]: [`${role}-2`, role] }, {}, false],
    ['ArnNotEquals', 'another role', { [roleArn]: `${role}-2` }, {}, true],
    ['ArnNotEquals', 'no value', { 'iam:PolicyARN': `arn:aws:iam::${account}:policy/*` }, {}, true],
    ['Bool', 'its value', { 'aws:SecureTransport': 'true' }, { 'aws:SecureTransport': 'true' }, true],
    ['Bool', 'the other value', { 'aws:SecureTransport': 'false' }, { 'aws:SecureTransport': 'true' }, false],
    ['Bool', 'no value', { 'aws:SecureTransport': 'false' }, {}, false],
    ['Null', 'a value that must be there', { [keys]: 'false' }, { [keys]: ['a'] }, true],
    ['Null', 'a value that must be absent', { [keys]: 'true' }, { [keys]: ['a'] }, false],
    ['Null', 'no value that must be there', { [keys]: 'false' }, {}, false],
    ['Null', 'no value that must be absent', { [keys]: 'true' }, {}, true],
    ['ForAllValues:StringEquals', 'all values', { [keys]: ['a', 'b', 'c'] }, { [keys]: ['b', 'a'] }, true],
    ['ForAllValues:StringEquals', 'another value', { [keys]: ['a', 'b'] }, { [keys]: ['a', 'c'] }, false],
    ['ForAllValues:StringEquals', 'no value', { [keys]: 'a' }, {}, true],
    ['ForAllValues:StringLike', 'all values', { [keys]: ['a#*', '?'] }, { [keys]: ['a#\n', 'b'] }, true],
    ['ForAllValues:StringLike', 'another value', { [keys]: 'a#*' }, { [keys]: ['a#1', 'xa#1'] }, false],
    ['ForAllValues:StringLike', 'no value', { [keys]: 'a#*' }, {}, true],
    ['ForAnyValue:StringNotEquals', 'all values', { [keys]: ['a', 'b'] }, { [keys]: ['b', 'a'] }, false],
    ['ForAnyValue:StringNotEquals', 'another value', { [keys]: 'a' }, { [keys]: ['a', 'b'] }, true],
    ['ForAnyValue:StringNotEquals', 'no value', { [keys]: 'a' }, {}, false],
  ])('%s with %s', (operator, _, members, context, holds) => {
    const condition = { Condition: { [operator]: members } }
    expect(verdict(condition, { context })).toBe(holds ? 'allowed' : 'no policy allows it')
  })

  test('and others of a condition must hold together', () => {
    const Condition = { StringEquals: { [from]: 'a@x.org' }, Null: { [keys]: 'false' } }
    expect(verdict({ Condition }, { context: { [from]: 'a@x.org' } })).toBe('no policy allows it')
    expect(verdict({ Condition }, { context: { [from]: 'a@x.org', [keys]: ['a'] } })).toBe('allowed')
  })
})

describe('the policies of a role and of a resource', () => {
  const send: Need = { action: 'sqs:SendMessage', resource: queue, context: {} }
  const sign: Need = { action: 'kms:Sign', resource: key, context: {} }
  const all = { Effect: 'Allow', Action: '*', Resource: '*' }
  const deny = { ...all, Effect: 'Deny' }
  const anyone = { Principal: '*' }
  const theAccount = { Principal: { AWS: root } }

  test.each<[string, Need, object | null, object | null, Verdict]>([
    ['a role that may, without a policy of the queue', send, all, null, 'allowed'],
    ['a role that may not', send, null, null, 'no policy allows it'],
    ['a role that is denied', send, deny, { ...all, ...anyone }, 'a policy denies it'],
    ['a queue that denies everyone', send, all, { ...deny, ...anyone }, 'a policy denies it'],
    ['a queue that denies the account', send, all, { ...deny, ...theAccount }, 'a policy denies it'],
    [
      'a queue that denies another one',
      send,
      all,
      { ...deny, Principal: { AWS: 'arn:aws:iam::999999999999:root' } },
      'allowed',
    ],
    ['a queue that denies a service', send, all, { ...deny, Principal: { Service: 'sns.amazonaws.com' } }, 'allowed'],
    ['a queue that denies something else', send, all, { ...deny, ...anyone, Action: 'sqs:DeleteMessage' }, 'allowed'],
    ['a queue that allows everyone', send, null, { ...all, Principal: { AWS: '*' } }, 'allowed'],
    ['a queue that leaves it to the account', send, null, { ...all, ...theAccount }, 'no policy allows it'],
    ['a key that leaves it to the account, and a role that may', sign, all, { ...all, ...theAccount }, 'allowed'],
    ['a key that leaves it to the account', sign, null, { ...all, ...theAccount }, 'no policy allows it'],
    [
      'a key that leaves the account something else',
      sign,
      all,
      { ...all, ...theAccount, Action: 'kms:Encrypt' },
      'no policy allows it',
    ],
    ['a key without a policy', sign, all, null, 'no policy allows it'],
    ['a key that allows everyone', sign, null, { ...all, ...anyone }, 'allowed'],
  ])('decide together: %s', (_, need, own, others, expected) => {
    expect(decide(need, role, own ? [ofRole(own)] : [], others ? ofResource(others) : undefined)).toBe(expected)
  })
})

describe('a role', () => {
  const assume: Need = { action: 'sts:AssumeRole', resource: role, context: {} }
  const service = 'apigateway.amazonaws.com'
  const trust = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: service } }
  const ofTrust = (statement: object) => readProperties('Role', TrustPolicy, document(statement))

  test.each<[string, object, Verdict]>([
    ['by a service that it trusts', {}, 'allowed'],
    ['by one of two', { Principal: { Service: ['lambda.amazonaws.com', service] } }, 'allowed'],
    ['by no other service', { Principal: { Service: 'lambda.amazonaws.com' } }, 'no policy allows it'],
    ['by no service where it trusts the account', { Principal: { AWS: root } }, 'no policy allows it'],
    ['by none that it denies', { Effect: 'Deny' }, 'a policy denies it'],
    ['for no other action', { Action: 'sts:TagSession' }, 'no policy allows it'],
  ])('is assumed %s', (_, statement, expected) => {
    expect(decide(assume, service, [], ofTrust({ ...trust, ...statement }))).toBe(expected)
  })

  test('names no resource in what it trusts', () => {
    expect(() => ofTrust({ ...trust, Resource: role })).toThrow('Statement.0.Resource')
  })
})

describe('a policy is refused by the name of', () => {
  const variable = '$' + '{aws:username}'

  test.each<[string, object, string]>([
    ['an element', { NotAction: 'sqs:*' }, 'Statement.0: the element NotAction is not supported'],
    [
      'an operator',
      { Condition: { NumericLessThan: { 'aws:EpochTime': '1' } } },
      'Statement.0.Condition: the operator NumericLessThan is not supported',
    ],
    [
      'an operator with a suffix',
      { Condition: { StringEqualsIfExists: {} } },
      'Statement.0.Condition: the operator StringEqualsIfExists is not supported',
    ],
    [
      'a condition key',
      { Condition: { StringEquals: { 'aws:SourceIp': '::1' } } },
      'Statement.0.Condition.StringEquals: the condition key aws:SourceIp is not supported',
    ],
    [
      'a key that the operator cannot compare',
      { Condition: { StringEquals: { 'dynamodb:LeadingKeys': 'a' } } },
      'Statement.0.Condition.StringEquals: the condition key dynamodb:LeadingKeys is not supported',
    ],
    [
      'a variable of a resource',
      { Resource: `${table}/${variable}` },
      `Statement.0.Resource: the policy variable in "${table}/${variable}" is not supported`,
    ],
    [
      'a variable of a condition',
      { Condition: { StringEquals: { 'ses:FromAddress': [`${variable}@x.org`] } } },
      `Statement.0.Condition.StringEquals.ses:FromAddress.0: the policy variable in "${variable}@x.org" is not supported`,
    ],
    [
      'an ARN with parts left out',
      { Resource: 'arn:aws:sqs' },
      'Statement.0.Resource: "arn:aws:sqs" is not a whole ARN',
    ],
  ])('%s', (_, statement, complaint) => {
    expect(() => ofRole({ ...allow, ...statement })).toThrow(`npm start does not support Role: ${complaint}`)
  })

  test('a principal, where it is that of a resource', () => {
    const read = (Principal: unknown) => () => ofResource({ ...allow, Principal })
    expect(read({ AWS: role })).toThrow(`Statement.0.Principal.AWS: "${role}" is not a supported principal`)
    expect(read({ Federated: 'x' })).toThrow('Statement.0.Principal: the kind of principal Federated is not supported')
    expect(() => ofResource({ ...allow, NotPrincipal: '*' })).toThrow('the element NotPrincipal is not supported')
    expect(() => ofResource(allow)).toThrow('Statement.0.Principal')
    expect(() => ofRole({ ...allow, Principal: '*' })).toThrow('the element Principal is not supported')
  })

  test('a version, whose variables another one has not', () => {
    const policy = { Version: '2008-10-17', Statement: [allow] }
    expect(() => readProperties('Role', RolePolicy, policy)).toThrow('npm start does not support Role: Version: ')
  })
})
