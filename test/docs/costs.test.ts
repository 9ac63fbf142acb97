import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { metricsNamespace } from '../../shared/base/log.ts'
import { applications, providerList } from '../support/stack/settings.ts'
import { synthesize } from '../support/stack/template.ts'

/** The tables of costs in docs/deploy.md add up, and their rows count the template's resources. */

const guide = readFileSync(join(import.meta.dirname, '../../docs/deploy.md'), 'utf8')

/** The cells of a table's rows, by the table's beginning. */
function tableOf(name: string): [head: string[], rows: string[][]] {
  const [, text = ''] = new RegExp(`writes this: ${name} -->\\n([^]*?)<!-- end of`).exec(guide) ?? []
  const lines = text.split('\n').filter(line => line.startsWith('|'))
  const cells = lines.map(line =>
    line
      .slice(1, -1)
      .split('|')
      .map(cell => cell.replaceAll('*', '').trim()),
  )
  const [head = [], , ...rows] = cells
  return [head, rows]
}

const sumOf = (amounts: readonly (string | undefined)[]): string =>
  amounts.reduce((sum, amount) => sum + Number(amount ?? 0), 0).toFixed(2)

/** Numbers in a text, without thousands' commas. */
const numbersIn = (text = ''): number[] => (text.replaceAll(',', '').match(/\d+(?:\.\d+)?/g) ?? []).map(Number)

describe('the tables of costs add up', () => {
  test('by service, but for what rounding each line takes', () => {
    const [, line = ''] = /^Of a million accounts' dollars AWS bills by service: (.*?)\.\n/ms.exec(guide) ?? []
    const amounts = line.split(',').map(each => numbersIn(each)[0] ?? Number.NaN)
    expect(amounts.length).toBeGreaterThan(5)
    const [, [[, , , million] = []]] = tableOf('costs-total') as [string[], string[][]]
    expect(Math.abs(Number(sumOf(amounts.map(String))) - Number(million))).toBeLessThan(0.1)
  })

  test('by what accounts do, and together with what each month costs', () => {
    const [head] = tableOf('costs-total')
    const [, rows] = tableOf('costs-month')
    const [, fixed] = tableOf('costs-fixed')
    const always = sumOf(fixed.map(([, amount]) => amount))
    const [, [total = [], everything = []]] = tableOf('costs-total') as [string[], string[][]]
    expect(total.length).toBe(4)
    expect(sumOf([always, ...rows.map(row => row[3])])).toBe(total[3])
    for (const [i, amount] of total.slice(1).entries()) {
      const [accounts = 0] = numbersIn(head[1 + i])
      const each = rows.map(([what = '', times, perMillion, million]) => {
        const [free = 0] = /beyond/.test(what) ? numbersIn(what).map(gigabytes => gigabytes * 0.09) : []
        const paid = Math.max(0, (Number(times) * Number(perMillion) * accounts) / 1e6 - free)
        // The price in the table is rounded to a cent.
        const margin = 0.011 + (Number(times) * 0.005 * accounts) / 1e6
        if (accounts === 1e6) expect(Math.abs(Number(million) - paid), `${what}: ${million}`).toBeLessThan(margin)
        return { paid, margin }
      })
      const all = each.reduce((sum, { paid }) => sum + paid, Number(always))
      expect(Math.abs(Number(amount) - all)).toBeLessThan(each.reduce((sum, { margin }) => sum + margin, 0))
    }
    const [, added] = tableOf('costs-more')
    const [, , , most] = everything
    expect(sumOf([total[3], ...added.flatMap(row => [row[3], row.at(-1)])])).toBe(most)
  })
})

