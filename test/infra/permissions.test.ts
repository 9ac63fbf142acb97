import { describe, expect, test } from 'vitest'
import { guardedBy } from '../../accounts/account/attributes.ts'
import { grantsOf, type Needs, needsOf, rows } from '../../api/needs.ts'
import { functionNames } from '../../api/route-keys.ts'
import { accountKinds, families } from '../../shared/base/families.ts'
import { type Grants, guards } from '../../shared/base/row.ts'
import { waits } from '../../shared/base/system.ts'
import { ofFamilies, ofKinds } from '../support/api/rows.ts'
import { applications, providerList } from '../support/stack/settings.ts'
import { inText, type Policy, policiesOf, synthesize } from '../support/stack/template.ts'

// Functions have every variable with languages, passkeys and applications, and with the settings without them.
const stack = synthesize({
  MAIL_FROM: 'Gatehouse <no-reply@example.com>',
  PASSKEY_RP_ID: 'example.com',
  SITE_URL: 'https://example.com',
  LANGUAGES: 'en',
  OIDC_CLIENTS: applications,
  SIGN_IN_PROVIDERS: providerList,
  REQUIRE_EMAIL_VERIFICATION: 'true',
  SIGN_UP: 'invited',
  SIGN_UP_DOMAINS: 'example.com',
  SSO: 'off',
  TERMS_URL: 'https://example.com/terms',
  PRIVACY_URL: 'https://example.com/privacy',
})
const needs = functionNames.map(name => [name, { ...needsOf(rows[name]), may: grantsOf(rows[name]) }] as const)

const ses = 'arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>'

/** The IAM resource and the environment variable of each resource in the route table. */
const resources: Record<keyof Grants, { service: string; arn: string; variables: Record<string, string> }> = {
  ...ofKinds(prefix => ({
    service: 'dynamodb',
    arn: `<Accounts.Arn> of ${prefix}…`,
    variables: { ACCOUNTS_TABLE: '<Accounts>' },
  })),
  AccountsByVerificationToken: {
    service: 'dynamodb',
    arn: '<Accounts.Arn>/index/by-verification-token',
    variables: { ACCOUNTS_TABLE: '<Accounts>' },
  },
  AccountsByResetToken: {
    service: 'dynamodb',
    arn: '<Accounts.Arn>/index/by-reset-token',
    variables: { ACCOUNTS_TABLE: '<Accounts>' },
  },
  AccountsByPasskeyHandle: {
    service: 'dynamodb',
    arn: '<Accounts.Arn>/index/by-passkey-handle',
    variables: { ACCOUNTS_TABLE: '<Accounts>' },
  },
  ...ofFamilies(prefix => ({
    service: 'dynamodb',
    arn: `<RateLimits.Arn> of ${prefix}…`,
    variables: { RATE_LIMITS_TABLE: '<RateLimits>' },
  })),
  MailQueue: { service: 'sqs', arn: '<MailQueue.Arn>', variables: { MAIL_QUEUE_URL: '<MailQueue>' } },
  QueuedMail: { service: 'sqs', arn: '<MailQueue.Arn>', variables: { MAIL_QUEUE_URL: '<MailQueue>' } },
  MailIdentity: { service: 'ses', arn: `${ses}:identity/*`, variables: {} },
  SigningKey: { service: 'kms', arn: '<SigningKeyMain.Arn>', variables: { SIGNING_KEY_ID: '<SigningKeyMain>' } },
  FactorKey: { service: 'kms', arn: '<FactorKey.Arn>', variables: { FACTOR_KEY_ID: '<FactorKey>' } },
  ProviderKey: { service: 'kms', arn: '<ProviderKey.Arn>', variables: { PROVIDER_KEY_ID: '<ProviderKey>' } },
  SigningKeys: { service: 'kms', arn: '<SigningKeyMain.Arn>', variables: { SIGNING_KEY_IDS: '<SigningKeyMain>' } },
}

const entriesOf = ({ may }: Needs) => Object.entries(may) as [keyof Grants, readonly string[]][]

