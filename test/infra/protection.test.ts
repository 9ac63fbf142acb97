import { describe, expect, test } from 'vitest'
import type { Row } from '../../api/implied.ts'
import { isHashing, needsOf, rows } from '../../api/needs.ts'
import { functionNames, routeKeysOf } from '../../api/route-keys.ts'
import type { FunctionName } from '../../api/routes.ts'
import type { Throttle } from '../../infra/constructs/throttles.ts'
import { findStage } from '../../infra/settings/stage.ts'
import { resolverOf } from '../../local/template/resolver.ts'
import type { JsonObject, Template } from '../../local/template/template.ts'
import { applications, everything, providerList } from '../support/stack/settings.ts'
import { inText, synthesize } from '../support/stack/template.ts'

/** All functions and routes. */
const all = { OIDC_CLIENTS: applications, SIGN_IN_PROVIDERS: providerList, MAIL_FROM: 'no-reply@example.com' }

const stack = synthesize(everything)
const scarce = synthesize({ EXPECTED_ACCOUNTS: '1', ...all })
const plenty = synthesize({ EXPECTED_ACCOUNTS: '20000000', ...all })
const most = synthesize({ EXPECTED_ACCOUNTS: '1000000000', ...all })

/** The routes that have had a throttle of their own since the first release. */
const deployed = [
  'POST /auth/register',
  'POST /auth/login',
  'POST /auth/reset-password',
  'POST /auth/change-password',
  'POST /auth/delete-account',
  'ANY /catalogue',
  'ANY /catalogue/{path+}',
]

interface Policy {
  Statement: { Effect: string; Principal: unknown; Action: unknown; Resource: unknown; Condition?: unknown }[]
}

/** The throttles of a stack in a region, by route key; `stage` for the other routes. */
function throttlesIn(region: string, { template, only } = stack): Record<string, Throttle> {
  const deployment = {
    stackName: 'S',
    accountId: '0',
    region,
    baseUrl: '',
    awsUrl: '',
    arn: () => '',
    keyId: (id: string) => id,
  }
  const stage = resolverOf(template as Template, deployment).properties(only('AWS::ApiGatewayV2::Stage').id)
  const { DefaultRouteSettings, RouteSettings } = stage as Record<string, JsonObject>
  const all = Object.entries({ ...RouteSettings, stage: DefaultRouteSettings }) as [string, Record<string, number>][]
  return Object.fromEntries(
    all.map(([key, { ThrottlingRateLimit: rate = 0, ThrottlingBurstLimit: burst = 0 }]) => [key, { rate, burst }]),
  )
}

