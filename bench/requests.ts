import { randomBytes } from 'node:crypto'
import { settingsTable } from '../infra/settings/settings.ts'
import { codeOf, stepOf } from '../shared/accounts/factors/totp.ts'
import { acceptedCosts, hashPassword } from '../shared/accounts/passwords/password-hash.ts'
import { issueAccessToken } from '../shared/accounts/tokens/access-token.ts'
import { rows } from '../shared/api/needs.ts'
import type { FunctionName } from '../shared/api/routes.ts'
import { readConfig } from '../shared/base/config.ts'
import { toAccount } from '../shared/store/account-item.ts'
import { goodBody, sessionOf } from '../test/support/api/requests.ts'
import { requestLine } from '../test/support/api/rows.ts'
import { httpEvent } from '../test/support/service/http.ts'
import { variables } from '../test/support/stack/variables.ts'
import { guarded, itemOf, oneTimeTokens, person, refreshToken } from './people.ts'
import { startStandIn } from './stand-in.ts'

/** The cost of a hash by default. */
export const defaultCost = Number(settingsTable.BCRYPT_COST.fallback)

/** bcrypt's lowest cost, for measurements that are not about the hash. */
export const leastCost: number = acceptedCosts.min

const settings = { ...variables, BCRYPT_COST: String(leastCost), MAIL_FROM: 'no-reply@example.com' }

/**
 * Starts the stand-in for AWS, and makes events for each function.
 *
 * @param cost of the hash of `person`
 * @param importedCost of the hash of the account `imported`
 */
export async function prepare({ cost = leastCost, importedCost = leastCost, isGuessLimitReached = false } = {}) {
  const hash = (bcryptCost: number) => hashPassword({ randomBytes, config: { bcryptCost } }, person.password)
  const item = itemOf(await hash(cost))
  const aws = await startStandIn(item, await hash(importedCost), isGuessLimitReached)
  const signer = { keyId: settings.SIGNING_KEY_IDS, sign: async (data: Uint8Array) => aws.sign(data) }
  const issuer = { now: () => new Date(), config: readConfig(settings), signer }
  const tokenOf = async (email: string) => (await issueAccessToken(issuer, toAccount({ ...item, email }))).token
  const tokens = { person: await tokenOf(person.email), guarded: await tokenOf(guarded.email) }
  const sender = {
    ...person,
    newEmail: 'bob@example.com',
    token: (kind: string) => oneTimeTokens[kind === 'email-change' ? kind : 'usual'],
    session: () => sessionOf(refreshToken),
  }
  /** An authenticator's code works for a minute, so each event is made when it is needed. */
  const eventOf = async (name: FunctionName): Promise<object> => {
    const { method, path } = requestLine(name)
    const isAboutFactor = path.startsWith(requestLine('get-second-factor').path)
    const token = isAboutFactor ? tokens.guarded : tokens.person
    const headers = rows[name].access === 'bearer' ? { authorization: `Bearer ${token}` } : {}
    const body = await goodBody(name, isAboutFactor ? { ...sender, code: codeNow() } : sender)
    return httpEvent({ method, path, headers, body })
  }
  const mail = { kind: 'reset', email: person.email, token: oneTimeTokens.usual, requested_at: Date.now() }
  const record = { messageId: '1', receiptHandle: '1', attributes: { SentTimestamp: String(Date.now()) } }
  return {
    publicKey: aws.publicKey,
    /** An access token of `person`. */
    token: tokens.person,
    environment: { ...settings, ...aws.environment, MAIL_QUEUE_URL: `${aws.url}/000000000000/MailQueue` } as Record<
      string,
      string
    >,
    /** The Lambda event of a request, or of a mail, that succeeds now. */
    eventOf: async (name: FunctionName): Promise<object> =>
      name === 'on-mail-queued' ? { Records: [{ ...record, body: JSON.stringify(mail) }] } : eventOf(name),
    [Symbol.asyncDispose]: () => aws[Symbol.asyncDispose](),
  }
}

/** A login. @param members what its body has besides: a session, a code */
export const logIn = (email: string, password: string, members: object = {}): object =>
  httpEvent({ path: '/auth/login', body: { email, password, ...members } })

/** What an authenticator of the second factor shows now. */
export const codeNow = (): string => codeOf(guarded.secret, stepOf(new Date()))
