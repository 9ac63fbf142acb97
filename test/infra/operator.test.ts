import { expect, test } from 'vitest'
import { inText, synthesize } from '../support/stack/template.ts'

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
      'dynamodb:GetItem on <Users.Arn>',
      'dynamodb:PutItem on <Users.Arn>',
      'dynamodb:Scan on <Users.Arn>',
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
])('the policy that the output %s names allows what its commands do on the very resources', (output, allowed) => {
  expect(allowedBy(output)).toEqual(allowed)
})

test('there are no other policies for operators, and they are given to nobody', () => {
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

test('the outputs name everything that commands work on', () => {
  const named = ['UsersTable', 'MailQueue', 'DeadLetters', 'SigningKeys'].map(name => inText(Outputs[name]?.Value))
  expect(named).toEqual(['<Users>', '<MailQueue>', '<DeadLetters>', 'next=<SigningKeyNext>,main=<SigningKeyMain>'])
})
