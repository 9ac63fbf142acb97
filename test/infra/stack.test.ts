import { describe, expect, test } from 'vitest'
import {
  clientPaths,
  isHashing,
  needsClients,
  needsOf,
  needsProviders,
  providerPaths,
  rows as table,
} from '../../api/needs.ts'
import { functionNames, routeKeysOf } from '../../api/route-keys.ts'
import { type FunctionName, functions } from '../../api/routes.ts'
import { pascalCase } from '../../infra/constructs/logical-id.ts'
import { readSettings } from '../../infra/settings/settings.ts'
import { createApp } from '../../infra/synthesize.ts'
import { applications, everything, providerList } from '../support/stack/settings.ts'
import { inText, type Policy, permissionsIn, type Statement, synthesize } from '../support/stack/template.ts'

/** Providers take mails. */
const MAIL_FROM = 'no-reply@example.com'
const stack = synthesize({ MAIL_FROM, OIDC_CLIENTS: applications, SIGN_IN_PROVIDERS: providerList })
const without = synthesize({ MAIL_FROM })
const rows = functionNames.map(name => [name, table[name]] as const)
const day = 24 * 60 * 60

describe('functions', () => {
  test('are those of the route table and of the consumers, and no other', () => {
    const ids = rows.map(([name]) => stack.functionId(name))
    expect(stack.all('AWS::Lambda::Function').map(([id]) => id)).toEqual(ids)
  })

  test.each(rows)('%s runs on Node 24 on arm64, for as long as its row says', (name, row) => {
    expect(stack.functionProperties(name)).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      Description: row.summary,
      Timeout: needsOf(row).timeout,
    })
  })

  test('have a whole vCPU exactly where a password is hashed', () => {
    const withFullCpu = rows
      .filter(([name]) => stack.functionProperties(name).MemorySize === 1769)
      .map(([name]) => name)
    expect(withFullCpu).toEqual(rows.filter(([, row]) => isHashing(row)).map(([name]) => name))
  })

  test('log JSON, all into one group', () => {
    const groups = rows.map(([name]) => {
      const { LoggingConfig } = stack.functionProperties(name)
      expect(LoggingConfig).toEqual({ LogFormat: 'JSON', LogGroup: { Ref: expect.any(String) } })
      return (LoggingConfig as { LogGroup: { Ref: string } }).LogGroup.Ref
    })
    const [group = '', ...others] = new Set(groups)
    expect(others).toEqual([])
    expect(inText(stack.properties(group).LogGroupName)).toBe('/lambda/<AWS::StackName>')
  })
})

describe('of what CloudFormation takes', () => {
  const fullest = synthesize(everything)
  const count = (...types: string[]) => types.map(type => fullest.all(`AWS::${type}`).length)
  const used = Object.keys(fullest.template.Resources).length
  const served = rows.filter(([name]) => routeKeysOf(name).length > 0)

  test('an endpoint takes four: function, role, integration and route; a GET has two routes', () => {
    // The API has a role too.
    expect(count('Lambda::Function', 'IAM::Role')).toEqual([0, 1].map(more => rows.length + more))
    const routes = served.flatMap(([name]) => routeKeysOf(name)).length
    expect(count('ApiGatewayV2::Integration', 'ApiGatewayV2::Route')).toEqual([served.length, routes])
    // All others exist once, however many endpoints there are.
    expect(used - 2 * rows.length - served.length - routes).toBeLessThan(86)
  })

  test('nothing reads the API, whose control plane takes ten calls a second', () => {
    for (const env of [everything, {}]) {
      expect(JSON.stringify(synthesize(env).template)).not.toContain('"Fn::GetAtt":["HttpApi"')
    }
  })
})

test.each(['1', '1000000', '100000000'])('with %s accounts, each condition and mapping is used', accounts => {
  const {
    Conditions = {},
    Mappings = {},
    ...template
  } = synthesize({ EXPECTED_ACCOUNTS: accounts }).template as Record<string, object>
  const text = JSON.stringify(template)
  for (const name of Object.keys(Conditions)) {
    expect(text.includes(`{"Fn::If":["${name}",`) || text.includes(`"Condition":"${name}"`)).toBe(true)
  }
  for (const name of Object.keys(Mappings)) expect(JSON.stringify(Conditions)).toContain(`"${name}"`)
})

