import { eventNames } from '../../shared/base/system.ts'
import { everything } from '../../test/support/stack/settings.ts'
import { inText, synthesize } from '../../test/support/stack/template.ts'
import { found, type Journey, type JourneyName, type Journeys, journeyNames, timesPerMonth } from './journeys.ts'
import { type Cost, costOf, cpuOf, dollars, freeDashboardMetrics, prices, sumOf, table } from './prices.ts'

/** A stack with every setting and one signing key. */
const stack = synthesize({ ...everything, SIGNING_KEYS: 'main' })

const alarms = stack
  .all('AWS::CloudWatch::Alarm')
  .map(([, { Properties }]) => (Properties.Metrics as { MetricStat?: object }[] | undefined) ?? [{ MetricStat: {} }])

/** A dashboard's graphs, each with its metrics. */
const { widgets } = JSON.parse(inText(stack.only('AWS::CloudWatch::Dashboard').Properties.DashboardBody)) as {
  widgets: { properties: { metrics?: unknown[] } }[]
}

const { EventDestination } = stack.only('AWS::SES::ConfigurationSetEventDestination').Properties as {
  EventDestination: { MatchingEventTypes: string[] }
}

/** Lambda polls a queue with five long requests at once, of 20 seconds each. */
export const pollers = 5

/** What costs the same however many accounts there are. */
export const fixed = {
  alarms: alarms.length,
  alarmMetrics: alarms.flat().filter(({ MetricStat }) => MetricStat).length,
  /** CloudWatch makes a metric of each kind of event, and of each thing that SES reports of mails. */
  events: eventNames.length,
  mails: EventDestination.MatchingEventTypes.length,
  filters: stack.all('AWS::Logs::MetricFilter').length,
  dashboardMetrics: widgets.reduce((sum, { properties }) => sum + (properties.metrics?.length ?? 0), 0),
  keys: stack.all('AWS::KMS::Key').length,
  /** In a month of 30 days, to ten thousands. */
  polls: Math.round((pollers * 30 * 24 * 60 * 60) / 20 / 1e4) * 1e4,
} as const

/** Dollars for a million journeys, each column in cents: the tables add up. */
function millionOf(journey: Journey): Cost {
  const total: Cost = { api: 0, lambda: 0, tables: 0, signatures: 0, mail: 0, logs: 0 }
  for (const [name, { invocations, usage }] of journey) {
    if (invocations === 0) continue
    const perInvocation = Object.fromEntries(
      Object.entries(usage).map(([unit, count]) => [unit, count / invocations]),
    ) as unknown as typeof usage
    const cost = costOf(name, cpuOf(name, 'usual'), perInvocation)
    for (const part of Object.keys(total) as (keyof Cost)[]) total[part] += invocations * cost[part] * 1e6
  }
  return inCents(total)
}

const inCents = (cost: Cost): Cost =>
  Object.fromEntries(Object.entries(cost).map(([part, dollars]) => [part, cents(dollars)])) as unknown as Cost

const cents = (dollars: number): number => Number(dollars.toFixed(2))

/** One in ten reaches the API; CloudFront answers with 2 KB. Its price stands in the column of SQS and SES. */
function throughCdn(cost: Cost): Cost {
  const tenth = Object.fromEntries(
    Object.entries(cost).map(([part, dollars]) => [part, dollars / 10]),
  ) as unknown as Cost
  return inCents({ ...tenth, mail: (prices.cdnRequest + 2 * prices.cdnKilobyte) * 1e6 })
}

const priceOf = (journeys: Journeys, name: JourneyName): Cost => {
  const cost = millionOf(found(journeys, name))
  return name === 'catalogue request' ? throughCdn(cost) : cost
}

const inWords: Record<JourneyName, string> = {
  registration: 'Registration, with its mail, page and verification',
  'first login': 'Login, the first of a day from a remote address',
  login: 'Login',
  'profile read': 'Profile read',
  'changed password': 'Changed password, with its notice',
  'forgotten password': 'Forgotten password, with its mail, page, reset and notice',
  'deleted account': 'Deleted account, with its notice',
  'catalogue request': 'Catalogue request (CloudFront; one in ten reaches the API)',
}

