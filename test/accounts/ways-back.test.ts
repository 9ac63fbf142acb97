import bcrypt from 'bcryptjs'
import { expect, test } from 'vitest'
import { noPassword } from '../../accounts/account/account.ts'
import { type AccountItem, attributes } from '../../accounts/account/attributes.ts'
import { deliverMail } from '../../accounts/delivery/deliver-mail.ts'
import { bytesOfBase32 } from '../../accounts/factor/codes.ts'
import { wrongCodesInARow } from '../../accounts/factor/factor.ts'
import { identityKey } from '../../accounts/identity/identity.ts'
import { sealProviderToken } from '../../accounts/identity/provider-token.ts'
import { hashPassword } from '../../accounts/password/hash.ts'
import { toPassword } from '../../accounts/password/password.ts'
import { needsOf, rows } from '../../api/needs.ts'
import { functionNames } from '../../api/route-keys.ts'
import type { EndpointName } from '../../api/routes.ts'
import { readSettings } from '../../infra/settings/settings.ts'
import { inviteAccount } from '../../operations/users/invite-account.ts'
import { memberOf, readConfig, type SettingName, secondFactorRules } from '../../shared/base/config.ts'
import { accountKinds, families } from '../../shared/base/families.ts'
import { covering } from '../support/covering.ts'
import { providers } from '../support/providers.ts'
import { authenticator } from '../support/service/authenticator.ts'
import { send } from '../support/service/endpoints.ts'
import { createHarness } from '../support/service/harness.ts'
import type { Sent } from '../support/service/http.ts'
import { addPasskey } from '../support/service/passkeys.ts'
import { ada, appOf, find, newClient, openSession, protect, register } from '../support/service/people.ts'
import { leastCost, providerList } from '../support/stack/settings.ts'
import { unusual } from '../support/stack/unusual.ts'
import { variables } from '../support/stack/variables.ts'

/** In every state of an account and under all settings, its owner logs in, with one operator's command at most for each mishap. */

const harness = createHarness()
const { deps } = harness

const domain = 'example.com'

/** The settings that decide how people log in. */
const decisive = {
  SECOND_FACTOR: secondFactorRules,
  REQUIRE_EMAIL_VERIFICATION: ['false', 'true'],
  MAIL_FROM: ['no-reply@example.com', ''],
  PASSKEY_RP_ID: ['', domain],
  SIGN_IN_PROVIDERS: ['[]', providerList],
} as const satisfies { [S in SettingName]?: readonly string[] }

/** The settings without influence, each with an unusual value. */
const others = Object.fromEntries(
  functionNames
    .flatMap(name => needsOf(rows[name]).settings)
    .filter(name => !(name in decisive))
    .map(name => [name, unusual(name)]),
)

/** Possible states of an account, and of the counters in its way. */
const states = {
  password: ['known', 'of another system', 'forgotten', 'none', 'voided', 'invited', 'invitation over'],
  address: ['verified', 'unverified', 'to be verified by a reset', 'moving'],
  app: ['none', 'held', 'lost', 'lost with its codes', 'guessed at'],
  passkeys: ['none', 'held', 'lost', 'of another domain'],
  provider: ['none', 'held', 'lost', 'not listed'],
  link: ['none', 'asked for'],
  bar: ['none', 'locked', 'guesses', 'codes', 'mails'],
  rest: ['as it was opened', 'filled'],
} as const

const parameters = { ...decisive, others: ['usual', 'other'] as const, ...states }
type Kind = { [P in keyof typeof parameters]: (typeof parameters)[P][number] }

const isMailed = ({ MAIL_FROM }: Kind) => MAIL_FROM !== ''
const hasPasskey = ({ passkeys, PASSKEY_RP_ID }: Kind) => passkeys === 'held' && PASSKEY_RP_ID !== ''
const hasProvider = ({ provider, SIGN_IN_PROVIDERS }: Kind) => provider === 'held' && SIGN_IN_PROVIDERS !== '[]'
const knowsPassword = ({ password }: Kind) => password === 'known' || password === 'of another system'

