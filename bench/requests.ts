import { randomBytes } from 'node:crypto'
import { settingsTable } from '../infra/settings/settings.ts'
import { acceptedCosts, hashPassword } from '../shared/accounts/passwords/password-hash.ts'
import { issueAccessToken } from '../shared/accounts/tokens/access-token.ts'
import { rows } from '../shared/api/needs.ts'
import { readConfig } from '../shared/base/config.ts'
import { toAccount } from '../shared/store/account-item.ts'
import { goodBody, sessionOf } from '../test/support/api/requests.ts'
import { answeringNames, requestLine } from '../test/support/api/rows.ts'
import { httpEvent } from '../test/support/service/http.ts'
import { variables } from '../test/support/stack/variables.ts'
import { itemOf, oneTimeToken, person, refreshToken, startStandIn } from './stand-in.ts'

/** The cost of a hash by default. */
export const defaultCost = Number(settingsTable.BCRYPT_COST.fallback)

/** bcrypt's lowest cost, for measurements that are not about the hash. */
const leastCost: number = acceptedCosts.min

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
  const { token } = await issueAccessToken(issuer, toAccount(item))
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
    publicKey: aws.publicKey,
    /** An access token of `person`. */
    token,
    environment: { ...settings, ...aws.environment, MAIL_QUEUE_URL: `${aws.url}/000000000000/MailQueue` } as Record<
      string,
      string
    >,
    /** For each function the Lambda event of a request that succeeds. */
    events: { ...events, 'on-mail-queued': { Records: [{ ...record, body: JSON.stringify(mail) }] } } as typeof events,
    [Symbol.asyncDispose]: () => aws[Symbol.asyncDispose](),
  }
}
