import { expect, test } from 'vitest'
import { inText, synthesize } from '../support/template.ts'

const stack = synthesize({ SIGNING_KEYS: 'next,main' })
const [[policyId] = [''], ...others] = stack.all('AWS::IAM::ManagedPolicy')
const policy = stack.properties(policyId)
const { Statement } = policy.PolicyDocument as { Statement: { Action: string | string[]; Resource: unknown }[] }

test('the policy for operators allows what their commands do on the very resources, and is given to nobody', () => {
  const allowed = Statement.flatMap(({ Action, Resource }) =>
    [Resource].flat().flatMap(resource => [Action].flat().map(action => `${action} on ${inText(resource)}`)),
  )
  expect(allowed.sort()).toEqual([
    'dynamodb:DeleteItem on <Users.Arn>',
    'dynamodb:GetItem on <Users.Arn>',
    'dynamodb:PutItem on <Users.Arn>',
    'dynamodb:Scan on <Users.Arn>',
    'dynamodb:UpdateItem on <Users.Arn>',
    'kms:DescribeKey on <SigningKeyMain.Arn>',
    'kms:DescribeKey on <SigningKeyNext.Arn>',
    'sqs:DeleteMessage on <DeadLetters.Arn>',
    'sqs:GetQueueAttributes on <DeadLetters.Arn>',
    'sqs:ReceiveMessage on <DeadLetters.Arn>',
    'sqs:SendMessage on <MailQueue.Arn>',
  ])
  expect(policy).not.toHaveProperty('Roles')
  expect(policy).not.toHaveProperty('Users')
  expect(others).toEqual([])
})

test('the outputs name everything that commands work on', () => {
  const { Outputs } = stack.template as unknown as { Outputs: Record<string, { Value: unknown }> }
  const named = ['UsersTable', 'MailQueue', 'DeadLetters', 'SigningKeys'].map(name => inText(Outputs[name]?.Value))
  expect(named).toEqual(['<Users>', '<MailQueue>', '<DeadLetters>', 'next=<SigningKeyNext>,main=<SigningKeyMain>'])
})
