import { randomBytes } from 'node:crypto'
import { settingsTable } from '../infra/settings/settings.ts'
import { acceptedCosts, hashPassword } from '../shared/accounts/passwords/password-hash.ts'
import { rows } from '../shared/api/needs.ts'
import { goodBody, sessionOf } from '../test/support/api/requests.ts'
import { answeringNames, requestLine } from '../test/support/api/rows.ts'
import { httpEvent } from '../test/support/service/http.ts'
import { variables } from '../test/support/stack/variables.ts'
import { oneTimeToken, person, refreshToken, type StandIn, type StandInOptions, startStandIn } from './aws/stand-in.ts'

/** The cost of a hash by default. */
export const defaultCost = Number(settingsTable.BCRYPT_COST.fallback)

/** bcrypt's lowest cost, for measurements that are not about the hash. */
const leastCost: number = acceptedCosts.min

/** The settings of functions. */
const settings = { ...variables, BCRYPT_COST: String(leastCost), MAIL_FROM: 'no-reply@example.com' }

interface Prepared {
  aws: StandIn
  passwordHash: string
  environment: Record<string, string>
  /** For each function the Lambda event of a request that succeeds. */
  events: Record<string, object>
  token: string
}

interface Options extends Pick<StandInOptions, 'isGuessLimitReached'> {
  /** The cost of the hash of the account `imported`. */
  importedCost?: number
}

/** Starts the stand-in for AWS, and makes events for each function. @param cost of the hash of `person` */
export async function prepare(cost = leastCost, { importedCost = cost, ...options }: Options = {}): Promise<Prepared> {
  const hash = (bcryptCost: number) => hashPassword({ randomBytes, config: { bcryptCost } }, person.password)
  const passwordHash = await hash(cost)
  const aws = await startStandIn(passwordHash, { ...options, importedHash: await hash(importedCost) })
  const now = Math.floor(Date.now() / 1000)
  const token = aws.signed(
    { alg: 'RS256', typ: 'JWT', kid: settings.SIGNING_KEY_IDS },
    {
      sub: person.id,
      email: person.email,
      email_verified: false,
      ver: 0,
      iss: settings.ISSUER,
      aud: settings.TOKEN_AUDIENCE,
      iat: now,
      exp: now + 3600,
    },
  )
  const session = () => sessionOf(refreshToken)
  const sender = { ...person, newEmail: 'bob@example.com', token: () => oneTimeToken, session }
  const events: Record<string, object> = {}
  for (const name of answeringNames) {
    const headers = rows[name].access === 'bearer' ? { authorization: `Bearer ${token}` } : {}
    events[name] = httpEvent({ ...requestLine(name), headers, body: await goodBody(name, sender) })
  }
  const mail = { kind: 'reset', email: person.email, token: oneTimeToken, requested_at: Date.now() }
  const record = { messageId: '1', receiptHandle: '1', attributes: { SentTimestamp: String(Date.now()) } }
  return {
    aws,
    passwordHash,
    token,
    environment: { ...settings, ...aws.environment, MAIL_QUEUE_URL: `${aws.url}/000000000000/MailQueue` },
    events: { ...events, 'on-mail-queued': { Records: [{ ...record, body: JSON.stringify(mail) }] } },
  }
}
