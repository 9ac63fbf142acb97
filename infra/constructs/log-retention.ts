import { RetentionDays } from 'aws-cdk-lib/aws-logs'

/**
 * Of every log group. Long enough to look into what somebody noticed late, short enough for data that holds addresses
 * of callers.
 *
 * The groups are encrypted by CloudWatch Logs with its own keys. A key of our own would cost a dollar a month, and logs
 * would be lost whenever its policy is wrong; what it would protect has no addresses, tokens or passwords in it.
 */
export const logRetention = RetentionDays.THREE_MONTHS