/** If the sender's identity has a default configuration set, SES checks that too. */
const sending = `ses:SendEmail on ${ses}:configuration-set/*`

describe('a function', () => {
  test.each(needs)('%s may do what its row grants, write its own log, and nothing else', (name, row) => {
    const granted = entriesOf(row).flatMap(([resource, actions]) =>
      actions.map(action => `${resources[resource].service}:${action} on ${resources[resource].arn}`),
    )
    const { LoggingConfig } = stack.functionProperties(name) as { LoggingConfig: { LogGroup: { Ref: string } } }
    const logging = ['logs:CreateLogStream', 'logs:PutLogEvents'].map(
      action => `${action} on <${LoggingConfig.LogGroup.Ref}.Arn>`,
    )
    expect(stack.permissions(name)).toEqual(
      [...new Set([...granted, ...logging, ...('MailIdentity' in row.may ? [sending] : [])])].sort(),
    )
  })

  test.each(needs)('%s is given its stage, its row’s settings and its resources’ names alone', (name, row) => {
    const variables = entriesOf(row).flatMap(([resource]) => Object.keys(resources[resource].variables))
    expect(Object.keys(stack.variables(name)).sort()).toEqual(
      // Only a system on one machine has these.
      [...new Set(['STAGE', ...variables, ...row.settings])]
        .filter(name => !['BLOCKLIST_URL', 'BROWSER_URL'].includes(name))
        .sort(),
    )
    expect(stack.variables(name)).toMatchObject(
      Object.assign({}, ...entriesOf(row).map(([resource]) => resources[resource].variables)),
    )
  })
})

const inTables = [accountKinds, families].flatMap(prefixes =>
  Object.entries(prefixes).map(([name, prefix]) => [name, prefix, Object.values<string>(prefixes)] as const),
)

test.each(inTables)('%s share their prefix %s with no other items of their table', (_, prefix, all) => {
  expect(all.filter(other => other.startsWith(prefix))).toEqual([prefix])
  // A condition would take these for wildcards, and `${` for a variable.
  expect(prefix).not.toMatch(/[*?$]/)
})

test('roles of functions have one policy of their own, for Lambda alone', () => {
  const roles = functionNames.map(name => stack.roleId(name))
  for (const { Properties } of roles.map(stack.resource)) {
    expect(Object.keys(Properties)).toEqual(['AssumeRolePolicyDocument', 'Policies'])
    expect(Properties.AssumeRolePolicyDocument).toMatchObject({
      Statement: [{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } }],
    })
    expect(Properties.Policies).toMatchObject([{ PolicyName: 'Grants' }])
    // A key's policy names roles: a role that names the key would make a circle, which CloudFormation refuses.
    expect(JSON.stringify(Properties.Policies)).not.toContain('kms:')
  }
  const shared = stack.all('AWS::IAM::Policy').map(([, { Properties }]) => Properties as unknown as Policy)
  expect(shared.map(({ PolicyDocument }) => PolicyDocument.Statement.map(({ Action }) => Action))).toEqual(
    // Second factors' secrets, tokens, and finally the secrets at providers.
    ['kms:Decrypt', 'kms:Sign', 'kms:GetPublicKey', 'kms:Encrypt', 'kms:Decrypt'].map(action => [action]),
  )
  for (const type of ['AWS::IAM::User', 'AWS::IAM::RolePolicy']) {
    expect(stack.all(type)).toEqual([])
  }
})

test('a function runs with a key only once its role may use it', () => {
  for (const name of functionNames) {
    const keys = policiesOf(stack.template.Resources, stack.functionId(name)).filter(({ Roles }) => Roles)
    expect(stack.resource(stack.functionId(name)).DependsOn ?? []).toEqual(
      expect.arrayContaining(keys.map(({ PolicyName }) => PolicyName)),
    )
  }
})

