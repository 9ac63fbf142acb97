import { RetentionDays } from 'aws-cdk-lib/aws-logs'

/**
 * How long every log group keeps its lines: long enough to investigate a problem that is reported late, and no longer,
 * because the access log holds IP addresses.
 *
 * CloudWatch Logs encrypts the groups with its own keys. Our own key would cost a dollar a month, and a mistake in its
 * policy would lose logs. The logs hold no mail addresses, tokens or passwords.
 */
export const logRetention = RetentionDays.THREE_MONTHS