describe('throttles', () => {
  const keysOf = (which: (row: Row) => unknown) => functionNames.filter(name => which(rows[name])).flatMap(routeKeysOf)
  const stated = keysOf(({ perMonth }) => perMonth)
  const hashing = keysOf(isHashing)
  const logins = ['POST /auth/login', 'POST /auth/authorize']
  const others = hashing.filter(key => !logins.includes(key))
  const sumOf = (throttles: Record<string, Throttle>) =>
    others.reduce((sum, key) => sum + (throttles[key]?.rate ?? Number.POSITIVE_INFINITY), 0)

  test('are stated by every row that hashes', () => {
    expect(hashing.length).toBeGreaterThan(1)
    for (const key of hashing) expect(stated).toContain(key)
  })

  test('refer only to routes that are created before', () => {
    expect(Object.keys(throttlesIn('us-east-1')).sort()).toEqual([...stated, 'stage'].sort())
    const { DependsOn = [] } = stack.only('AWS::ApiGatewayV2::Stage')
    const made = DependsOn.map(id => stack.resource(id)).filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Route')
    expect(made.map(({ Properties }) => Properties.RouteKey).sort()).toEqual([...stated].sort())
  })

  // API Gateway keeps a throttle that a route no longer states.
  test.each(deployed)('stay with %s, which was deployed with one', key => {
    expect(stated).toContain(key)
  })

  const loginNeeds = (n: number) =>
    // Four logins a month of 30 days each, five times as many in the busiest hour, and a reserve of ten.
    Math.floor((n * 4 * 5 * 10) / (30 * 24 * 60 * 60))

  test.each([
    [1_000_000, stack],
    [20_000_000, plenty],
  ])('follow %d accounts: each login has what it may need', (n, following) => {
    const throttles = throttlesIn('us-east-1', following)
    const needed = loginNeeds(n)
    for (const key of logins) expect(throttles[key]).toEqual({ rate: needed, burst: 2 * needed })
    // Ten requests a month by routes without a number.
    expect(throttles.stage?.rate).toBe(Math.floor((n * 10 * 5 * 10) / (30 * 24 * 60 * 60)))
    // Forty profile reads and forty refreshes, and as many of applications' requests in their place.
    for (const key of [
      'GET /auth/me',
      'POST /auth/refresh',
      'POST /auth/authorize-session',
      'POST /auth/token',
      'POST /auth/revoke',
    ])
      expect(Math.floor((throttles[key]?.rate ?? 0) / 10)).toBe(Math.min(needed, 1000))
    for (const name of functionNames.filter(name => isHashing(rows[name])))
      for (const key of routeKeysOf(name))
        expect(throttles[key]?.rate, key).toBeGreaterThan((n * (rows[name].perMonth ?? 0) * 5) / (30 * 24 * 60 * 60))
  })

  /** Settings that the combinations require. */
  const { API_DOMAIN, API_CERTIFICATE_ARN, MAIL_FROM, SITE_URL } = everything
  const fitting = { API_DOMAIN, API_CERTIFICATE_ARN, MAIL_FROM, SITE_URL }
  const eitherWay = (name: string, value: string) => [{}, { [name]: value }]
  const combinations = [260_000, 1_000_000, 20_000_000].flatMap(n =>
    eitherWay('OIDC_CLIENTS', applications)
      .flatMap(clients =>
        eitherWay('SIGN_IN_PROVIDERS', providerList).flatMap(someProviders =>
          eitherWay('PASSKEY_RP_ID', 'example.com').map(passkeys => ({ ...clients, ...someProviders, ...passkeys })),
        ),
      )
      .map((env): [string, number, typeof env] => [Object.keys(env).join(' and ') || 'none of them', n, env]),
  )

  test.each(combinations)(
    'with %s: what hashes besides has, of %d accounts, as much together as login',
    (_, n, env) => {
      const throttles = throttlesIn('us-east-1', synthesize({ ...fitting, EXPECTED_ACCOUNTS: String(n), ...env }))
      const there = others.filter(key => throttles[key])
      const needed = loginNeeds(n)
      // Whole numbers: the remainder is less than one for each, and each has at least one.
      expect(Math.abs(there.reduce((sum, key) => sum + (throttles[key]?.rate ?? 0), 0) - needed)).toBeLessThan(
        there.length,
      )
      expect(throttles['POST /auth/login']?.rate).toBe(needed)
      const byProvider = throttles['POST /auth/provider-login']?.rate
      expect(byProvider).toBe('SIGN_IN_PROVIDERS' in env ? Math.floor(needed / 10) : undefined)
    },
  )

  test('leave room for a few people and a smoke test, however few accounts are expected', () => {
    const throttles = throttlesIn('us-east-1', scarce)
    expect(throttles['POST /auth/login']).toEqual({ rate: 20, burst: 40 })
    expect(throttles.stage?.rate).toBeGreaterThanOrEqual(50)
    for (const { rate, burst } of Object.values(throttles)) {
      expect(rate).toBeGreaterThanOrEqual(1)
      expect(burst).toBeGreaterThanOrEqual(10)
    }
    // Together they have as much as login, but at least one each.
    const leastRates = others.filter(key => throttles[key]?.rate === 1).length
    expect(sumOf(throttles) - leastRates).toBeLessThanOrEqual(20)
  })

  test.each([
    ['eu-central-1', 10_000, 5000],
    ['eu-south-1', 2500, 1250],
    ['mx-central-1', 2500, 1250],
  ])("are never above the account's quota in %s", (region, rate, burst) => {
    for (const throttle of [stack, most].flatMap(expecting => Object.values(throttlesIn(region, expecting)))) {
      expect(throttle.rate).toBeLessThanOrEqual(rate)
      expect(throttle.burst).toBeLessThanOrEqual(burst)
    }
    const throttles = throttlesIn(region, most)
    expect(throttles['POST /auth/login']).toEqual({ rate, burst })
    // Where the quota cuts login, the others together still have no more.
    expect(sumOf(throttles)).toBeLessThanOrEqual(rate)
  })

  test('leave routes that only ask for a mail to the stage: the queue bounds mail', () => {
    const mailing = keysOf(row => row.may?.MailQueue && !row.may.Accounts && !isHashing(row))
    expect(mailing).not.toEqual([])
    for (const key of mailing) expect(stated).not.toContain(key)
  })
})

