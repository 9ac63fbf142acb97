import { eventNames } from '../../shared/base/system.ts'
import { everything } from '../../test/support/stack/settings.ts'
import { inText, synthesize } from '../../test/support/stack/template.ts'

/** What costs the same however many accounts there are, counted in a stack with every setting and one signing key. */

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