/** Owners who cannot return alone: the necessary command, and the account after it. */
const helped: [command: string, whom: (kind: Kind) => boolean, after: Partial<Kind>][] = [
  ['unlock', ({ bar }) => bar === 'locked', { bar: 'none' }],
  // Not a command but a setting: without mails, an unknown password is lost.
  [
    'MAIL_FROM',
    kind => !isMailed(kind) && !knowsPassword(kind) && !hasProvider(kind),
    { MAIL_FROM: 'no-reply@example.com' },
  ],
  ['invite', ({ password }) => password === 'invitation over', { password: 'invited' }],
  [
    'verify',
    kind => !isMailed(kind) && kind.REQUIRE_EMAIL_VERIFICATION === 'true' && kind.address !== 'verified',
    { address: 'verified' },
  ],
  [
    'second-factor off',
    // A reset by mail enables the app's codes again.
    kind => !hasPasskey(kind) && (kind.app === 'lost with its codes' || (kind.app === 'guessed at' && !isMailed(kind))),
    { app: 'none' },
  ],
  [
    'passkeys off',
    kind =>
      kind.SECOND_FACTOR === 'required' && kind.app === 'none' && kind.passkeys === 'lost' && kind.PASSKEY_RP_ID !== '',
    { passkeys: 'none' },
  ],
]

/** The necessary commands. */
function commandsFor(kind: Kind): string[] {
  const [command, , after] = helped.find(([, whom]) => whom(kind)) ?? []
  return command === undefined ? [] : [command, ...commandsFor({ ...kind, ...after })]
}

/** States that an invited account cannot have, or that settings forbid. */
const settings = Object.keys(decisive) as (keyof typeof decisive)[]
const allowed = covering(decisive, [settings], () => true).filter(env => {
  try {
    return readSettings({ ...env, SITE_URL: `https://${domain}` })
  } catch {
    return false
  }
})
function isPossible(some: Partial<Kind>): boolean {
  const isInvited = some.password?.startsWith('invit')
  const isNew = ({ address = 'unverified', app = 'none', passkeys = 'none', provider = 'none' }) =>
    address === 'unverified' && [app, passkeys, provider].every(each => each === 'none')
  if (isInvited && !isNew(some)) return false
  return allowed.some(env => settings.every(name => some[name] === undefined || some[name] === env[name]))
}

/** Dimensions that decide together; of all others every pair occurs, and all settings. */
const together: (keyof Kind)[][] = [
  ['SECOND_FACTOR', 'app', 'passkeys'],
  ['PASSKEY_RP_ID', 'app', 'passkeys'],
  ['MAIL_FROM', 'REQUIRE_EMAIL_VERIFICATION', 'address'],
  ['MAIL_FROM', 'password', 'provider'],
]

/** The attributes that decide an account's state, and those that cannot: a new attribute belongs to one of the two. */
const deciding = [
  'id',
  'email',
  'password_hash',
  'former_password_hash',
  'invited_until',
  'is_verified',
  'reset_verifies',
  'email_verification_token',
  'email_verification_expires',
  'email_verification_requested_at',
  'email_verification_to',
  'password_reset_token',
  'password_reset_expires',
  'password_reset_requested_at',
  'totp_secret',
  'totp_last_step',
  'recovery_codes',
  'wrong_codes',
  'passkeys',
  'passkey_handle',
  'passkey_rp_id',
  'identities',
  'locked_at',
] as const satisfies (keyof AccountItem)[]
type Rest = Omit<Required<AccountItem>, (typeof deciding)[number]>

const hour = 3_600_000
const at = (time: number) => new Date(time).toISOString()
const post = (name: EndpointName, body: object | undefined, more: Sent = {}) =>
  send(harness, name, { ...(body && { body }), ...more })
const some = (state: string, attributes: Partial<AccountItem>) => (state === 'none' ? {} : attributes)

async function passwordsAt(now: number): Promise<Record<Kind['password'], Partial<AccountItem>>> {
  const known = await hashPassword(deps, ada.password)
  return {
    known: { password_hash: known },
    'of another system': { password_hash: await bcrypt.hash(ada.password, leastCost) },
    forgotten: { password_hash: await hashPassword(deps, toPassword('nobody knows')) },
    none: { password_hash: noPassword },
    voided: { password_hash: noPassword, former_password_hash: known },
    invited: { password_hash: noPassword, invited_until: at(now + 48 * hour) },
    'invitation over': { password_hash: noPassword, invited_until: at(now - 1) },
  }
}

