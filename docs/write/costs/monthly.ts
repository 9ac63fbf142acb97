import { routes } from '../../../api/routes.ts'
import { countedEvents, optionalEvents } from '../../../infra/monitoring/event-alarms.ts'
import { table, wrap } from '../markdown.ts'
import { resourcesOf } from '../template.ts'
import { type JourneyName, journeyKinds, journeys } from './journeys.ts'
import {
  answer,
  type Cost,
  costOf,
  cpuOf,
  dollars,
  freeDashboardMetrics,
  freeDashboards,
  freeGigabytes,
  prices,
} from './prices.ts'

export const mailing = { MAIL_FROM: 'no-reply@example.com', SES_IDENTITY: 'example.com' }

/** Of a stack that sends mails: what costs something each month. */
export const resources = resourcesOf(mailing)

const alarms = resources('AWS::CloudWatch::Alarm').map(
  ({ Metrics = [{ MetricStat: {} }] }) => Metrics as { MetricStat?: object }[],
)

/** The metrics that the dashboard's graphs show. Its text is joined of parts, of which CloudFormation fills some in. */
const shown = resources('AWS::CloudWatch::Dashboard').reduce((sum, { DashboardBody }) => {
  const [, parts] = (DashboardBody as { 'Fn::Join': [string, unknown[]] })['Fn::Join']
  const { widgets } = JSON.parse(parts.map(part => (typeof part === 'string' ? part : '')).join('')) as {
    widgets: { properties: { metrics?: unknown[] } }[]
  }
  return widgets.reduce((all, { properties }) => all + (properties.metrics?.length ?? 0), sum)
}, 0)

const mails = resources('AWS::SES::ConfigurationSetEventDestination').flatMap(
  ({ EventDestination }) => (EventDestination as { MatchingEventTypes: string[] }).MatchingEventTypes,
)

/** Lambda polls a queue with five long requests at once, of 20 seconds each: in a month of 30 days, to ten thousands. */
const polls = Math.round((5 * 30 * 24 * 60 * 60) / 20 / 1e4) * 1e4

const cents = (dollars: number): number => Number(dollars.toFixed(2))

/** As AWS's bill names them. */
type Service = 'API Gateway' | 'Lambda' | 'DynamoDB' | 'KMS' | 'SQS and SES' | 'CloudWatch' | 'CloudFront' | 'data out'
type Bill = Partial<Record<Service, number>>

const sumOfBill = (bill: Bill): number => Object.values(bill).reduce((sum, dollars) => sum + dollars, 0)

/** Dollars for a million journeys of a kind. CloudFront answers nine catalogue requests of ten, with 2 KB each. */
function billOf(name: JourneyName): Bill {
  const costs = [...(journeys.get(name) ?? new Map())].map(([of, ran]) => costOf(of, cpuOf(of, 'usual'), ran))
  const isCached = name === 'catalogue request'
  const sum = (part: keyof Cost) =>
    cents(cents(costs.reduce((all, cost) => all + cost[part], 0) * 1e6) / (isCached ? 10 : 1))
  return {
    'API Gateway': sum('api'),
    Lambda: sum('lambda'),
    DynamoDB: sum('tables'),
    KMS: sum('signatures'),
    'SQS and SES': sum('mail'),
    CloudWatch: sum('logs'),
    CloudFront: isCached ? cents((prices.cdnRequest + answer * prices.cdnKilobyte) * 1e6) : 0,
  }
}

export const perMillion = (name: JourneyName): number => sumOfBill(billOf(name))

/** Numbers of accounts. */
export const sizes = [1e3, 1e5, 1e6]
export const headOfSizes = sizes.map(accounts => `${accounts.toLocaleString('en')} accounts`)

/** Requests of an account that reach the API in a month. */
const requests = [...journeys].reduce((sum, [name, journey]) => {
  const { perMonth } = journeyKinds[name]
  const ran = [...journey].reduce((all, [of, { invocations }]) => all + (of === 'on-mail-queued' ? 0 : invocations), 0)
  return sum + ran * (name === 'catalogue request' ? perMonth / 10 : perMonth)
}, 0)

