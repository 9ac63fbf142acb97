import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toAccount } from '../accounts/account/attributes.ts'
import { clientsFile } from '../accounts/application/client.ts'
import { issueApplicationTokens } from '../accounts/application/tokens.ts'
import { providersFile } from '../accounts/identity/provider.ts'
import { sealProviderToken } from '../accounts/identity/provider-token.ts'
import { bounds } from '../accounts/password/form.ts'
import { hashPassword } from '../accounts/password/hash.ts'
import { toPassword } from '../accounts/password/password.ts'
import { issueAccessToken } from '../accounts/token/access-token.ts'
import { needsOf, rows } from '../api/needs.ts'
import { functionNames, routeKeysOf } from '../api/route-keys.ts'
import type { FunctionName } from '../api/routes.ts'
import { bundleOf } from '../infra/build/function-bundles.ts'
import { readSettings, type Settings, settingsTable } from '../infra/settings/settings.ts'
import { type ResourceVariable, readConfig, type SettingName } from '../shared/base/config.ts'
import { authorizationQuery, bearers, bodyOf, forms, httpEvent, logInByProvider, logoutQuery } from './events.ts'
import { passkeyOrigin, rpId } from './passkey.ts'
import { guarded, holder, itemOf, oneTimeTokens, person, shop, staying } from './people.ts'
import { confirmed, connected, providerAt } from './provider.ts'
import { countersTable, startStandIn } from './stand-in.ts'

/** The cost of a hash by default. */
export const defaultCost = Number(settingsTable.BCRYPT_COST.fallback)

/** bcrypt's lowest cost, for measurements of anything but the hash. */
export const leastCost: number = bounds['a cost'].min

/** The variables of every function: all settings, and resources of the stand-in for AWS. */
const variables = {
  ...(Object.fromEntries(
    Object.entries(readSettings({ SITE_URL: 'https://example.com' })).map(([name, value]) => [name, String(value)]),
  ) as Record<keyof Settings, string>),
  BCRYPT_COST: String(leastCost),
  MAIL_FROM: 'no-reply@example.com',
  ISSUER: 'https://api.example.com/auth',
  BLOCKLIST_URL: '',
  BROWSER_URL: '',
  OIDC_CLIENTS: 'on',
  SIGN_IN_PROVIDERS: 'on',
  PASSKEY_ORIGINS: passkeyOrigin,
  PASSKEY_RP_ID: rpId,
  ACCOUNTS_TABLE: 'Accounts',
  RATE_LIMITS_TABLE: countersTable,
  MAIL_QUEUE_URL: 'MailQueue',
  SIGNING_KEY_ID: 'key',
  SIGNING_KEY_IDS: 'key',
  FACTOR_KEY_ID: 'key',
  PROVIDER_KEY_ID: 'key',
} satisfies Record<SettingName | ResourceVariable, string>

/** The lists beside a bundle, by the setting whose functions read them. */
const lists = { OIDC_CLIENTS: clientsFile, SIGN_IN_PROVIDERS: providersFile } as const

const listsOf = (name: FunctionName) =>
  (Object.keys(lists) as (keyof typeof lists)[]).filter(setting => needsOf(rows[name]).settings.includes(setting))

/** A hash of the password of `person`. */
export const hashOfCost = (bcryptCost: number): Promise<string> =>
  hashPassword({ randomBytes, config: { bcryptCost } }, toPassword(person.password))

/**
 * Starts the stand-in for AWS, and makes events for each function.
 *
 * @param cost of the hash of `person`
 * @param importedHashes of imported accounts, one each
 */
export async function prepare({ cost = leastCost, importedHashes = [] as readonly string[] } = {}) {
  const item = itemOf(await hashOfCost(cost))
  const aws = await startStandIn(item, importedHashes)
  const signer = { keyId: variables.SIGNING_KEY_IDS, sign: async (data: Uint8Array) => aws.sign(data) }
  const issuer = { now: () => new Date(), config: readConfig(variables), signer }
  const login = { authTime: new Date(), amr: ['pwd'] }
  const tokenOf = async (email: string) =>
    (await issueAccessToken(issuer, toAccount(aws.accountOf(email)), login)).token
  const granted = { scope: ['openid', 'email'], login, session: null, nonce: null }
  const ofShop = await issueApplicationTokens(issuer, shop, toAccount(item), granted)
  // The person whose browser is logged out there.
  const leaving = await issueApplicationTokens(issuer, shop, toAccount(aws.accountOf(staying.email)), granted)
  const tokens = {
    person: await tokenOf(person.email),
    guarded: await tokenOf(guarded.email),
    holder: await tokenOf(holder.email),
    connected: await tokenOf(connected.email),
    application: ofShop.accessToken,
  }
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-lists-'))
  const provider = providerAt(aws.url)
  const listed = { OIDC_CLIENTS: [shop], SIGN_IN_PROVIDERS: [provider] }
  for (const name of functionNames.filter(each => listsOf(each).length > 0)) {
    cpSync(bundleOf(name), join(folder, name), { recursive: true })
    for (const setting of listsOf(name))
      writeFileSync(join(folder, name, lists[setting]), JSON.stringify(listed[setting]))
  }
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
    /** The folder of a function's bundle as deployed, with its row's lists. */
    folderOf: (name: FunctionName): string => (listsOf(name).length > 0 ? join(folder, name) : bundleOf(name)),
    /** A login by a token of a provider's confirmation. */
    logInAgain: async (): Promise<object> =>
      logInByProvider({
        provider_token: await sealProviderToken({ ...issuer, randomBytes, providers: [provider] }, confirmed),
      }),
    /** The Lambda event of a successful request or mail. A code expires after a minute, so make it when needed. */
    eventOf(name: FunctionName): object {
      if (name === 'on-mail-queued') return { Records: [{ ...record, body: JSON.stringify(mail) }] }
      const [key = ''] = routeKeysOf(name)
      // `$default`, the key of `not-found`, has no path, and the catalogue takes any method.
      const [verb = '', path = '/nowhere'] = key.split(' ')
      const method = /^(?:ANY|\$default)$/.test(verb) ? 'GET' : verb
      const { access, form, ownPages } = rows[name]
      if (form) return forms[name as keyof typeof forms]
      const [, whose = 'person'] = bearers.find(([start]) => path.startsWith(start)) ?? []
      const headers = {
        ...(access === 'bearer' && { authorization: `Bearer ${tokens[whose]}` }),
        ...(ownPages && { 'sec-fetch-site': 'same-origin' }),
      }
      const cookies = name === 'authorize' || !ownPages ? {} : { cookies: [`__Host-gatehouse=${staying.refreshToken}`] }
      const body = bodyOf(name, path, name === 'logout-browser' ? logoutQuery(leaving.idToken) : authorizationQuery)
      return { ...httpEvent(method, path, body, headers), ...cookies }
    },
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true })
      await aws[Symbol.asyncDispose]()
    },
  }
}
