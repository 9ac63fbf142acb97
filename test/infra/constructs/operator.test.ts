import { expect, test } from 'vitest'
import { inText, synthesize } from '../../support/stack/template.ts'

const stack = synthesize({ SIGNING_KEYS: 'next,main' })
const { Outputs } = stack.template as unknown as { Outputs: Record<string, { Value: unknown }> }

/** What a policy that an output names allows, as `<action> on <resource>`. */
function allowedBy(output: string): string[] {
  const policy = stack.properties(inText(Outputs[output]?.Value).slice(1, -1))
  const { Statement } = policy.PolicyDocument as { Statement: { Action: string | string[]; Resource: unknown }[] }
  const allowed = Statement.flatMap(({ Action, Resource }) =>
    [Resource].flat().flatMap(resource => [Action].flat().map(action => `${action} on ${inText(resource)}`)),
  )
  return allowed.sort()
}

test.each([
  [
    'OperatorUsersPolicy',
    [
      'dynamodb:DeleteItem on <Users.Arn>',
      'dynamodb:GetItem on <RateLimits.Arn>',
      'dynamodb:GetItem on <Users.Arn>',
      'dynamodb:PutItem on <Users.Arn>',
      'dynamodb:Scan on <Users.Arn>',
      'dynamodb:UpdateItem on <RateLimits.Arn>',
      'dynamodb:UpdateItem on <Users.Arn>',
    ],
  ],
  [
    'OperatorMailPolicy',
    [
      'ses:DeleteSuppressedDestination on *',
      'ses:GetSuppressedDestination on *',
      'sqs:DeleteMessage on <DeadLetters.Arn>',
      'sqs:GetQueueAttributes on <DeadLetters.Arn>',
      'sqs:ReceiveMessage on <DeadLetters.Arn>',
      'sqs:SendMessage on <MailQueue.Arn>',
    ],
  ],
  ['OperatorKeysPolicy', ['kms:DescribeKey on <SigningKeyMain.Arn>', 'kms:DescribeKey on <SigningKeyNext.Arn>']],
])('the policy of the output %s allows what its commands do, on exactly these resources', (output, allowed) => {
  expect(allowedBy(output)).toEqual(allowed)
})

test('operators can change only the marks of deletions among the counters, and read where accounts have moved', () => {
  const { PolicyDocument } = stack.properties(inText(Outputs.OperatorUsersPolicy?.Value).slice(1, -1))
  const { Statement } = PolicyDocument as { Statement: { Resource: unknown; Condition?: object }[] }
  const onCounters = Statement.filter(({ Resource }) => inText(Resource) === '<RateLimits.Arn>')
  expect(onCounters.map(({ Condition }) => Condition)).toEqual([
    { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['deleted-*', 'moved#*'] } },
    { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['deleted-*'] } },
  ])
})

test('operators have no other policies, and none is attached to anyone', () => {
  const policies = stack.all('AWS::IAM::ManagedPolicy')
  expect(policies).toHaveLength(3)
  for (const [, { Properties }] of policies) {
    expect(Object.keys(Properties).filter(name => ['Roles', 'Users', 'Groups'].includes(name))).toEqual([])
  }
})

test('the address whose next owner is an administrator is an output, where there is one', () => {
  expect(Outputs).not.toHaveProperty('AdminEmail')
  const { template } = synthesize({ ADMIN_EMAIL: 'Ada@example.com' })
  expect(template).toMatchObject({ Outputs: { AdminEmail: { Value: 'ada@example.com' } } })
})

test('the outputs name every resource that commands need', () => {
  const named = ['UsersTable', 'RateLimitsTable', 'MailQueue', 'DeadLetters', 'SigningKeys'].map(name =>
    inText(Outputs[name]?.Value),
  )
  expect(named).toEqual([
    '<Users>',
    '<RateLimits>',
    '<MailQueue>',
    '<DeadLetters>',
    'next=<SigningKeyNext>,main=<SigningKeyMain>',
  ])
})