/** An account with everything, its owner's things, and the counters of each obstacle. */
async function prepare() {
  Object.assign(harness.config, {
    passkeyRpId: domain,
    passkeyOrigins: [`https://${domain}`],
    secondFactor: 'required',
  })
  await register(harness)
  // More than every cap of mails.
  for (let n = 0; n < 5; n++) {
    harness.advance(1000)
    for (const name of ['resend-verification', 'forgot-password'] as const)
      await post(name, { email: ada.email }, { clientAddress: newClient() })
    await post('login', ada)
    await mailed('')
  }
  harness.config.secondFactor = 'optional'
  await harness.operator.verify(await find(harness), deps.now())
  const app = await protect(harness)
  const device = authenticator({ rpId: domain, origin: `https://${domain}` })
  await addPasskey(harness, { code: app.recoveryCodes[0] }, device)
  for (let n = 0; n < 10; n++) await openSession(harness)
  const full = (await harness.operator.find(ada.email)) as Required<AccountItem>
  for (let n = 0; n < 5; n++) await post('login', { ...ada, code: app.wrongCode() })
  for (let n = 0; n < 100; n++)
    await post('login', { ...ada, password: 'wrong' }, n < 10 ? {} : { clientAddress: `192.0.2.${Math.floor(n / 10)}` })
  const now = deps.now().getTime()
  return { full, app, device, counters: await harness.items('RateLimits'), now, passwords: await passwordsAt(now) }
}
type Prepared = Awaited<ReturnType<typeof prepare>>

const [provider] = providers as [(typeof providers)[number]]
const subject = 'ada'
/** The account as its state has it. */
function itemOf(kind: Kind, { full, now, passwords }: Prepared): AccountItem {
  const { id, email, token_version, created_at, updated_at } = full
  const time = { created_at, updated_at, token_version }
  const asked = { expires: at(now + hour), requested: at(now) }
  const moving = {
    email_verification_token: 'a'.repeat(64),
    email_verification_expires: asked.expires,
    email_verification_requested_at: asked.requested,
    email_verification_to: 'ada@example.org',
  }
  const addresses: Record<Kind['address'], Partial<AccountItem>> = {
    verified: { is_verified: true },
    unverified: { is_verified: false },
    'to be verified by a reset': { is_verified: false, reset_verifies: true },
    moving: { is_verified: false, ...moving },
  }
  const guessed = Array.from({ length: wrongCodesInARow }, (_, n) => String(n))
  const { totp_secret, totp_last_step, recovery_codes, passkeys, passkey_handle } = full
  const issuer = kind.provider === 'not listed' ? 'https://gone.example' : provider.issuer
  const identity = { issuer, subject, email, connected_at: at(now) }
  const filled: Rest = {
    ...time,
    name: 'Ada',
    language: 'de',
    language_before: 'en',
    language_until: at(now + hour),
    is_admin: true,
    roles: ['editor'],
    remembered_remotes: [{ hash: 'a'.repeat(43), at: at(now) }],
    sessions: full.sessions,
    changes: full.changes,
    changes_at: full.changes_at,
    password_reset_lists: new Set(Object.keys(full.changes)),
    totp_pending_secret: new Uint8Array(20),
    totp_pending_expires: at(now + hour),
    totp_pending_by_passkey: true,
    totp_used_by: 'mark',
    password_changed_by: 'mark',
    password_changed_at: at(now),
    recovery_code_used_by: 'mark',
    factor_changed_by: 'mark',
    passkey_removed_by: 'mark',
    passkey_used_by: 'mark',
    identity_changed_by: 'mark',
    email_verified_by: 'mark',
    logged_out_by: 'mark',
  }
  expect([...deciding, ...Object.keys(filled)].sort()).toEqual(Object.keys(attributes).sort())
  return {
    ...(kind.rest === 'filled' ? filled : { ...time, name: null, is_admin: false, sessions: {}, changes: {} }),
    ...{ id, email, password_hash: '', is_verified: false, passkeys: {}, identities: {} },
    ...passwords[kind.password],
    ...addresses[kind.address],
    ...some(kind.app, { totp_secret, totp_last_step }),
    ...some(kind.app, kind.app === 'guessed at' ? { wrong_codes: new Set(guessed) } : { recovery_codes }),
    ...some(kind.passkeys, {
      passkeys,
      passkey_handle,
      passkey_rp_id: kind.passkeys === 'of another domain' ? 'example.net' : domain,
    }),
    ...some(kind.provider, { identities: { [identityKey(issuer, subject)]: identity } }),
    ...some(kind.link, {
      password_reset_token: 'b'.repeat(64),
      password_reset_expires: asked.expires,
      password_reset_requested_at: asked.requested,
    }),
    ...(kind.bar === 'locked' && { locked_at: at(now) }),
  }
}

/** A snapshot of everything, to restore. */
interface Moment {
  accounts: Record<string, unknown>[]
  counters: Record<string, unknown>[]
  now: number
  password: string
}