/** What accounts do, and for how many dollars of it nothing is paid. */
const monthlyUse: { what: string; times: number; bill: Bill; free?: number }[] = [
  ...[...journeys]
    .filter(([name]) => journeyKinds[name].perMonth > 0)
    .map(([name]) => ({
      what: journeyKinds[name].what,
      times: journeyKinds[name].perMonth,
      bill: billOf(name),
    })),
  { what: 'Storage and recovery of 1 KB', times: 1, bill: { DynamoDB: prices.gigabyteMonth } },
  {
    what: `Data out beyond ${freeGigabytes} GB, ${answer} KB a request`,
    times: Number(requests.toFixed(1)),
    bill: { 'data out': answer * prices.kilobyteOut * 1e6 },
    free: freeGigabytes * prices.kilobyteOut * 1e6,
  },
]

export const monthly = (times: number, perMillion: number, accounts: number): number =>
  cents((times * perMillion * accounts) / 1e6)

/** The same of what is paid only beyond `free` dollars. */
const paid = (times: number, perMillion: number, accounts: number, free = 0): number =>
  Math.max(0, cents(monthly(times, perMillion, accounts) - free))

/** Dollars per month by what a million accounts do. */
export function monthTable(): string {
  return table(
    ['What', 'Times per account', 'Dollars per million', '1,000,000 accounts'],
    monthlyUse.map(({ what, times, bill, free }) => [
      what,
      String(times),
      dollars(sumOfBill(bill)),
      dollars(paid(times, sumOfBill(bill), 1e6, free)),
    ]),
    3,
  )
}

/** What costs the same however many accounts there are. */
function fixedCosts(): [what: string, dollars: number, service: Service][] {
  const watched = alarms.flat().filter(({ MetricStat }) => MetricStat).length
  const filters = resources('AWS::Logs::MetricFilter').length
  const keys = resources('AWS::KMS::Key').length
  const counted = countedEvents.length - optionalEvents.length
  return [
    [`${watched} metrics in ${alarms.length} alarms, at 0.10`, watched * prices.alarmMetric, 'CloudWatch'],
    [
      `${counted} metrics of events, ${mails.length} of mails and ${filters} of the access log, at 0.30`,
      (counted + mails.length + filters) * prices.metric,
      'CloudWatch',
    ],
    [
      `A dashboard of ${shown} metrics (${freeDashboards} dashboards of up to ${freeDashboardMetrics} are free)`,
      shown > freeDashboardMetrics ? prices.dashboard : 0,
      'CloudWatch',
    ],
    [`${keys} keys in KMS (tokens, second factors, alarms), at 1.00`, keys * prices.key, 'KMS'],
    [
      `Polling the queue, ${polls.toLocaleString('en')} requests at 0.40 per million`,
      cents(polls * prices.sqs),
      'SQS and SES',
    ],
  ]
}

/** Dollars per month whatever the number of accounts. */
export const fixedTable = (): string =>
  table(
    ['What', 'Dollars'],
    fixedCosts().map(([what, amount]) => [what, dollars(amount)]),
    1,
  )

/** What a million accounts cost in a month by service, to compare it with AWS's bill. */
export function serviceLine(): string {
  const sums = new Map<string, number>()
  const add = (service: string, amount: number) => sums.set(service, (sums.get(service) ?? 0) + amount)
  for (const { times, bill, free = 0 } of monthlyUse)
    for (const [service, amount] of Object.entries(bill)) add(service, paid(times, amount, 1e6, free))
  for (const [, amount, service] of fixedCosts()) add(service, amount)
  const each = [...sums].map(([service, amount]) => `${service} ${dollars(amount)}`)
  return wrap('', `Of a million accounts' dollars AWS bills by service: ${each.join(', ')}.`)
}

/** Dollars per month in all, for each size. */
export function totals(of: readonly number[]): number[] {
  const always = fixedCosts().reduce((sum, [, amount]) => sum + amount, 0)
  return of.map(accounts =>
    monthlyUse.reduce((sum, { times, bill, free }) => sum + paid(times, sumOfBill(bill), accounts, free), always),
  )
}

/** The same in a sentence of README, with a size between, and what logins by applications add to the largest. */
export function totalLine(): string {
  const told = [1e3, 1e4, 1e5, 1e6]
  const each = totals(told).map((total, i) => `${Math.round(total)} for ${told[i]?.toLocaleString('en')}`)
  const [largest = 1] = totals([1e6])
  const share = monthly(routes.login.perMonth, perMillion('login by an application'), 1e6) / largest
  return `Dollars a month to AWS: ${each.join(', ')} accounts, mails and alarms included ([how that is counted](docs/deploy.md#what-it-costs)). Logins to applications add up to ${Math.ceil(share * 100)} percent, a setting at most two dollars for alarms and keys.`
}
