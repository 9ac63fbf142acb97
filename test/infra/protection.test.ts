import { describe, expect, test } from 'vitest'
import { findStage } from '../../infra/settings/stage.ts'
import { isHashing, needsOf, type Row, rows } from '../../shared/api/needs.ts'
import { functionNames, routeKeysOf } from '../../shared/api/route-keys.ts'
import type { FunctionName } from '../../shared/api/routes.ts'
import { everything } from '../support/stack/settings.ts'
import { inText, synthesize } from '../support/stack/template.ts'

const stack = synthesize(everything)

interface Policy {
  Statement: { Effect: string; Principal: unknown; Action: unknown; Resource: unknown; Condition?: unknown }[]
}

describe('throttles', () => {
  const { DefaultRouteSettings, RouteSettings } = stack.only('AWS::ApiGatewayV2::Stage').Properties as {
    DefaultRouteSettings: Record<string, number>
    RouteSettings: Record<string, Record<string, number>>
  }
  const keysOf = (which: (row: Row) => unknown) => functionNames.filter(name => which(rows[name])).flatMap(routeKeysOf)
  const hashing = keysOf(isHashing)

  test('cover every route', () => {
    expect(DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 })
  })

  test.each([
    ['ThrottlingRateLimit', 100],
    ['ThrottlingBurstLimit', 200],
  ])('share one %s out evenly among all routes that hash', (limit, together) => {
    const shares = hashing.map(key => RouteSettings[key]?.[limit] ?? Number.POSITIVE_INFINITY)
    expect(new Set(shares).size).toBe(1)
    const sum = shares.reduce((sum, share) => sum + share, 0)
    expect(sum).toBeLessThanOrEqual(together)
    // Whole numbers: the remainder is less than one for each.
    expect(sum).toBeGreaterThan(together - hashing.length)
  })

  test.each(hashing)('leave %s three times what a million people send in their busiest hour', key => {
    // Four logins a month each, and four times as many in the busiest hour as on average.
    const busiest = (4 * 4 * 1e6) / (30 * 24 * 60 * 60)
    expect(RouteSettings[key]?.ThrottlingRateLimit).toBeGreaterThan(3 * busiest)
  })

  test("are a row's own where it states one", () => {
    const throttled = functionNames.filter(name => rows[name].throttle)
    expect(throttled).not.toEqual([])
    for (const name of throttled) {
      const [rate, burst] = rows[name].throttle ?? []
      for (const key of routeKeysOf(name))
        expect(RouteSettings[key]).toEqual({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst })
    }
  })

  test('leave routes that only ask for a mail to the stage: mail is bounded behind the queue', () => {
    const mailing = keysOf(row => row.may?.MailQueue && !isHashing(row))
    expect(mailing).not.toEqual([])
    for (const key of mailing) expect(RouteSettings).not.toHaveProperty([key])
  })

  test('refer only to routes that exist by then', () => {
    const keys = [...hashing, ...keysOf(({ throttle }) => throttle)]
    expect(Object.keys(RouteSettings).sort()).toEqual(keys.sort())
    const { DependsOn = [] } = stack.only('AWS::ApiGatewayV2::Stage')
    const made = DependsOn.map(id => stack.resource(id)).filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Route')
    expect(made.map(({ Properties }) => Properties.RouteKey).sort()).toEqual(keys)
  })
})

test('no function reserves concurrency: new accounts have only ten', () => {
  for (const [, { Properties }] of stack.all('AWS::Lambda::Function')) {
    expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions')
  }
})

describe('what is stored', () => {
  test('is encrypted: messages by SQS, alarms with a key of their own, the rest by AWS itself', () => {
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

test.each(['MailQueue', 'DeadLetters'])('%s refuses requests without TLS', queue => {
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

test('policies of keys, queues and topics allow only named principals', () => {
  const documents = stack
    .all('AWS::KMS::Key')
    .map(([, { Properties }]) => Properties.KeyPolicy)
    .concat(
      ['AWS::SQS::QueuePolicy', 'AWS::SNS::TopicPolicy'].flatMap(type =>
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
    const allowed = Statement.filter(({ Effect }) => Effect === 'Allow')
    expect(allowed.map(({ Principal }) => inText((Principal as { AWS: unknown }).AWS))).toEqual([
      'arn:<AWS::Partition>:iam::<AWS::AccountId>:root',
    ])
  }
})

const settingsOf = (stage: string) => findStage({ STAGE: stage }).texts

describe.each([
  ['staging', synthesize(settingsOf('staging'))],
  ['prod', synthesize(settingsOf('prod'))],
  ['one with everything set', stack],
])('in the stage %s', (_, stage) => {
  const signing = stage.all('AWS::KMS::Key').filter(([, { Properties }]) => Properties.KeyUsage === 'SIGN_VERIFY')
  const granted = functionNames.filter(name => needsOf(rows[name]).may.SigningKey?.includes('Sign'))

  test('every signing key denies a signature to all but the roles of functions whose row grants it', () => {
    expect(signing.length).toBeGreaterThan(0)
    for (const [, { Properties }] of signing) {
      const denied = (Properties.KeyPolicy as Policy).Statement.filter(({ Effect }) => Effect === 'Deny')
      expect(denied).toEqual([
        {
          Effect: 'Deny',
          Principal: { AWS: '*' },
          Action: 'kms:Sign',
          Resource: '*',
          Condition: { ArnNotEquals: { 'aws:PrincipalArn': expect.anything() } },
        },
      ])
      const [condition] = denied.map(({ Condition }) => Condition as { ArnNotEquals: Record<string, unknown> })
      const roles = [condition?.ArnNotEquals['aws:PrincipalArn']].flat().map(inText)
      expect(roles).toEqual(granted.map(name => `<${stage.roleId(name)}.Arn>`))
    }
  })

  test('the roles that sign keep their logical ids: the key is updated before the function, which would be denied', () => {
    const kept: Partial<Record<FunctionName, string>> = { login: 'LoginRoleC2004742' }
    const pascalCase = (name: string) => name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
    for (const name of granted) expect(stage.roleId(name)).toBe(kept[name] ?? `${pascalCase(name)}Role`)
    expect(granted).toContain('login')
  })
})

test('the template stays far below what CloudFormation takes', () => {
  // AWS CloudFormation, "Quotas": 500 resources and 1 MB a template, 200 outputs.
  expect(Object.keys(stack.template.Resources).length).toBeLessThan(250)
  expect(Buffer.byteLength(JSON.stringify(stack.template))).toBeLessThan(500_000)
})
