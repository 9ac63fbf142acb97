/**
 * What each alarm means and what to do first, as its description says it. `docs/deploy.md` has a section of the same
 * name with the rest.
 */
export const runbooks = {
  'dead-letters': [
    'Mails failed ten times and are not tried any more.',
    "Read the mail worker's log, mend the cause, then put them back with `npm run mail -- redrive`; after four days they are gone.",
  ],
  'mail-failed': [
    'Mails fail, and the tries after the first fail too; they are tried ten times, over half an hour.',
    "See in the mail worker's log what fails, then at SES's sending status and quota, and whether its identity is verified.",
  ],
  'oldest-mail': [
    'A mail has been waiting for a quarter of an hour, and nobody takes it.',
    'Look for throttles and time-outs of the mail worker, whether its event source mapping is enabled, and how many mails wait.',
  ],
  'server-errors': [
    'One request in a hundred or more is answered with 5xx: five at once, or few again and again.',
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
    'DynamoDB refuses reads or writes of the table or index.',
    'Look for one key that gets them all (an attack on one address), then at the quotas of the account.',
  ],
  'too-many-requests': [
    'Many requests are answered 429, by the limits or by the throttles.',
    'See in the access log who sends them and whether functions or API Gateway refuse; put a web ACL in front where a throttle is spent.',
  ],
  'limited-requests': [
    'Many requests are over the limit of their caller.',
    'See in the access log whether few addresses send them (an office, a client that loops) or many (an attack).',
  ],
  'failed-logins': [
    'Far more logins fail than people mistype: somebody tries passwords, perhaps a list stolen elsewhere.',
    'See in the access log where they come from; look for logins that succeeded from there, and have those passwords reset.',
  ],
  'wrong-passwords': [
    'Many current passwords are wrong in requests with valid access tokens: somebody may hold tokens of others.',
    "See in the functions' logs which accounts; where it is not their owner, have the password reset, which voids the tokens.",
  ],
  registrations: [
    'Many accounts are opened at once: by robots, or after a campaign.',
    'See in the access log who registers; robots are slowed by RATE_LIMITS, and one address may open sixty a minute.',
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