test('no function reserves concurrency: new accounts have only ten', () => {
  for (const [, { Properties }] of stack.all('AWS::Lambda::Function')) {
    expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions')
  }
})

describe('what is stored', () => {
  test('is encrypted: messages by SQS, secrets by keys that rotate', () => {
    for (const [, { Properties }] of stack.all('AWS::SQS::Queue')) {
      expect(Properties).toMatchObject({ SqsManagedSseEnabled: true })
    }
    for (const id of ['FactorKey', 'ProviderKey']) expect(stack.properties(id).EnableKeyRotation).toBe(true)
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

test('every key says what it is for', () => {
  const keys = stack.all('AWS::KMS::Key').map(([, { Properties }]) => Properties.Description)
  expect(keys.length).toBeGreaterThan(3)
  expect(keys.filter(description => !/^\w+ \w+/.test(String(description ?? '')))).toEqual([])
})

test('a key is administered by its own account, and used by nobody else', () => {
  for (const id of ['SigningKeyNext', 'SigningKeyMain', 'FactorKey', 'ProviderKey']) {
    const { Statement } = stack.properties(id).KeyPolicy as Policy
    const allowed = Statement.filter(({ Effect }) => Effect === 'Allow')
    expect(allowed.map(({ Principal }) => inText((Principal as { AWS: unknown }).AWS))).toEqual([
      'arn:<AWS::Partition>:iam::<AWS::AccountId>:root',
    ])
  }
})

// The denied principals are in test/local/aws/key-policies.test.ts.
const uses = ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*']
test.each([
  ['FactorKey', [uses, 'kms:Encrypt', uses, uses]],
  ['ProviderKey', [uses.filter(action => action !== 'kms:Encrypt'), uses, uses]],
])('%s denies all that reads something under it, or writes it without an owner', (id, actions) => {
  const { Statement } = stack.properties(id).KeyPolicy as Policy
  expect(Statement.filter(({ Effect }) => Effect === 'Deny').map(({ Action }) => Action)).toEqual(actions)
})

const templateOf = (stage: string) => {
  const { texts, place } = findStage({ STAGE: stage })
  return synthesize(texts, place)
}

describe.each([
  ['staging', templateOf('staging')],
  ['prod', templateOf('prod')],
  ['one with everything set', stack],
])('in the stage %s', (_, stage) => {
  const made = functionNames.filter(name => stage.stack.functions[name])
  const granted = made.filter(name => needsOf(rows[name]).may.SigningKey?.includes('Sign'))
  const factorUsers = made.filter(name => needsOf(rows[name]).may.FactorKey)
  const exchangers = made.filter(
    name => 'ProviderKey' in stage.template.Resources && needsOf(rows[name]).may.ProviderKey,
  )

  test('the roles that use a key keep their logical ids', () => {
    const kept: Partial<Record<FunctionName, string>> = {
      'delete-account': 'DeleteAccountRoleB439F5DD',
      'end-session': 'EndSessionRole24C1D534',
      login: 'LoginRoleC2004742',
    }
    const pascalCase = (name: string) => name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
    for (const name of new Set([...granted, ...factorUsers, ...exchangers]))
      expect(stage.roleId(name)).toBe(kept[name] ?? `${pascalCase(name)}Role`)
    expect(granted).toContain('login')
  })
})