describe('the API', () => {
  const { id: apiId, Properties: api } = stack.only('AWS::ApiGatewayV2::Api')

  test('answers every route key of the table by its function, and no other', () => {
    const served = stack.all('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => {
      const [, target] = (Properties.Target as { 'Fn::Join': [string, [string, { Ref: string }]] })['Fn::Join'][1]
      const { IntegrationUri } = stack.properties(target.Ref)
      return [Properties.RouteKey, (IntegrationUri as { 'Fn::GetAtt': string[] })['Fn::GetAtt'][0]]
    })
    const expected = rows.flatMap(([name]) => routeKeysOf(name).map(key => [key, stack.functionId(name)]))
    expect(served.sort()).toEqual(expected.sort())
  })

  test('hands requests over in payload format 2.0', () => {
    for (const [, { Properties }] of stack.all('AWS::ApiGatewayV2::Integration')) {
      expect(Properties).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' })
    }
  })

  test('invokes each function with a route, by one role for this API', () => {
    const [invoker = '', ...others] = new Set(
      stack.all('AWS::ApiGatewayV2::Integration').map(([, { Properties }]) => inText(Properties.CredentialsArn)),
    )
    expect(others).toEqual([])
    const { AssumeRolePolicyDocument, Policies } = stack.properties(invoker.replace(/^<|\.Arn>$/g, '')) as {
      AssumeRolePolicyDocument: { Statement: (Statement & { Principal: unknown })[] }
      Policies: Policy[]
    }
    const [assumption, ...more] = AssumeRolePolicyDocument.Statement
    expect(more).toEqual([])
    expect(assumption).toMatchObject({
      Effect: 'Allow',
      Action: 'sts:AssumeRole',
      Principal: { Service: 'apigateway.amazonaws.com' },
    })
    const { ArnLikeIfExists, ...conditions } = (assumption?.Condition ?? {}) as Record<
      string,
      Record<string, unknown[]>
    >
    expect(conditions).toEqual({})
    // API Gateway's two kinds of ARN ("Amazon Resource Name (ARN) reference"): of requests, and of configuration.
    expect(ArnLikeIfExists?.['aws:SourceArn']?.map(inText)).toEqual([
      `arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<${apiId}>/*`,
      `arn:<AWS::Partition>:apigateway:<AWS::Region>::/apis/<${apiId}>*`,
    ])
    const served = rows.map(([name]) => name).filter(name => routeKeysOf(name).length > 0)
    expect(served).not.toContain('on-mail-queued')
    const grants = Policies.flatMap(({ PolicyDocument }) => permissionsIn(PolicyDocument.Statement))
    expect(grants).toEqual(served.map(name => `lambda:InvokeFunction on <${stack.functionId(name)}.Arn>`).sort())
    expect(stack.all('AWS::Lambda::Permission')).toEqual([])
  })

  test('answers CORS for any origin, and lets pages read what they need', () => {
    expect(api.CorsConfiguration).toEqual({
      AllowOrigins: ['*'],
      AllowMethods: ['GET', 'HEAD', 'POST', 'PUT'],
      AllowHeaders: [
        ...['authorization', 'content-type', 'if-none-match'],
        ...['mcp-protocol-version', 'mcp-method', 'mcp-name'],
        ...['traceparent', 'tracestate', 'baggage', 'sentry-trace'],
      ],
      ExposeHeaders: ['www-authenticate', 'retry-after', 'ratelimit', 'ratelimit-policy', 'etag'],
      MaxAge: 3600,
    })
  })
})

describe.each([
  ['accounts', 'Accounts', 'key'],
  ['accounts of 0.4.0', 'Users', 'email'],
])('the table of %s', (_, id, key) => {
  const table = stack.resource(id)

  test(`is keyed by ${key}`, () => {
    expect(table).toMatchObject({
      Type: 'AWS::DynamoDB::Table',
      Properties: { KeySchema: [{ AttributeName: key, KeyType: 'HASH' }], BillingMode: 'PAY_PER_REQUEST' },
    })
  })

  test('outlives the stack and mistakes', () => {
    expect(table).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    })
  })

  test('finds tokens by two indexes, passkeys’ handles by one, which hold keys alone', () => {
    const keysOnly = (index: string, attribute: string) => ({
      IndexName: index,
      KeySchema: [{ AttributeName: attribute, KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    })
    expect(table.Properties.GlobalSecondaryIndexes).toEqual([
      keysOnly('by-verification-token', 'email_verification_token'),
      keysOnly('by-reset-token', 'password_reset_token'),
      keysOnly('by-passkey-handle', 'passkey_handle'),
    ])
  })
})

