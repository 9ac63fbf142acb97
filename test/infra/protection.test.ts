import { describe, expect, test } from 'vitest'
import { type Route, routes } from '../../shared/routes.ts'
import { everything } from '../support/settings.ts'
import { inText, synthesize } from '../support/template.ts'

const stack = synthesize(everything)

interface Policy {
  Statement: { Effect: string; Principal: unknown; Action: unknown; Resource: unknown; Condition?: unknown }[]
}

describe('throttles', () => {
  const { DefaultRouteSettings, RouteSettings } = stack.only('AWS::ApiGatewayV2::Stage').Properties as {
    DefaultRouteSettings: Record<string, number>
    RouteSettings: Record<string, Record<string, number>>
  }
  const keysWhere = (isMeant: (row: Route) => unknown) =>
    Object.values<Route>(routes).flatMap(row => (isMeant(row) ? row.on : []))

  test('hold for the whole API', () => {
    expect(DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 500 })
  })

  test('are tighter where a password is hashed', () => {
    for (const key of keysWhere(({ hashes }) => hashes)) {
      expect(RouteSettings[key]).toEqual({ ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 })
    }
  })

  test('are tightest where a mail is asked for', () => {
    for (const key of keysWhere(({ hashes, may }) => !hashes && may?.MailQueue)) {
      expect(RouteSettings[key]).toEqual({ ThrottlingRateLimit: 14, ThrottlingBurstLimit: 50 })
    }
  })

  test('name only routes that exist by then', () => {
    const keys = keysWhere(({ hashes, may }) => hashes || may?.MailQueue)
    expect(Object.keys(RouteSettings).sort()).toEqual(keys.sort())
    const { DependsOn = [] } = stack.only('AWS::ApiGatewayV2::Stage')
    const made = DependsOn.map(id => stack.resource(id)).filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Route')
    expect(made.map(({ Properties }) => Properties.RouteKey).sort()).toEqual(keys)
  })
})

test('no function has a share of its own of the concurrency, of which new accounts have ten', () => {
  for (const [, { Properties }] of stack.all('AWS::Lambda::Function')) {
    expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions')
  }
})

describe('what is stored', () => {
  test('is encrypted: messages by SQS, alarms by a key of their own, the rest by AWS itself', () => {
    for (const [, { Properties }] of stack.all('AWS::SQS::Queue')) {
      expect(Properties).toMatchObject({ SqsManagedSseEnabled: true })
    }
    for (const [, { Properties }] of stack.all('AWS::SNS::Topic')) {
      expect(Properties).toHaveProperty('KmsMasterKeyId')
    }
  })

  test('is a message of a thousand bytes at most, which the longest one fits into', () => {
    const longest = {
      kind: 'registration',
      email: `${'a'.repeat(64)}@${'b'.repeat(189)}`,
      token: 'c'.repeat(43),
      requested_at: 8.64e15,
    }
    expect(Buffer.byteLength(JSON.stringify(longest))).toBeLessThan(512)
    expect(stack.properties('MailQueue').MaximumMessageSize).toBe(1024)
  })
})

test.each(['MailQueue', 'DeadLetters'])('%s refuses whoever comes without TLS', queue => {
  const policies = stack
    .all('AWS::SQS::QueuePolicy')
    .filter(([, { Properties }]) => (Properties.Queues as { Ref: string }[]).some(({ Ref }) => Ref === queue))
    .map(([, { Properties }]) => Properties.PolicyDocument as Policy)
  expect(policies.flatMap(({ Statement }) => Statement)).toContainEqual({
    Effect: 'Deny',
    Principal: { AWS: '*' },
    Action: 'sqs:*',
    Resource: { 'Fn::GetAtt': [queue, 'Arn'] },
    Condition: { Bool: { 'aws:SecureTransport': 'false' } },
  })
})

test('policies of keys, queues and topics let in nobody unnamed', () => {
  const documents = stack
    .all('AWS::KMS::Key')
    .map(([, { Properties }]) => Properties.KeyPolicy)
    .concat(
      ['AWS::SQS::QueuePolicy', 'AWS::SNS::TopicPolicy', 'AWS::S3::BucketPolicy'].flatMap(type =>
        stack.all(type).map(([, { Properties }]) => Properties.PolicyDocument),
      ),
    ) as Policy[]
  expect(documents.length).toBeGreaterThanOrEqual(6)
  for (const { Effect, Principal } of documents.flatMap(({ Statement }) => Statement)) {
    if (Effect === 'Allow') expect(JSON.stringify(Principal)).not.toContain('"*"')
  }
})

test('a signing key is administered by its own account, and used by nobody else', () => {
  for (const id of ['SigningKeyNext', 'SigningKeyMain']) {
    const { Statement } = stack.properties(id).KeyPolicy as Policy
    expect(Statement.map(({ Principal }) => inText((Principal as { AWS: unknown }).AWS))).toEqual([
      'arn:<AWS::Partition>:iam::<AWS::AccountId>:root',
    ])
  }
})

test('the template stays far below what CloudFormation takes', () => {
  // AWS CloudFormation, "Quotas": 500 resources and 1 MB a template, 200 outputs.
  expect(Object.keys(stack.template.Resources).length).toBeLessThan(250)
  expect(Buffer.byteLength(JSON.stringify(stack.template))).toBeLessThan(500_000)
})