describe('the rows of what each month costs count what the template has:', () => {
  /** The billed resources of a stack that sends mails. */
  function counted(env: Record<string, string> = {}) {
    const { all } = synthesize({ MAIL_FROM: 'no-reply@example.com', SES_IDENTITY: 'example.com', ...env })
    const count = (type: string) => all(type).length
    const alarms = all('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties)
    const watched = alarms.flatMap(({ Metrics, MetricName, Namespace, Dimensions }) =>
      Array.isArray(Metrics)
        ? Metrics.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []))
        : [{ MetricName, Namespace, Dimensions }],
    )
    const mailEvents = all('AWS::SES::ConfigurationSetEventDestination').flatMap(
      ([, { Properties }]) => (Properties.EventDestination as { MatchingEventTypes: string[] }).MatchingEventTypes,
    )
    const filtered = all('AWS::Logs::MetricFilter').flatMap(
      ([, { Properties }]) => Properties.MetricTransformations as { MetricName: string }[],
    )
    const own = watched.filter(
      ({ Namespace, MetricName }) =>
        Namespace === metricsNamespace && !filtered.some(metric => metric.MetricName === MetricName),
    )
    const reputation = all('AWS::SES::ConfigurationSet').filter(
      ([, { Properties }]) =>
        (Properties.ReputationOptions as { ReputationMetricsEnabled?: boolean } | undefined)?.ReputationMetricsEnabled,
    )
    return {
      alarms: alarms.length,
      watched: watched.length,
      events: new Set(own.map(({ MetricName }) => MetricName)).size,
      mails: mailEvents.length + 2 * reputation.length,
      filters: filtered.length,
      keys: count('AWS::KMS::Key'),
      dashboards: count('AWS::CloudWatch::Dashboard'),
    }
  }
  const row = (...words: string[]): string[] => {
    const found = tableOf('costs-fixed')[1].filter(([what = '']) => words.every(word => what.includes(word)))
    expect(found).toHaveLength(1)
    return found[0] ?? []
  }

  test('alarms, metrics, dashboards and keys, at their prices', () => {
    const there = counted()
    const [alarms, ofAlarms] = row(' alarms, at')
    expect(numbersIn(alarms)).toEqual([there.watched, there.alarms, 0.1])
    expect(ofAlarms).toBe((there.watched * 0.1).toFixed(2))
    const [metrics, ofMetrics] = row('of events')
    expect(numbersIn(metrics)).toEqual([there.events, there.mails, there.filters, 0.3])
    expect(ofMetrics).toBe(((there.events + there.mails + there.filters) * 0.3).toFixed(2))
    const [keys, ofKeys] = row('keys')
    expect(numbersIn(keys)).toEqual([there.keys, 1])
    expect(ofKeys).toBe(there.keys.toFixed(2))
    const [dashboard, ofDashboard] = row('dashboard')
    const [metricsShown = Number.POSITIVE_INFINITY, free = 0, freeMetrics = 0] = numbersIn(dashboard)
    expect([free, freeMetrics, ofDashboard]).toEqual([3, 50, '0.00'])
    expect(there.dashboards).toBeLessThanOrEqual(free)
    expect(metricsShown).toBeLessThanOrEqual(freeMetrics)
  })

  test.each([
    ['OIDC_CLIENTS', { OIDC_CLIENTS: applications }],
    ['PASSKEY_RP_ID', { PASSKEY_RP_ID: 'example.com', SITE_URL: 'https://app.example.com' }],
    ['SIGN_IN_PROVIDERS', { SIGN_IN_PROVIDERS: providerList }],
  ])('what %s adds', (setting, env) => {
    const [, rows] = tableOf('costs-more')
    const found = rows.find(([with_]) => with_ === `\`${setting}\``) ?? []
    const [before, after] = [counted(), counted(env)]
    const [events, keys, amount] = found.slice(-3)
    expect([events, keys].map(Number)).toEqual([after.alarms - before.alarms, after.keys - before.keys])
    expect(after.events - before.events).toBe(Number(events))
    expect(amount).toBe((Number(events) * 0.4 + Number(keys)).toFixed(2))
  })
})