test('counters expire by themselves, can be brought back, and go with the stack', () => {
  expect(stack.resource('RateLimits')).toMatchObject({
    DeletionPolicy: 'Delete',
    Properties: {
      KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
    },
  })
  expect(stack.all('AWS::DynamoDB::Table').map(([id]) => id)).toEqual(['Accounts', 'Users', 'RateLimits'])
})

describe('mail', () => {
  const queue = stack.properties('MailQueue')
  const worker = functions['on-mail-queued']

  test('waits at least six worker time-outs before it is tried again', () => {
    expect(queue.VisibilityTimeout).toBeGreaterThanOrEqual(6 * worker.timeout)
  })

  test('becomes a dead letter after ten tries, all of which fit into its lifetime', () => {
    expect(queue.RedrivePolicy).toEqual({
      deadLetterTargetArn: { 'Fn::GetAtt': ['DeadLetters', 'Arn'] },
      maxReceiveCount: 10,
    })
    expect(10 * Number(queue.VisibilityTimeout)).toBeLessThan(Number(queue.MessageRetentionPeriod))
    expect(10 * Number(queue.VisibilityTimeout), 'half an hour').toBe(1800)
  })

  test('is kept for a day, dead letters for four', () => {
    expect(queue.MessageRetentionPeriod).toBe(day)
    expect(stack.properties('DeadLetters').MessageRetentionPeriod).toBe(4 * day)
  })

  test('reaches the worker two at a time, and only what failed comes back', () => {
    expect(stack.only('AWS::Lambda::EventSourceMapping').Properties).toEqual({
      FunctionName: { Ref: stack.functionId('on-mail-queued') },
      EventSourceArn: { 'Fn::GetAtt': ['MailQueue', 'Arn'] },
      BatchSize: 2,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    })
  })
})

describe('settings', () => {
  const chosen = synthesize({
    SITE_URL: 'https://example.com/',
    REQUIRE_EMAIL_VERIFICATION: 'TRUE',
    MAIL_FROM: 'no-reply@example.com',
    ACCESS_TOKEN_EXPIRE_MINUTES: '15',
    ADMIN_EMAIL: 'Ada@Example.com',
    BCRYPT_COST: '10',
    RATE_LIMITS: 'login=5/minute',
    TOKEN_AUDIENCE: 'https://api.example.com',
  })

  test('reach the functions that read them, in their parsed form', () => {
    expect(chosen.variables('login')).toMatchObject({
      REQUIRE_EMAIL_VERIFICATION: 'true',
      ACCESS_TOKEN_EXPIRE_MINUTES: '15',
      BCRYPT_COST: '10',
      RATE_LIMITS: 'login=5/minute',
      TOKEN_AUDIENCE: 'https://api.example.com',
    })
    expect(chosen.variables('register')).toMatchObject({ ADMIN_EMAIL: 'ada@example.com' })
    expect(chosen.variables('on-mail-queued')).toMatchObject({
      SITE_URL: 'https://example.com',
      MAIL_FROM: 'Gatehouse <no-reply@example.com>',
    })
  })

  test('leave links and issuer to the API itself where no site is named', () => {
    const { SITE_URL } = stack.variables('on-mail-queued')
    expect(SITE_URL).toBe('https://<HttpApi>.execute-api.<AWS::Region>.<AWS::URLSuffix>')
    expect(stack.variables('get-me').ISSUER).toBe(`${SITE_URL}/auth`)
  })

  test('that are probably not meant give warnings at synthesis', () => {
    const metadata = createApp({ settings: readSettings({}), warnings: ['one', 'two'], copy: false }).stack.node
      .metadata
    expect(metadata.filter(({ type }) => type === 'aws:cdk:warning').map(({ data }) => data)).toEqual([
      expect.stringContaining('one'),
      expect.stringContaining('two'),
    ])
  })
})

test('functions have the languages of LANGUAGES if it is set, and else no such variable', () => {
  expect(synthesize({ LANGUAGES: 'EN' }).variables('get-me')).toMatchObject({ LANGUAGES: 'en' })
  for (const name of functionNames) expect(stack.variables(name)).not.toHaveProperty('LANGUAGES')
})

