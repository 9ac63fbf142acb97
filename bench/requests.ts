import { randomBytes } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { hashPassword } from '../shared/accounts/password-hash.ts'
import { routes } from '../shared/routes.ts'
import { httpEvent } from '../test/support/http.ts'
import { oneTime, person, type StandIn, startStandIn } from './aws-stand-in.ts'

/** bcrypt's least: what a hash costs is measured where it is the question. */
export const leastCost = 4

/** What functions find in their environment, with the stand-in for AWS. */
export const settings = {
  ACCESS_TOKEN_EXPIRE_MINUTES: '60',
  ADMIN_EMAIL: '',
  BCRYPT_COST: String(leastCost),
  ISSUER: 'https://api.example.com/auth',
  MAIL_FROM: 'no-reply@example.com',
  RATE_LIMITS: 'on',
  REQUIRE_EMAIL_VERIFICATION: 'false',
  SITE_URL: 'https://example.com',
  STAGE: 'prod',
  TOKEN_AUDIENCE: 'gatehouse',
  USERS_TABLE: 'Users',
  RATE_LIMITS_TABLE: 'RateLimits',
  SIGNING_KEY_IDS: 'key',
}

export interface Prepared {
  aws: StandIn
  passwordHash: string
  environment: Record<string, string>
  /** A request to each function that it answers with success, as the event that Lambda hands it. */
  events: Record<string, object>
  token: string
}

export async function prepare(cost = leastCost): Promise<Prepared> {
  const passwordHash = await hashPassword({ randomBytes, config: { bcryptCost: cost } }, person.password)
  const aws = await startStandIn(passwordHash)
  const jwk = aws.publicKey.export({ format: 'jwk' }) as { kty: 'RSA'; n: string; e: string }
  const now = Math.floor(Date.now() / 1000)
  const token = aws.signed(
    { alg: 'RS256', typ: 'JWT', kid: await calculateJwkThumbprint(jwk) },
    {
      sub: person.id,
      email: person.email,
      ver: 0,
      iss: settings.ISSUER,
      aud: settings.TOKEN_AUDIENCE,
      iat: now,
      exp: now + 3600,
    },
  )
  const bodies: Record<string, object> = {
    register: { ...person, name: 'Ada' },
    login: person,
    'update-me': { name: 'Ada' },
    'forgot-password': { email: person.email },
    'reset-password': { token: oneTime, new_password: person.password },
    'verify-email': { token: oneTime },
    'resend-verification': { email: person.email },
  }
  const events = Object.fromEntries(
    Object.entries(routes).map(([name, row]) => {
      const [method = 'GET', path = '/nothing'] = row.on[0].startsWith('$') ? [] : row.on[0].split(' ')
      const headers = row.access === 'bearer' ? { authorization: `Bearer ${token}` } : {}
      return [name, httpEvent({ method: method === 'ANY' ? 'GET' : method, path, headers, body: bodies[name] })]
    }),
  )
  const mail = { kind: 'reset', email: person.email, token: oneTime, requested_at: Date.now() }
  const record = { messageId: '1', receiptHandle: '1', attributes: { SentTimestamp: String(Date.now()) } }
  return {
    aws,
    passwordHash,
    token,
    environment: { ...settings, ...aws.environment, MAIL_QUEUE_URL: `${aws.url}/000000000000/MailQueue` },
    events: { ...events, 'on-mail-queued': { Records: [{ ...record, body: JSON.stringify(mail) }] } },
  }
}
