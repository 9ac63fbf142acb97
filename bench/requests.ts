import { randomBytes } from 'node:crypto'
import { readSettings, type Settings, settingsTable } from '../infra/settings/settings.ts'
import { codeOf, stepOf } from '../shared/accounts/codes/totp.ts'
import { acceptedCosts, hashPassword } from '../shared/accounts/password-hash.ts'
import { bodies, memberExamples } from '../shared/accounts/schemas.ts'
import { issueAccessToken } from '../shared/accounts/tokens/access-token.ts'
import { rows } from '../shared/api/needs.ts'
import { routeKeysOf } from '../shared/api/route-keys.ts'
import type { FunctionName } from '../shared/api/routes.ts'
import { type ResourceVariable, readConfig, type SettingName } from '../shared/base/config.ts'
import { toAccount } from '../shared/store/account-item.ts'
import { clientAddress, guarded, itemOf, oneTimeTokens, person, returning } from './people.ts'
import { countersTable, startStandIn } from './stand-in.ts'

/** The cost of a hash by default. */
export const defaultCost = Number(settingsTable.BCRYPT_COST.fallback)

/** bcrypt's lowest cost, for measurements that are not about the hash. */
export const leastCost: number = acceptedCosts.min

/** The variables of every function: all settings, and resources that the stand-in for AWS knows. */
const variables = {
  ...(Object.fromEntries(
    Object.entries(readSettings({ SITE_URL: 'https://example.com' })).map(([name, value]) => [name, String(value)]),
  ) as Record<keyof Settings, string>),
  BCRYPT_COST: String(leastCost),
  MAIL_FROM: 'no-reply@example.com',
  ISSUER: 'https://api.example.com/auth',
  BROWSER_URL: '',
  OIDC_CLIENTS: '',
  USERS_TABLE: 'Users',
  RATE_LIMITS_TABLE: countersTable,
  MAIL_QUEUE_URL: 'MailQueue',
  SIGNING_KEY_ID: 'key',
  SIGNING_KEY_IDS: 'key',
  FACTOR_KEY_ID: 'key',
} satisfies Record<SettingName | ResourceVariable, string>

/**
 * Starts the stand-in for AWS, and makes events for each function.
 *
 * @param cost of the hash of `person`
 * @param importedCost of the hash of the account `imported`
 */
export async function prepare({ cost = leastCost, importedCost = leastCost } = {}) {
  const hash = (bcryptCost: number) => hashPassword({ randomBytes, config: { bcryptCost } }, person.password)
  const item = itemOf(await hash(cost))
  const aws = await startStandIn(item, await hash(importedCost))
  const signer = { keyId: variables.SIGNING_KEY_IDS, sign: async (data: Uint8Array) => aws.sign(data) }
  const issuer = { now: () => new Date(), config: readConfig(variables), signer }
  const tokenOf = async (email: string) => (await issueAccessToken(issuer, toAccount({ ...item, email }))).token
  const tokens = { person: await tokenOf(person.email), guarded: await tokenOf(guarded.email) }
  const mail = { kind: 'reset', email: person.email, token: oneTimeTokens.usual, requested_at: Date.now() }
  const record = { messageId: '1', receiptHandle: '1', attributes: { SentTimestamp: String(Date.now()) } }
  return {
    publicKey: aws.publicKey,
    /** An access token of `person`. */
    token: tokens.person,
    environment: { ...variables, ...aws.environment, MAIL_QUEUE_URL: `${aws.url}/000000000000/MailQueue` } as Record<
      string,
      string
    >,
    /** The Lambda event of a request, or of a mail, that succeeds. A code works for a minute: make it when it is needed. */
    eventOf(name: FunctionName): object {
      if (name === 'on-mail-queued') return { Records: [{ ...record, body: JSON.stringify(mail) }] }
      const [key = ''] = routeKeysOf(name)
      // `$default`, which is `not-found`'s, has no path, and the catalogue takes any method.
      const [verb = '', path = '/nowhere'] = key.split(' ')
      const method = /^(?:ANY|\$default)$/.test(verb) ? 'GET' : verb
      const token = path.startsWith('/auth/second-factor') ? tokens.guarded : tokens.person
      const headers = rows[name].access === 'bearer' ? { authorization: `Bearer ${token}` } : {}
      return httpEvent(method, path, bodyOf(name, path), headers)
    },
    [Symbol.asyncDispose]: () => aws[Symbol.asyncDispose](),
  }
}

/** A body that succeeds; undefined where the row has none. */
function bodyOf(name: FunctionName, path: string): object | undefined {
  const { body, reply } = rows[name]
  if (!body) return undefined
  const members: Record<string, unknown> = {
    ...memberExamples,
    // What answers 201 needs an address without an account.
    email: reply?.[0] === 201 ? 'bob@example.com' : person.email,
    token: oneTimeTokens[name === 'confirm-email-change' ? 'email-change' : 'usual'],
    id: returning.sessionId,
    refresh_token: returning.refreshToken,
    ...(path.startsWith('/auth/second-factor') && { code: codeNow() }),
  }
  return Object.fromEntries(Object.keys(bodies[body].entries).map(member => [member, members[member]]))
}

/** An event of API Gateway's payload format 2.0, with what functions read of it. */
const httpEvent = (method: string, path: string, body?: object, headers: Record<string, string> = {}): object => ({
  version: '2.0',
  rawPath: path,
  rawQueryString: '',
  headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
  requestContext: {
    domainName: 'api.example.com',
    http: { method, path, sourceIp: clientAddress, userAgent: 'bench' },
    requestId: 'request',
    stage: '$default',
  },
  ...(body && { body: JSON.stringify(body) }),
  isBase64Encoded: false,
})

/** A login. @param members what its body has besides: a session, a code */
export const logIn = (email: string, password: string, members: object = {}): object =>
  httpEvent('POST', '/auth/login', { email, password, ...members })

/** What an authenticator of the second factor shows now. */
export const codeNow = (): string => codeOf(guarded.secret, stepOf(new Date()))
