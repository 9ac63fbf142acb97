import { applications, everything } from '../../support/stack/settings.ts'
import { inText, synthesize } from '../../support/stack/template.ts'

export const stack = synthesize({ ...everything, BCRYPT_COST: '13' })
export const withoutMail = synthesize({ OIDC_CLIENTS: applications })

interface AlarmProperties {
  AlarmDescription: string
  AlarmActions: unknown[]
  OKActions: unknown[]
  MetricName?: string
  Namespace?: string
  Dimensions?: { Name: string; Value: unknown }[]
  Metrics?: { Id: string; Expression?: string; MetricStat?: { Period: number } }[]
  Statistic?: string
  ExtendedStatistic?: string
  Period?: number
  EvaluationPeriods: number
  DatapointsToAlarm?: number
  Threshold: number
  ComparisonOperator: string
  TreatMissingData: string
}

/** By their logical ids, without the construct's name and the hash. */
export const alarmsOf = (of: typeof stack) =>
  new Map(
    of
      .all('AWS::CloudWatch::Alarm')
      .map(([id, { Properties }]) => [
        id.replace(/^MonitoringAlarms|[0-9A-F]{8}$/g, ''),
        Properties as unknown as AlarmProperties,
      ]),
  )
export const alarms = alarmsOf(stack)
export const dashboard = inText(stack.only('AWS::CloudWatch::Dashboard').Properties.DashboardBody)
