import { describe, expect, test } from 'vitest'
import { floodsFor, tooManyRequestsFor } from '../../../infra/monitoring/event-alarms.ts'
import { runbooks } from '../../../infra/monitoring/runbooks.ts'
import { inText, synthesize } from '../../support/stack/template.ts'
import { alarms, alarmsOf, dashboard, stack, withoutMail } from './monitored.ts'

const pascalCase = (name: string) => name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())

/** A metric of our own, summed for the stage. */
const countOf = (MetricName: string) => ({
  Namespace: 'Gatehouse',
  MetricName,
  Dimensions: [{ Name: 'Stage', Value: 'staging' }],
  Statistic: 'Sum',
})

describe('alarms', () => {
  test.each([
    ['DeadLetters', 'AWS/SQS', 'ApproximateNumberOfMessagesVisible', '<DeadLetters.QueueName>', 1],
    ['OldestMail', 'AWS/SQS', 'ApproximateAgeOfOldestMessage', '<MailQueue.QueueName>', 15 * 60],
    ['SlowLogins', 'AWS/Lambda', 'Duration', `<${stack.functionId('login')}>`, 3000],
    ['Bounces', 'AWS/SES', 'Reputation.BounceRate', undefined, 0.05],
    ['Complaints', 'AWS/SES', 'Reputation.ComplaintRate', undefined, 0.001],
  ])('%s watches %s %s', (id, Namespace, MetricName, dimension, Threshold) => {
    const alarm = alarms.get(id)
    expect(alarm).toMatchObject({ Namespace, MetricName, Threshold })
    expect(alarm?.Dimensions?.map(({ Value }) => inText(Value))).toEqual(dimension && [dimension])
  })

  // CloudWatch bills each metric of an alarm, and the dashboard's list of them holds 100.
  test('are 24 beside those of floods, and no more where there are more functions', () => {
    const floods = floodsFor(1, ['blocklist', 'clients', 'passkeys', 'providers']).length
    expect(alarms.size - floods).toBe(24)
    const read = [...alarms.values()].flatMap(({ Metrics = [{ MetricStat: {} }] }) =>
      Metrics.filter(({ MetricStat }) => MetricStat),
    )
    expect(read.length - floods).toBe(26)
  })

  test('watch the errors and the throttles of the mail worker, of which no request tells', () => {
    for (const MetricName of ['Errors', 'Throttles']) {
      expect(alarms.get(`OnMailQueued${MetricName}`)).toMatchObject({
        Namespace: 'AWS/Lambda',
        MetricName,
        Statistic: 'Sum',
        Threshold: 3,
        Dimensions: [{ Name: 'FunctionName', Value: { Ref: stack.functionId('on-mail-queued') } }],
      })
    }
  })

  test.each([
    ['1000', 3],
    ['1000000', 3],
    ['1000001', 4],
    ['10000000', 30],
  ])('for %s accounts, LastingErrors asks for %i failures in three of four quarters', (accounts, Threshold) => {
    expect(alarmsOf(synthesize({ EXPECTED_ACCOUNTS: accounts })).get('LastingErrors')).toMatchObject({
      Namespace: 'AWS/ApiGateway',
      MetricName: '5xx',
      Statistic: 'Sum',
      Dimensions: [{ Name: 'ApiId', Value: { Ref: 'HttpApi' } }],
      Period: 900,
      EvaluationPeriods: 4,
      DatapointsToAlarm: 3,
      Threshold,
    })
  })

  test.each([
    ['ServerErrors', 'five in five minutes', 5, 300, 1, undefined],
    ['RecurringServerErrors', 'any in two quarters of the last eight', 1, 900, 8, 2],
  ])(
    '%s counts from one request in a hundred, once there are %s',
    (id, _, atLeast, Period, EvaluationPeriods, DatapointsToAlarm) => {
      const alarm = alarms.get(id)
      expect(alarm).toMatchObject({ Threshold: 1, EvaluationPeriods })
      expect(alarm?.DatapointsToAlarm).toBe(DatapointsToAlarm)
      const [rate, ...operands] = alarm?.Metrics ?? []
      expect(rate?.Expression).toBe(`IF(FILL(errors, 0) >= ${atLeast}, 100 * FILL(errors, 0) / FILL(requests, 1), 0)`)
      for (const { MetricStat } of operands) {
        expect(MetricStat).toMatchObject({
          Period,
          Metric: { Dimensions: [{ Name: 'ApiId', Value: { Ref: 'HttpApi' } }] },
        })
      }
    },
  )

  test('CatalogueErrors calls at five 5xx in a hundred of CloudFront, in two of three periods', () => {
    expect(alarms.get('CatalogueErrors')).toMatchObject({
      Namespace: 'AWS/CloudFront',
      MetricName: '5xxErrorRate',
      Threshold: 5,
      Period: 300,
      EvaluationPeriods: 3,
      DatapointsToAlarm: 2,
    })
  })

  test('report failing mails when they fail again within a quarter of an hour', () => {
    expect(alarms.get('MailFailed')).toMatchObject({
      ...countOf('mail-failed'),
      Threshold: 1,
      Period: 300,
      EvaluationPeriods: 3,
      DatapointsToAlarm: 2,
    })
    // A message that keeps failing is retried in each period.
    expect(Number(stack.properties('MailQueue').VisibilityTimeout)).toBeLessThan(300)
  })

  test('watch throttled reads and writes of each table and each index', () => {
    const watched = [...alarms]
      .filter(([, { Namespace }]) => Namespace === 'AWS/DynamoDB')
      .map(([id, { MetricName, Statistic, Dimensions = [] }]) => {
        const [index, table] = ['GlobalSecondaryIndexName', 'TableName'].map(name =>
          inText(Dimensions.find(({ Name }) => Name === name)?.Value ?? ''),
        )
        return [id, `${Statistic} of ${MetricName} ${table} ${index}`.trim()]
      })
    // No function touches the table of 0.4.0.
    const tables = stack.all('AWS::DynamoDB::Table').filter(([table]) => table !== 'Users')
    const places = tables.flatMap(([table, { Properties }]) => {
      const indexes = (Properties.GlobalSecondaryIndexes ?? []) as { IndexName: string }[]
      return [
        [table, `<${table}>`],
        ...indexes.map(({ IndexName }) => [`${table}${pascalCase(IndexName)}`, `<${table}> ${IndexName}`]),
      ]
    })
    expect(places.length).toBeGreaterThan(3)
    expect(watched.sort()).toEqual(
      places
        .flatMap(([id, where]) =>
          ['Read', 'Write'].map(kind => [`${id}${kind}Throttles`, `Sum of ${kind}ThrottleEvents ${where}`]),
        )
        .sort(),
    )
  })

  test.each([
    ['RequestLimited', 'request-limited', 500],
    ['LoginFailed', 'login-failed', 500],
    ['LoginLimited', 'login-limited', 100],
    ['WrongPassword', 'wrong-password', 50],
    ['WrongCode', 'wrong-code', 50],
    ['RecoveryCodeUsed', 'recovery-code-used', 20],
    ['SessionReused', 'session-reused', 20],
    ['CodeReused', 'code-reused', 1],
    ['ClientRefused', 'client-refused', 100],
    ['KeyUnusable', 'key-unusable', 1],
    ['PasskeyCopied', 'passkey-copied', 1],
    ['EmailChanged', 'email-changed', 50],
    ['ChangeUndone', 'change-undone', 10],
    ['Registered', 'registered', 100],
    ['TooManyRequests', 'answered-429', 1000],
  ])('%s counts %s of this stage, over five minutes', (id, MetricName, Threshold) => {
    expect(alarms.get(id)).toMatchObject({
      ...countOf(MetricName),
      Threshold,
      Period: 300,
      EvaluationPeriods: 1,
    })
  })

  test.each([
    ['PasskeyOriginRefused', 'passkey-origin-refused', 10],
    ['MailCapped', 'mail-capped', 5],
  ])('%s counts %s over an hour, since one person causes few', (id, MetricName, Threshold) => {
    expect(alarms.get(id)).toMatchObject({ ...countOf(MetricName), Threshold, Period: 3600, EvaluationPeriods: 1 })
  })

  test('on floods follow the expected accounts, down to what a few clients cause', () => {
    const scaled = alarmsOf(synthesize({ EXPECTED_ACCOUNTS: '10000000' }))
    const thresholds = ['LoginFailed', 'Registered', 'TooManyRequests'].map(id => scaled.get(id)?.Threshold)
    expect(thresholds).toEqual([5000, 1000, 10_000])
    const least = Object.fromEntries(
      floodsFor(1, ['blocklist', 'clients', 'passkeys', 'providers']).map(({ event, threshold }) => [event, threshold]),
    )
    expect(least).toMatchObject({
      'request-limited': 50,
      'login-failed': 50,
      'login-limited': 20,
      'wrong-password': 20,
      'wrong-code': 20,
      'recovery-code-used': 5,
      'session-reused': 5,
      'code-reused': 1,
      'client-refused': 20,
      'key-unusable': 1,
      'passkey-origin-refused': 10,
      'passkey-copied': 1,
      'provider-misconfigured': 1,
      'provider-unavailable': 10,
      'blocklist-unavailable': 10,
      'email-changed': 10,
      'change-undone': 3,
      registered: 20,
    })
    expect(tooManyRequestsFor(1)).toBe(100)
  })

  test('are those of applications, mails, passkeys, providers and breached passwords only where used', () => {
    const [none, some, all] = [alarmsOf(synthesize()), alarmsOf(withoutMail), alarms].map(each => [...each.keys()])
    const added = (more: string[] = [], less: string[] = []) => more.filter(id => !less.includes(id)).sort()
    expect(added(some, none)).toEqual(['ClientRefused', 'CodeReused'])
    expect(added(all, some)).toEqual([
      ...['BlocklistUnavailable', 'Bounces', 'Complaints', 'PasskeyCopied', 'PasskeyOriginRefused'],
      ...['ProviderMisconfigured', 'ProviderUnavailable'],
    ])
    expect([...added(none, some), ...added(some, all)]).toEqual([])
    expect([...alarmsOf(synthesize({ PASSWORD_BLOCKLIST: 'on' })).keys()]).toEqual(none)
  })

  test('requests answered 429 are counted in the access log, where each line names its stage', () => {
    const { Properties } = stack.only('AWS::Logs::MetricFilter')
    const { AccessLogSettings } = stack.only('AWS::ApiGatewayV2::Stage').Properties
    const { DestinationArn, Format } = AccessLogSettings as { DestinationArn: unknown; Format: string }
    expect(Properties.FilterPattern).toBe('{ $.status = "429" }')
    expect(`<${(Properties.LogGroupName as { Ref: string }).Ref}.Arn>`).toBe(inText(DestinationArn))
    expect(Properties.MetricTransformations).toEqual([
      {
        MetricNamespace: 'Gatehouse',
        MetricName: 'answered-429',
        MetricValue: '1',
        Dimensions: [{ Key: 'Stage', Value: '$.stage' }],
      },
    ])
    expect(JSON.parse(Format)).toMatchObject({ status: '$context.status', stage: 'staging' })
  })

  // CloudWatch calculates no data point while an operand has none.
  test('calculate only with operands that are filled where data is missing', () => {
    const expressions = [...alarms.values()].flatMap(({ Metrics = [] }) =>
      Metrics.filter(({ Expression }) => Expression),
    )
    const graphs = JSON.parse(dashboard).widgets.flatMap(
      ({ properties: { metrics = [] } }: { properties: { metrics?: unknown[][] } }) => metrics.flat(),
    )
    expect(expressions.length).toBeGreaterThan(0)
    expect(JSON.stringify(graphs)).not.toContain('"expression"')
    for (const { Expression = '' } of expressions) {
      expect(Expression.replaceAll(/FILL\(\w+, \d+\)/g, '').match(/[a-z]\w*/g)).toBeNull()
    }
  })

  test('call logins slow relative to a hash’s cost, at the 99th percentile', () => {
    expect(alarms.get('SlowLogins')).toMatchObject({ ExtendedStatistic: 'p99', Period: 300, EvaluationPeriods: 3 })
    expect(alarmsOf(withoutMail).get('SlowLogins')?.Threshold).toBe(2000)
  })

  test.each([...alarms])(
    '%s goes off at its threshold, rests without data, and tells both on the topic',
    (_, alarm) => {
      expect(alarm).toMatchObject({
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        TreatMissingData: 'notBreaching',
        AlarmActions: [{ Ref: 'AlarmTopic' }],
        OKActions: [{ Ref: 'AlarmTopic' }],
      })
    },
  )

  test.each([...alarms])('%s says what it means, what to do first and where to read on', (_, { AlarmDescription }) => {
    const [, runbook = ''] = /^[A-Z].+\. Runbook: [A-Z].+ \(docs\/deploy\.md#([a-z-]+)\)$/.exec(AlarmDescription) ?? []
    expect(Object.keys(runbooks)).toContain(runbook)
    // CloudWatch's own limit (PutMetricAlarm, AlarmDescription).
    expect(AlarmDescription.length).toBeLessThanOrEqual(1024)
  })

  test('use every runbook there is', () => {
    const used = [...alarms.values()].map(({ AlarmDescription }) => /#([a-z-]+)\)$/.exec(AlarmDescription)?.[1])
    expect([...new Set(used)].sort()).toEqual(Object.keys(runbooks).sort())
  })
})