test('what functions may call is what slow requests name, each by its service', () => {
  const services = functionNames.flatMap(name => stack.permissions(name)).map(permission => permission.split(':', 1)[0])
  const named = waits.filter(wait => !['provider', 'blocklist', 'hash'].includes(wait)).map(wait => wait.toLowerCase())
  expect([...new Set(services)].filter(service => service !== 'logs').sort()).toEqual(named.sort())
})

test("only SES's resources are wildcards, and SES is bound to the sender's address", () => {
  const open = functionNames.flatMap(name => stack.permissions(name).filter(permission => permission.endsWith('*')))
  expect([...new Set(open)].sort()).toEqual([sending, `ses:SendEmail on ${ses}:identity/*`])
  expect(stack.statements('on-mail-queued').filter(({ Action }) => Action === 'ses:SendEmail')).toMatchObject([
    { Condition: { StringEquals: { 'ses:FromAddress': 'no-reply@example.com' } } },
    { Resource: expect.anything() },
  ])
  const [withIdentity, withSet] = stack.statements('on-mail-queued').filter(({ Action }) => Action === 'ses:SendEmail')
  expect(inText(withIdentity?.Resource)).toMatch(/identity\/\*$/)
  expect(inText(withSet?.Resource)).toMatch(/configuration-set\/\*$/)
})

test('no function may touch the table of the accounts of 0.4.0, or knows it', () => {
  for (const name of functionNames) {
    expect(stack.permissions(name).filter(permission => permission.includes('<Users'))).toEqual([])
    expect(JSON.stringify(stack.variables(name))).not.toContain('Users')
  }
})

test.each(['forgot-password', 'resend-verification'] as const)(
  '%s cannot touch the table of accounts or its indexes',
  name => {
    expect(stack.permissions(name).filter(permission => permission.includes('Accounts'))).toEqual([])
    expect(stack.variables(name)).not.toHaveProperty('ACCOUNTS_TABLE')
  },
)

describe('of an account', () => {
  test.each(needs.filter(([, { may }]) => may.Accounts?.includes('UpdateItem')))(
    '%s writes only attributes whose guard its row names',
    (name, { writes }) => {
      const updates = stack.statements(name).filter(({ Action }) => Action === 'dynamodb:UpdateItem')
      const conditions = updates.filter(each => inText(each.Resource) === '<Accounts.Arn>').map(each => each.Condition)
      const others = guardedBy(guards.filter(guard => !writes.includes(guard)))
      expect(conditions).toMatchObject([
        {
          'ForAllValues:StringNotEquals': { 'dynamodb:Attributes': others },
          // Without it the condition also holds for calls that name no attribute.
          Null: { 'dynamodb:Attributes': 'false' },
        },
      ])
    },
  )

  test('no function writes the rights, and only what opens accounts puts whole ones', () => {
    expect(needs.filter(([, { writes }]) => writes.includes('rights'))).toEqual([])
    const putting = needs.filter(([, { may }]) => may.Accounts?.includes('PutItem')).map(([name]) => name)
    expect(putting).toEqual(['register', 'provider-login', 'authorize'])
  })

  test('a role that logs out, renews sessions or changes a profile cannot take it', () => {
    const taking = needs.filter(([, { writes }]) =>
      ['password', 'ways in', 'links'].some(guard => writes.some(each => each === guard)),
    )
    const updating = needs.filter(([, { may }]) => may.Accounts?.includes('UpdateItem')).map(([name]) => name)
    expect(updating.filter(name => !taking.some(([each]) => each === name))).toEqual([
      'refresh',
      'logout',
      'update-me',
      'logout-everywhere',
      'authorize-session',
      'logout-browser',
      'token',
      'revoke',
    ])
  })
})

test('only the mail worker may send mail, and nobody where MAIL_FROM is unset', () => {
  const senders = (of: typeof stack) =>
    functionNames.filter(
      name => of.stack.functions[name] && of.permissions(name).some(permission => permission.startsWith('ses:')),
    )
  expect(senders(stack)).toEqual(['on-mail-queued'])
  expect(senders(synthesize({ OIDC_CLIENTS: applications }))).toEqual([])
})
