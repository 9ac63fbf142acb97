import { isHashing, memory, needsOf, rows } from '../../../api/needs.ts'
import type { FunctionName } from '../../../api/routes.ts'
import { logRetention } from '../../../infra/constructs/access-log.ts'

/** US dollars in us-east-1, from each service's pricing page; docs/deploy.md lists them. Each is for one of its kind. */
export const prices = {
  gateway: 1.0 / 1e6,
  /** Lambda on Arm: an invocation, and a gigabyte for a second. */
  invocation: 0.2 / 1e6,
  gigabyteSecond: 13.33 / 1e6,
  /** DynamoDB on demand: request units, and a gigabyte for a month with point-in-time recovery. */
  read: 0.125 / 1e6,
  write: 0.625 / 1e6,
  gigabyteMonth: 0.25 + 0.2,
  /** SQS, standard queue: a request. */
  sqs: 0.4 / 1e6,
  /** KMS: a request with an RSA 2048 key or a symmetric one, and a key for a month. */
  kms: 0.03 / 1e4,
  key: 1.0,
  mail: 0.1 / 1e3,
  /** CloudWatch: a kilobyte of logs, and its storage for a month, before it is compressed; for a month a metric of an alarm, a metric of our own, and a dashboard. */
  kilobyte: 0.5 / 1e6,
  kilobyteMonth: 0.03 / 1e6,
  alarmMetric: 0.1,
  metric: 0.3,
  /** A dashboard of more than `freeDashboardMetrics`. */
  dashboard: 3.0,
  /** CloudFront: a request, and a kilobyte to the viewer. */
  cdnRequest: 1.0 / 1e6,
  cdnKilobyte: 0.085 / 1e6,
  /** Data out: a kilobyte to the Internet. The first `freeGigabytes` of all services in a month are free. */
  kilobyteOut: 0.09 / 1e6,
} as const

/** Of data out, in a month (Amazon EC2, "On-Demand Pricing", "Data Transfer"). */
export const freeGigabytes = 100

/** Kilobytes of an answer with its headers, roughly: most are smaller, and pages larger. CloudFront's are taken to be as large. */
export const answer = 2

/** Dashboards of an account that cost nothing, if they are small. */
export const freeDashboards = 3

/** Metrics that a dashboard shows without cost (Amazon CloudWatch, "Pricing"). */
export const freeDashboardMetrics = 50

/** Milliseconds of a call to AWS within a region. Lambda charges for the wait. */
export const latency = 5

/** Units by action, for items of less than a kilobyte (Amazon DynamoDB, "Read and write operations"). */
const reads: Record<string, number> = { 'dynamodb:GetItem': 1, 'dynamodb:Query': 0.5 }
const writes = new Set(['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'])

/**
 * Each of their writes to an account costs a second unit: it stores or removes a token, and so writes the token's index
 * too; or the item has a few sessions, and so is larger than a kilobyte; or it is a part of a transaction.
 */
const doubleWriters: readonly FunctionName[] = [
  'register',
  'verify-email',
  'reset-password',
  'on-mail-queued',
  'refresh',
  'delete-account',
  'confirm-email-change',
]

/** @param calls of this function alone, as `<service>:<action> <table>`, with how often it makes them */
export function usageOf(name: FunctionName, calls: Readonly<Record<string, number>>) {
  const sum = (unitsOf: (call: string) => number) =>
    Object.entries(calls).reduce((all, [call, count]) => all + count * unitsOf(call), 0)
  const of = (begin: string) => sum(call => (call.startsWith(begin) ? 1 : 0))
  const unitsWritten = (call: string): number => {
    const [action = '', table] = call.split(' ')
    return writes.has(action) ? 1 + (doubleWriters.includes(name) && table === 'Accounts' ? 1 : 0) : 0
  }
  // Lambda itself polls a consumer's queue: the consumer does not wait for these calls.
  const waited = ['dynamodb:', 'kms:', 'ses:', ...(name === 'on-mail-queued' ? [] : ['sqs:'])]
  return {
    /** Request units of DynamoDB. */
    reads: sum(call => reads[call.split(' ')[0] ?? ''] ?? 0),
    writes: sum(unitsWritten),
    /** Requests to SQS, secrets that KMS decrypts, its signatures, mails of SES. */
    messages: of('sqs:'),
    decryptions: of('kms:Decrypt'),
    signatures: of('kms:Sign'),
    mails: of('ses:'),
    /** Calls that the function waits for. */
    waits: waited.reduce((all, service) => all + of(service), 0),
  }
}

type Usage = ReturnType<typeof usageOf>

/**
 * Log lines of a request: the access log's, Lambda's report, and the event of what changes anything. A worker has no access
 * log, but a longer report for its batch.
 */
