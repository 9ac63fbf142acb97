import { recordJourneys } from '../../bench/costs/journeys.ts'
import { fixedTable, monthTable, priceTable, totalTable, usageTable } from '../../bench/costs/monthly.ts'
import { cpu, freeDashboardMetrics, prices } from '../../bench/costs/prices.ts'
import { attackTable, quotaTable } from '../../bench/costs/throttles-and-quotas.ts'
import { startLocal } from '../../bench/local.ts'
import { smallRegions } from '../../infra/constructs/throttles.ts'
import { memory } from '../../shared/api/needs.ts'

/** The tables of costs, attacks and quotas, from the calls that people's journeys cause on one machine. */
export async function costTables(): Promise<Record<string, string>> {
  await using system = await startLocal({ RATE_LIMITS: 'on' })
  const journeys = await recordJourneys(system)
  return {
    'costs-usage': usageTable(journeys),
    'costs-prices': priceTable(journeys),
    'costs-month': monthTable(journeys),
    'costs-fixed': fixedTable(),
    'costs-total': totalTable(journeys),
    'costs-attack': attackTable(journeys),
    'costs-quotas': quotaTable(journeys),
  }
}

const million = 1e6
const price = (dollars: number): string =>
  String(Number(dollars.toPrecision(4)))
    .replace(/^\d+$/, '$&.00')
    .replace(/\.\d$/, '$&0')

export function priceList(): string {
  const p = prices
  const gigabyteSeconds = (cpu.hash / 1000) * (memory.fullCpu / 1024)
  return [
    `- Lambda on arm64: ${price(p.gigabyteSecond * million)} per million GB-seconds, ${price(p.invocation * million)} per million requests. API Gateway, HTTP API: ${price(p.gateway * million)} per million.`,
    `- DynamoDB on demand: ${price(p.write * million)} per million writes of 1 KB, ${price(p.read * million)} per million consistent reads of 4 KB; ${price(p.gigabyteMonth)} per GB and month with point-in-time recovery.`,
    `- KMS with RSA 2048: ${price(p.kms * 1e4)} per 10,000 requests, and ${price(p.key)} per key. SQS: ${price(p.sqs * million)} per million. SES: ${price(p.mail * 1e3)} per 1,000 mails.`,
    `- CloudWatch: logs ${price(p.kilobyte * million)} per GB, ${price(p.metric)} per custom metric, ${price(p.alarmMetric)} per metric of an alarm, ${price(p.dashboard)} per dashboard of more than ${freeDashboardMetrics} metrics.`,
    `- X-Ray: ${price(p.trace * million)} per million traces; it records one a second, and 5 % of the others.`,
    `- CloudFront: ${price(p.cdnRequest * million)} per million requests, ${price(p.cdnKilobyte * million)} per GB.`,
    '',
    `A hash at cost 12 is taken as ${cpu.hash / 1000} s of a whole vCPU (${memory.fullCpu.toLocaleString('en')} MB are ${(memory.fullCpu / 1024).toFixed(2)} GB: ${gigabyteSeconds.toFixed(2)} GB-seconds, ${price(Number((gigabyteSeconds * p.gigabyteSecond * million).toFixed(2)))} dollars per million).`,
  ].join('\n')
}

export const regionList = (): string =>
  `${Object.entries(smallRegions)
    .map(([region, name]) => `${name} (\`${region}\`)`)
    .join(', ')}.`
