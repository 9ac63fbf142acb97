import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { metricsNamespace, stageDimension } from '../../shared/log.ts'
import type { AuthEvent } from '../../shared/system.ts'

/** How often a kind of event happens in a stage, as functions log it. */
export const countOf = (metricName: AuthEvent['event'], stage: string): Metric =>
  new Metric({
    namespace: metricsNamespace,
    metricName,
    dimensionsMap: { [stageDimension]: stage },
    statistic: Stats.SUM,
  })