const kilobytes = { request: 2.5, event: 0.5 }

/** Invocations of a function, and what their calls consume together. */
export interface Ran {
  invocations: number
  usage: Usage
}

/** What invocations cost. @param milliseconds of CPU of each */
export function costOf(name: FunctionName, milliseconds: number, { invocations, usage }: Ran) {
  const seconds = (invocations * milliseconds + latency * usage.waits) / 1000
  const gigabytes = needsOf(rows[name]).memory / 1024
  const logged = kilobytes.request + (usage.writes > 0 ? kilobytes.event : 0)
  return {
    api: name === 'on-mail-queued' ? 0 : invocations * prices.gateway,
    lambda: invocations * prices.invocation + gigabytes * seconds * prices.gigabyteSecond,
    tables: usage.reads * prices.read + usage.writes * prices.write,
    signatures: (usage.signatures + usage.decryptions) * prices.kms,
    mail: usage.messages * prices.sqs + usage.mails * prices.mail,
    logs: invocations * logged * (prices.kilobyte + (logRetention / 30) * prices.kilobyteMonth),
  }
}

/** Dollars by what they are paid for. */
export type Cost = ReturnType<typeof costOf>

export const sumOf = (cost: Cost): number => Object.values(cost).reduce((sum, dollars) => sum + dollars, 0)

/** Milliseconds of CPU. Those of a hash, at cost 12 on a full vCPU, are an estimate that the guide explains. */
export const cpu = { hash: 550, other: 10 }

/** Milliseconds until a provider has exchanged a code: an estimate. Lambda charges for the wait. */
const exchange = 250

/** Hashes of a request: usually, and at most (after a change of cost, a login replaces the hash). */
const hashes: Partial<Record<FunctionName, { usual: number; most: number }>> = {
  login: { usual: 1, most: 2 },
  'change-password': { usual: 2, most: 2 },
  // Only who connects a provider shows a password.
  'provider-login': { usual: 0, most: 1 },
}

const hashesOf = (name: FunctionName, which: 'usual' | 'most'): number =>
  isHashing(rows[name]) ? (hashes[name]?.[which] ?? 1) : 0

export const cpuOf = (name: FunctionName, which: 'usual' | 'most'): number =>
  cpu.other + cpu.hash * hashesOf(name, which) + (name === 'provider-login' ? exchange : 0)

export const dollars = (amount: number): string => amount.toFixed(2)

const million = 1e6
const price = (dollars: number): string =>
  String(Number(dollars.toPrecision(4)))
    .replace(/^\d+$/, '$&.00')
    .replace(/\.\d$/, '$&0')

/** The list of prices, and what a hash is taken to cost. */
export function priceList(): string {
  const p = prices
  const gigabyteSeconds = (cpu.hash / 1000) * (memory.fullCpu / 1024)
  return [
    `- Lambda on arm64: ${price(p.gigabyteSecond * million)} per million GB-seconds, ${price(p.invocation * million)} per million requests. API Gateway, HTTP API: ${price(p.gateway * million)} per million.`,
    `- DynamoDB on demand: ${price(p.write * million)} per million writes of 1 KB, ${price(p.read * million)} per million consistent reads of 4 KB; ${price(p.gigabyteMonth)} per GB and month with point-in-time recovery.`,
    `- KMS with RSA 2048: ${price(p.kms * 1e4)} per 10,000 requests, and ${price(p.key)} per key. SQS: ${price(p.sqs * million)} per million. SES: ${price(p.mail * 1e3)} per 1,000 mails.`,
    `- CloudWatch: logs ${price(p.kilobyte * million)} per GB, and ${price(p.kilobyteMonth * million)} for each month of their ${logRetention} days, ${price(p.metric)} per custom metric, ${price(p.alarmMetric)} per metric of an alarm, ${price(p.dashboard)} per dashboard of more than ${freeDashboardMetrics} metrics.`,
    `- CloudFront: ${price(p.cdnRequest * million)} per million requests, ${price(p.cdnKilobyte * million)} per GB. Data out: ${price(p.kilobyteOut * million)} per GB beyond ${freeGigabytes} a month.`,
    '',
    `A hash at cost 12 counts as ${cpu.hash / 1000} s of a vCPU (${memory.fullCpu.toLocaleString('en')} MB, ${(memory.fullCpu / 1024).toFixed(2)} GB: ${gigabyteSeconds.toFixed(2)} GB-seconds, ${price(Number((gigabyteSeconds * p.gigabyteSecond * million).toFixed(2)))} dollars per million), a provider's exchange of a code as ${exchange / 1000} s.`,
  ].join('\n')
}
