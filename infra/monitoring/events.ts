import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { metricsNamespace, stageDimension } from '../../shared/base/log.ts'
import type { AuthEvent } from '../../shared/base/system.ts'

/** The metric that counts an event in a stage. The functions log the event. */
export const countOf = (metricName: AuthEvent['event'], stage: string): Metric =>
  new Metric({
    namespace: metricsNamespace,
    metricName,
    dimensionsMap: { [stageDimension]: stage },
    statistic: Stats.SUM,
  })