describe.each([
  {
    of: 'applications',
    setting: 'OIDC_CLIENTS',
    list: applications,
    isOf: needsClients,
    paths: clientPaths,
    more: /CodeReused|ClientRefused/,
    variables: ['OIDC_CLIENTS', 'SSO', 'BROWSER_URL'],
  },
  {
    of: 'providers',
    setting: 'SIGN_IN_PROVIDERS',
    list: providerList,
    isOf: needsProviders,
    paths: providerPaths,
    more: /Provider/,
    variables: ['SIGN_IN_PROVIDERS', 'PROVIDER_KEY_ID', 'BROWSER_URL'],
  },
] as const)('without $of', ({ setting, list, isOf, paths, more, variables }) => {
  const listing = synthesize({ MAIL_FROM, [setting]: list })
  const there = functionNames.filter(name => !needsClients(name) && !needsProviders(name))
  const codeOf = (of: typeof stack, name: FunctionName) => JSON.stringify(of.functionProperties(name).Code)
  const reading = there.filter(name => needsOf(table[name]).settings.includes(setting))

  test('the stack has neither their functions nor their routes, roles, alarms and variables', () => {
    expect(without.all('AWS::Lambda::Function').map(([id]) => id)).toEqual(there.map(name => without.functionId(name)))
    const absent = new Set([...clientPaths, ...providerPaths])
    const keys = there.flatMap(routeKeysOf).filter(key => !absent.has(key.slice(key.indexOf('/'))))
    const routes = without.all('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => String(Properties.RouteKey))
    expect(routes.sort()).toEqual(keys.sort())
    const added = Object.keys(listing.template.Resources).filter(id => !(id in without.template.Resources))
    const routesOf = [...paths].map(path => path.replaceAll(/\W/g, ''))
    const named = new RegExp([...functionNames.filter(isOf).map(pascalCase), ...routesOf, more.source].join('|'))
    expect(added.filter(id => !named.test(id))).toEqual([])
    expect(Object.keys(without.template.Resources).filter(id => !(id in listing.template.Resources))).toEqual([])
    for (const name of there)
      for (const variable of variables) expect(without.variables(name)).not.toHaveProperty(variable)
  })

  test('an empty list changes nothing', () => {
    expect(synthesize({ MAIL_FROM, [setting]: '[]' }).template).toEqual(without.template)
  })

  test('only the code of those that read the list differs', () => {
    expect(reading.length).toBeGreaterThan(0)
    expect(there.filter(name => codeOf(listing, name) !== codeOf(without, name))).toEqual(reading)
    for (const name of [...reading, ...functionNames.filter(isOf)])
      if (needsOf(table[name]).settings.includes(setting))
        expect(listing.variables(name)).toMatchObject({ [setting]: 'on' })
  })

  test('no variable, and nothing else of the template, holds what the list does', () => {
    const text = JSON.stringify(listing.template)
    for (const { id, secret = id } of JSON.parse(list)) if (secret !== id) expect(text).not.toContain(secret)
  })
})

test('SSO=off is told to those that read it, where there are applications', () => {
  expect(stack.variables('pages')).not.toHaveProperty('SSO')
  expect(synthesize({ OIDC_CLIENTS: applications, SSO: 'off' }).variables('pages')).toMatchObject({ SSO: 'off' })
  expect(synthesize({ MAIL_FROM, SSO: 'off' }).template).toEqual(without.template)
})

describe('passkeys', () => {
  const without = synthesize({ MAIL_FROM, SITE_URL: 'https://example.com' })
  const apart = synthesize({
    MAIL_FROM,
    SITE_URL: 'https://example.com',
    PASSKEY_RP_ID: 'example.com',
    PASSKEY_ORIGINS: 'https://app.example.com',
  })
  const isThere = (name: FunctionName) => !needsClients(name) && !needsProviders(name)
  const reading = functionNames.filter(name => needsOf(table[name]).settings.includes('PASSKEY_RP_ID'))

  test('that are off leave no function a variable, and the stack no alarm', () => {
    for (const name of functionNames.filter(isThere))
      expect(Object.keys(without.variables(name)).filter(variable => variable.startsWith('PASSKEY'))).toEqual([])
    const more = Object.keys(apart.template.Resources).filter(id => !(id in without.template.Resources))
    expect(more.filter(id => !/^MonitoringAlarmsPasskey(?:OriginRefused|Copied)/.test(id))).toEqual([])
    expect(more).toHaveLength(2)
  })

  test('that are on give functions the domain, and those with assertions the origins', () => {
    expect(reading.length).toBeGreaterThan(10)
    for (const name of reading.filter(isThere)) {
      expect(apart.variables(name)).toMatchObject({
        PASSKEY_RP_ID: 'example.com',
        ...(needsOf(table[name]).settings.includes('PASSKEY_ORIGINS') && {
          PASSKEY_ORIGINS: 'https://example.com,https://app.example.com',
        }),
      })
    }
    expect(apart.variables('passkey-login')).toHaveProperty('PASSKEY_ORIGINS')
  })
})