/** The owner of an account of one kind, with the mailbox and everything not lost. */
class Owner {
  readonly #kind: Kind
  readonly #held: Prepared
  readonly #isCounted: boolean
  #password: string
  #id = ''
  #begun: Moment = { accounts: [], counters: [], now: 0, password: '' }

  constructor(kind: Kind, held: Prepared) {
    this.#kind = kind
    this.#isCounted = kind.others === 'other' || !['none', 'locked'].includes(kind.bar)
    this.#held = held
    this.#password = knowsPassword(kind) ? ada.password : 'a guess'
  }

  /** @param given earlier commands of operators */
  async begin(given: readonly string[]): Promise<void> {
    const { SIGN_IN_PROVIDERS, others: which, ...kind } = this.#kind
    const isListed = SIGN_IN_PROVIDERS !== '[]'
    const origins = { PASSKEY_ORIGINS: `https://${domain}` }
    const texts = { ...variables, ...origins, ...(which === 'other' && others) }
    const own = Object.fromEntries(
      settings.map(name => [name, name === 'SIGN_IN_PROVIDERS' ? (isListed ? 'on' : '') : kind[name]]),
    )
    Object.assign(harness.config, readConfig({ ...texts, ...own }), {
      bcryptCost: leastCost + Number(which === 'other'),
    })
    // Counting costs time, and says nothing where no counter is in the way.
    if (!this.#isCounted) harness.config.rateLimits = null
    harness.providers = isListed ? providers : []
    await harness.clear()
    const account = itemOf(this.#kind, this.#held)
    this.#id = account.id
    const { id, email } = account
    const entries = [
      `${accountKinds.Addresses}${email}`,
      ...Object.keys(account.identities).map(key => `${accountKinds.Identities}${key}`),
    ].map(key => ({ key, id }))
    const item = { key: `${accountKinds.Accounts}${id}`, ...account }
    const family = { guesses: families.Guesses, codes: families.Codes, mails: families.Mails, none: '-', locked: '-' }[
      kind.bar
    ]
    const counters = this.#held.counters.filter(({ key }) => String(key).startsWith(family))
    await this.goTo({ accounts: [item, ...entries], counters, now: this.#held.now, password: this.#password })
    for (const command of given) await commands[command]?.((await harness.operator.find(ada.email)) as AccountItem)
    this.#begun = await this.here()
  }

  async goTo({ accounts, counters, now, password }: Moment): Promise<void> {
    // Elsewhere no counter is in the way.
    if (this.#isCounted) {
      await harness.clear()
      for (const item of counters) await harness.putItem('RateLimits', item)
    }
    for (const item of accounts) await harness.putItem('Accounts', item)
    harness.advance(now - deps.now().getTime())
    harness.queue.length = 0
    this.#password = password
  }

  async here(): Promise<Moment> {
    const [accounts, counters] = [await harness.items('Accounts'), await harness.items('RateLimits')]
    return { accounts, counters, now: deps.now().getTime(), password: this.#password }
  }

  /** Tries each way to log in. @returns whether one ends with an access token */
  async logsIn(): Promise<boolean> {
    const { passkeys, provider: identity, app } = this.#kind
    const { device, app: authenticatorApp, full } = this.#held
    // So that the app shows a new code, within the limits of requests.
    harness.advance(61_000)
    if (passkeys === 'held') {
      const { body } = await post('passkey-login-options', undefined)
      const isDone = body.challenge && (await this.#opens(await post('passkey-login', { assertion: device.get(body) })))
      if (isDone) return true
    }
    const codes = {
      held: authenticatorApp.code(),
      'guessed at': authenticatorApp.code(),
      lost: authenticatorApp.recoveryCodes[1],
    }
    const code = app in codes ? codes[app as keyof typeof codes] : undefined
    if (identity === 'held') {
      const confirmed = {
        provider: provider.id,
        issuer: provider.issuer,
        subject,
        email: full.email,
        isEmailProven: true,
      }
      const listing = { ...deps, providers }
      const provider_token = await sealProviderToken(listing, { ...confirmed, name: null, authTime: null, claims: {} })
      if (await this.#enters('provider-login', { provider_token, code })) return true
    }
    return this.#enters('login', { email: ada.email, password: this.#password, code, session: {} })
  }

  /** Logs in, and sets up an app by a mailed link if required. */
  async #enters(name: 'login' | 'provider-login', proof: object): Promise<boolean> {
    const asked = await post(name, proof)
    if (asked.body.code !== 'second-factor-setup') return this.#opens(asked)
    const mail_token = await mailed('second-factor')
    const { body } = await post(name, { ...proof, mail_token })
    if (body.setup_token === undefined) return false
    const headers = { authorization: `Bearer ${body.setup_token}` }
    const typed = name === 'login' ? { password: this.#password } : {}
    const { secret } = (await post('set-up-second-factor', typed, { headers })).body
    const code = appOf(harness, bytesOfBase32(secret)).code()
    return this.#opens(await post('confirm-second-factor', { code }, { headers }))
  }

  /** Whether an issued access token opens the account. */
  async #opens({ body }: { body: { access_token?: string } }): Promise<boolean> {
    const headers = { authorization: `Bearer ${body.access_token}` }
    return body.access_token !== undefined && (await post('get-me', undefined, { headers })).body.id === this.#id
  }

  /** Further acts of an owner. @returns whether one had an effect */
  readonly requests: Record<string, () => Promise<boolean>> = {
    reset: async () => {
      await post('forgot-password', { email: ada.email })
      const token = await mailed('reset-password|invitation')
      const new_password = 'paper clip holder'
      if (token === null) return false
      const answers = [
        await post('reset-password', { token, new_password }),
        await post('accept-invitation', { token, new_password }),
      ]
      this.#password = new_password
      return answers.some(({ status }) => status === 200)
    },
    verify: async () => {
      await post('resend-verification', { email: ada.email })
      const token = await mailed('verify-email')
      return token !== null && (await post('verify-email', { token })).status === 200
    },
    wait: async () => {
      harness.advance(25 * hour)
      return true
    },
  }

  /** Searches breadth first. @returns whether the owner logs in after some requests */
  async search(): Promise<boolean> {
    if (await this.logsIn()) return true
    const nodes = [{ path: [] as string[], moment: this.#begun }]
    for (const { path, moment } of nodes) {
      for (const [name, request] of Object.entries(this.requests)) {
        // No act of owners makes them wait.
        if (path.includes(name) || (name === 'wait' && path.length > 0)) continue
        await this.goTo(moment)
        harness.advance(1000)
        if (!(await request())) continue
        nodes.push({ path: [...path, name], moment: await this.here() })
        if (await this.logsIn()) return true
      }
    }
    return false
  }
}

/** Mails the queue. @returns the token of the newest link to a page */
async function mailed(page: string): Promise<string | null> {
  harness.mails.length = 0
  for (const { message } of harness.queue.splice(0)) await deliverMail(deps, message, deps.now())
  const link = new RegExp(`/(?:${page})\\?token=([\\w-]{43})`)
  return harness.mails.flatMap(({ text }) => link.exec(text)?.[1] ?? []).at(-1) ?? null
}

/** Operators' commands. */
const commands: Record<string, (account: AccountItem) => Promise<unknown>> = {
  unlock: account => harness.operator.unlock(account, deps.now()),
  verify: account => harness.operator.verify(account, deps.now()),
  'second-factor off': account => harness.operator.removeFactor(account, deps.now()),
  'passkeys off': account => harness.operator.removePasskeys(account, deps.now()),
  invite: ({ email }) =>
    inviteAccount({ ...deps, table: harness.operator }, { email, name: null, roles: null, language: null }),
  MAIL_FROM: async () => Object.assign(harness.config, { mailFrom: 'no-reply@example.com' }),
}

test('every setting either decides who logs in, or is there with another value', () => {
  const known = [...settings, ...(Object.keys(others) as SettingName[])].map(memberOf).sort()
  expect(known).toEqual(Object.keys(harness.config).sort())
})

test('every owner logs in, alone or by the commands that are named', async () => {
  const held = await prepare()
  const names = Object.keys(parameters) as (keyof Kind)[]
  const pairs = names.flatMap((one, i) => names.slice(i + 1).map(other => [one, other]))
  const kinds = covering(parameters, [...pairs, settings, ...together], isPossible)
  const helpless = new Set(helped.map(([command]) => command))
  for (const kind of kinds) {
    const expected = commandsFor(kind)
    const after = async (given: readonly string[]) => {
      const owner = new Owner(kind, held)
      await owner.begin(given)
      return owner.search()
    }
    const found = await after(expected)
    // Each of them is necessary.
    const spared = []
    for (const command of expected) if (await after(expected.filter(each => each !== command))) spared.push(command)
    expect({ found, spared }, JSON.stringify(kind)).toEqual({ found: true, spared: [] })
    for (const command of expected) helpless.delete(command)
  }
  expect([...helpless]).toEqual([])
})
