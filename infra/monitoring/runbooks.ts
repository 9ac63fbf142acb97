/**
 * What each alarm means and what to do first, as its description says it. `docs/deploy.md` has a section of the same
 * name with the rest.
 */
export const runbooks = {
  'dead-letters': [
    'Mails failed ten times and are not tried any more.',
    "Read the mail worker's log, mend the cause, then put them back with `npm run mail -- redrive`; after four days they are gone.",
  ],
  'oldest-mail': [
    'A mail has been waiting for a quarter of an hour.',
    "Look for errors and throttles of the mail worker, and at SES's sending quota and status.",
  ],
  'server-errors': [
    'More than one request in a hundred is answered with 5xx.',
    'See in the access log which routes and whether the functions or API Gateway answer so; undo the last deploy if it was recent.',
  ],
  'function-errors': [
    'The function crashes or runs out of time.',
    'Read its log from the first error on; undo the last deploy if it was recent.',
  ],
  'function-throttles': [
    'The account has no concurrent executions left for the function.',
    "Compare ConcurrentExecutions with the account's quota, look for an attack in the access log, have the quota raised.",
  ],
  'slow-logins': [
    'One login in a hundred takes much longer than its hash.',
    'See in the traces which call waits: DynamoDB, KMS or the hash itself; compare with the last deploy and with BCRYPT_COST.',
  ],
  'table-throttles': [
    'DynamoDB refuses requests to the table.',
    'Look for one key that gets them all (an attack on one address), then at the quotas of the account.',
  ],
  bounces: [
    'One mail in twenty bounces; SES stops an account at one in ten.',
    'See which addresses bounce: registrations by robots are stopped by RATE_LIMITS or an empty MAIL_FROM until it is over.',
  ],
  complaints: [
    'One mail in a thousand is reported as spam; SES stops an account at one in two hundred.',
    'Look for registrations of addresses that are not their own, in the access log by remote address.',
  ],
} as const satisfies Record<string, readonly [meaning: string, firstAid: string]>

export type Runbook = keyof typeof runbooks

export const describe = (runbook: Runbook): string => {
  const [meaning, firstAid] = runbooks[runbook]
  return `${meaning} Runbook: ${firstAid} (docs/deploy.md#${runbook})`
}