const dollarsOrNothing = (amount: number): string => (amount === 0 ? '' : dollars(amount))

/** Dollars per million of each journey, by what they are paid for. */
export function priceTable(journeys: Journeys): string {
  return table(
    ['What', 'API', 'Lambda', 'DynamoDB', 'KMS', 'SQS, SES', 'Logs, traces', 'Together'],
    7,
    journeyNames.map(name => {
      const cost = priceOf(journeys, name)
      return [inWords[name], ...Object.values(cost).map(dollarsOrNothing), dollars(sumOf(cost))]
    }),
  )
}

/** Counts and reads of DynamoDB of each journey. */
export function usageTable(journeys: Journeys): string {
  return table(
    ['What', 'Requests', 'Writes', 'Reads', 'Signatures', 'Mails'],
    5,
    journeyNames.map(name => {
      const journey = [...found(journeys, name)]
      const sum = (of: (part: { invocations: number; usage: Record<string, number> }) => number) =>
        String(journey.reduce((all, [, part]) => all + of(part as never), 0))
      return [
        inWords[name].replace(/ \(.*/, ''),
        String(journey.reduce((all, [of, part]) => all + (of === 'on-mail-queued' ? 0 : part.invocations), 0)),
        ...['writes', 'reads', 'signatures', 'mails'].map(unit => sum(({ usage }) => usage[unit] ?? 0)),
      ]
    }),
  )
}

const stages = [1e3, 1e5, 1e6]
const headOfStages = stages.map(accounts => `${accounts.toLocaleString('en')} accounts`)

const usage = (journeys: Journeys) => {
  const plural = (name: JourneyName) => (inWords[name].split(',')[0] ?? '').replace(/ \(.*/, '')
  const lines = journeyNames.map(name => ({
    what: name === 'first login' ? 'Login, the first from a remote address' : plural(name),
    times: timesPerMonth[name],
    million: sumOf(priceOf(journeys, name)),
  }))
  return [...lines, { what: 'Storage and recovery of 1 KB', times: 1, million: prices.gigabyteMonth }]
}

const monthly = (times: number, million: number, accounts: number): number => cents((times * million * accounts) / 1e6)

/** Dollars per month by what accounts do. */
export function monthTable(journeys: Journeys): string {
  return table(
    ['What', 'Times per account', 'Dollars per million', ...headOfStages],
    5,
    usage(journeys).map(({ what, times, million }) => [
      what,
      String(times),
      dollars(million),
      ...stages.map(accounts => dollars(monthly(times, million, accounts))),
    ]),
  )
}

const customMetrics = fixed.events + fixed.mails + fixed.filters
const fixedLines: readonly (readonly [what: string, dollars: number])[] = [
  [`${fixed.alarmMetrics} metrics in ${fixed.alarms} alarms, at 0.10`, fixed.alarmMetrics * prices.alarmMetric],
  [
    `${fixed.events} metrics of events, ${fixed.mails} of mails and ${fixed.filters} of the access log, at 0.30`,
    customMetrics * prices.metric,
  ],
  [
    `A dashboard of ${fixed.dashboardMetrics} metrics (free up to ${freeDashboardMetrics})`,
    fixed.dashboardMetrics > freeDashboardMetrics ? prices.dashboard : 0,
  ],
  [`${fixed.keys} keys in KMS (tokens, alarms), at 1.00`, fixed.keys * prices.key],
  [
    `Polling the queue, ${fixed.polls.toLocaleString('en')} requests at 0.40 per million`,
    cents(fixed.polls * prices.sqs),
  ],
]

/** Dollars per month whatever the number of accounts. */
export const fixedTable = (): string =>
  table(
    ['What', 'Dollars'],
    1,
    fixedLines.map(([what, amount]) => [what, dollars(amount)]),
  )

/** Dollars per month in all. */
export function totalTable(journeys: Journeys): string {
  const always = fixedLines.reduce((sum, [, amount]) => sum + amount, 0)
  const totals = stages.map(accounts =>
    usage(journeys).reduce((sum, { times, million }) => sum + monthly(times, million, accounts), always),
  )
  return table(['', ...headOfStages], 3, [['**Dollars per month**', ...totals.map(total => `**${dollars(total)}**`)]])
}
