import { expect, test } from 'vitest'
import { providerList } from '../../support/stack/settings.ts'
import { inText, permissionsIn, type Statement, synthesize } from '../../support/stack/template.ts'

const stack = synthesize({ SIGNING_KEYS: 'next,main' })
const { Outputs } = stack.template as unknown as { Outputs: Record<string, { Value: unknown }> }

/** The grants of a policy that an output names, as `<action> on <resource>`. */
function allowedBy(output: string, { template, properties } = stack): string[] {
  const { Outputs } = template as unknown as { Outputs: Record<string, { Value: unknown }> }
  const policy = properties(inText(Outputs[output]?.Value).slice(1, -1))
  return permissionsIn((policy.PolicyDocument as { Statement: Statement[] }).Statement)
}

test.each([
  [
    'OperatorUsersPolicy',
    [
      // Over an entry of an identity that counts as none.
      'dynamodb:ConditionCheckItem on <Accounts.Arn> of account#…',
      ...['account', 'email', 'identity'].map(kind => `dynamodb:DeleteItem on <Accounts.Arn> of ${kind}#…`),
      ...['account', 'email', 'identity'].map(kind => `dynamodb:GetItem on <Accounts.Arn> of ${kind}#…`),
      'dynamodb:GetItem on <RateLimits.Arn> of deleted-…',
      ...['account', 'email', 'identity'].map(kind => `dynamodb:PutItem on <Accounts.Arn> of ${kind}#…`),
      'dynamodb:Scan on <Accounts.Arn>',
      // The export of 0.4.0.
      'dynamodb:Scan on <Users.Arn>',
      'dynamodb:UpdateItem on <Accounts.Arn> of account#…',
      'dynamodb:UpdateItem on <RateLimits.Arn> of deleted-…',
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
  [
    'OperatorStackPolicy',
    [
      'cloudwatch:DescribeAlarms on *',
      'cloudwatch:GetMetricStatistics on *',
      'dynamodb:DescribeContinuousBackups on <Accounts.Arn>',
      'dynamodb:DescribeContinuousBackups on <RateLimits.Arn>',
      'dynamodb:DescribeTable on <Accounts.Arn>',
      'dynamodb:DescribeTable on <RateLimits.Arn>',
      'kms:DescribeKey on <FactorKey.Arn>',
      'kms:DescribeKey on <SigningKeyMain.Arn>',
      'kms:DescribeKey on <SigningKeyNext.Arn>',
      'lambda:GetAccountSettings on *',
      'ses:GetAccount on *',
      'sns:ListSubscriptionsByTopic on <AlarmTopic>',
    ],
  ],
  ['OperatorKeysPolicy', ['kms:DescribeKey on <SigningKeyMain.Arn>', 'kms:DescribeKey on <SigningKeyNext.Arn>']],
])('the policy of the output %s allows what its commands do, on exactly these resources', (output, allowed) => {
  expect(allowedBy(output)).toEqual(allowed)
})

test('where there are providers, operators encrypt their secrets, and see the key', () => {
  const withProviders = synthesize({ SIGN_IN_PROVIDERS: providerList, MAIL_FROM: 'no-reply@example.com' })
  expect(allowedBy('OperatorKeysPolicy', withProviders)).toContain('kms:Encrypt on <ProviderKey.Arn>')
  expect(allowedBy('OperatorStackPolicy', withProviders)).toContain('kms:DescribeKey on <ProviderKey.Arn>')
})

test('operators have no other policies, and none is attached to anyone', () => {
  const policies = stack.all('AWS::IAM::ManagedPolicy')
  expect(policies).toHaveLength(4)
  for (const [, { Properties }] of policies) {
    expect(Object.keys(Properties).filter(name => ['Roles', 'Accounts', 'Groups'].includes(name))).toEqual([])
  }
})

test('the address whose next owner is an administrator is an output, where there is one', () => {
  expect(Outputs).not.toHaveProperty('AdminEmail')
  expect(Outputs).not.toHaveProperty('Languages')
  const { template } = synthesize({ ADMIN_EMAIL: 'Ada@example.com', LANGUAGES: 'EN' })
  expect(template).toMatchObject({ Outputs: { AdminEmail: { Value: 'ada@example.com' }, Languages: { Value: 'en' } } })
})

test('the sender of mails is an output, where there is one', () => {
  expect(Outputs).not.toHaveProperty('MailFrom')
  const { template } = synthesize({ MAIL_FROM: 'no-reply@example.com' })
  expect(template).toMatchObject({ Outputs: { MailFrom: { Value: expect.stringContaining('no-reply@example.com') } } })
})

test('the outputs name every resource that commands need', () => {
  const named = ['AccountsTable', 'UsersTable', 'RateLimitsTable', 'MailQueue', 'DeadLetters', 'SigningKeys'].map(
    name => inText(Outputs[name]?.Value),
  )
  expect(named).toEqual([
    '<Accounts>',
    '<Users>',
    '<RateLimits>',
    '<MailQueue>',
    '<DeadLetters>',
    'next=<SigningKeyNext>,main=<SigningKeyMain>',
  ])
})
