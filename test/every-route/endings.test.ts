import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import type { Account } from '../../accounts/account/account.ts'
import * as confirmation from '../../accounts/address/confirmation.ts'
import { undoToken } from '../../accounts/address/undo.ts'
import { toChangeItem } from '../../accounts/change/change.ts'
import { changeOf } from '../../accounts/change/changes.ts'
import { deliverMail } from '../../accounts/delivery/deliver-mail.ts'
import { codeLimit } from '../../accounts/factor/code-limits.ts'
import { hashRecoveryCode } from '../../accounts/factor/codes.ts'
import { sealProviderToken } from '../../accounts/identity/provider-token.ts'
import { isLink, links, MailMessage, type NoticeMessage } from '../../accounts/mail/queue.ts'
import { drawChallenge } from '../../accounts/passkey/challenge.ts'
import { proofPurposes } from '../../accounts/passkey/shapes.ts'
import { grace } from '../../accounts/session/rotation.ts'
import { authenticateForSetup } from '../../accounts/token/authentication.ts'
import { drawToken, hashToken } from '../../accounts/token/token.ts'
import { needsOf, rows } from '../../api/needs.ts'
import { memberExamples } from '../../api/openapi/meanings.ts'
import { functionNames } from '../../api/route-keys.ts'
import { type EndpointName, type Route, routes } from '../../api/routes.ts'
import { AccountChanges } from '../../operations/users/account-changes.ts'
import { moveAccount } from '../../operations/users/move-account.ts'
import { AccountTable } from '../../operations/users/table.ts'
import { memberOf, readConfig, type SettingName } from '../../shared/base/config.ts'
import { asserted, goodBody, type HeldSession, sessionOf } from '../support/api/requests.ts'
import { endpointNames, membersOf, requestLine } from '../support/api/rows.ts'
import { shopQuery } from '../support/clients.ts'
import { sentWith, stayLoggedIn } from '../support/service/applications.ts'
import { authenticator } from '../support/service/authenticator.ts'
import { bearer, send } from '../support/service/endpoints.ts'
import { allScopes, codeForm, enterShop, sentForm } from '../support/service/grants.ts'
import { createHarness } from '../support/service/harness.ts'
import { devices, type Guard, type Holdings, openHoldings } from '../support/service/holdings.ts'
import type { Received, Sent } from '../support/service/http.ts'
import {
  ada,
  appOf,
  find,
  home,
  invite,
  openSession,
  register,
  requestMove,
  requestToken,
  setUp,
} from '../support/service/people.ts'
import { proven } from '../support/service/proven.ts'
import { unusual } from '../support/stack/unusual.ts'
import { variables } from '../support/stack/variables.ts'

/** Each act × all that opens the account: what it ends; and each notice × the mailboxes that hear it, with a move before or after. */

const harness = createHarness()
const { deps } = harness
const usual = { ...harness.config }
const isTaken = ({ status }: Received): boolean => status === 200
const other = 'countess@example.org'
const bob = 'bob@example.com'

/** The owner of everything, who acts. */
interface Owner extends Holdings {
  guard: Guard
  email: string
  headers: Record<string, string>
  session: HeldSession
  links: { reset: string; 'email-change': string; undo: string }
  secret: Uint8Array | undefined
  providerToken: string
}

async function begin(guard: Guard): Promise<Owner> {
  await harness.clear()
  Object.assign(harness, { providers: [] })
  Object.assign(harness.config, usual)
  const world = await openHoldings(harness, guard)
  harness.advance(1000)
  const headers = { authorization: `Bearer ${world.own.token}` }
  const { factor } = await find(harness)
  const session = sessionOf(world.own.refresh?.token)
  const links = await mailLinks(ada.email)
  const providerToken = await sealProviderToken(deps, world.confirmed)
  return { ...world, guard, email: ada.email, headers, session, links, secret: factor?.secret, providerToken }
}

/** A link of each kind that the owner of a verified address holds. */
async function mailLinks(email: string): Promise<Owner['links']> {
  const account = await find(harness, email)
  const token = drawToken(deps)
  const change = changeOf(account, { kind: 'passkey', hash: hashToken(token), hasLink: true }, deps.now())
  const items = Object.fromEntries([...account.changes, change].map(each => [each.hash, toChangeItem(each)]))
  await harness.setAttributes(account.id, { changes: items, changes_at: change.at.toISOString() })
  harness.advance(1000)
  const reset = await requestToken(harness, 'reset', email)
  const move = await requestMove(harness, 'new@example.net', email)
  return { reset, 'email-change': move, undo: undoToken(token, account.id) }
}

const present = (id: string): Promise<Account | null> => deps.accounts.find(id)
const bearing = (token = '') => ({ headers: { authorization: `Bearer ${token}` } })
const works = async (token: string | undefined) => isTaken(await send(harness, 'get-me', bearing(token)))
const refresh = async (token = '') => isTaken(await send(harness, 'refresh', { body: { refresh_token: token } }))
const formOf = (refresh_token = '') => sentForm({ grant_type: 'refresh_token', client_id: 'shop', refresh_token })
const renew = async (token: string | undefined) => isTaken(await send(harness, 'token', formOf(token)))
const goOn = (cookie: string) =>
  send(harness, 'authorize-session', { ...sentWith(cookie), body: { request: shopQuery() } })

const tokens = {
  'own token': ({ headers }) => send(harness, 'get-me', { headers }).then(isTaken),
  'other token': ({ other }) => works(other.token),
  'token without a session': ({ lone }) => works(lone),
  'application’s token': ({ shop }) => works(shop.accessToken),
  'setup token': ({ setupToken }) =>
    authenticateForSetup(deps, setupToken).then(
      () => true,
      () => false,
    ),
} satisfies Record<string, Probe>
const sessions = {
  'own session': ({ session }) => refresh(session.refreshToken),
  'other session': ({ other }) => refresh(other.refresh?.token),
  'tab’s session': ({ tab }) => refresh(tab.refresh?.token),
  'browser’s session': ({ cookie }) => goOn(cookie).then(isTaken),
  'application’s session': ({ shop }) => renew(shop.refreshToken),
  'session through the browser': ({ through }) => renew(through.refreshToken),
  code: ({ code }) => send(harness, 'token', sentForm(codeForm(code))).then(isTaken),
} satisfies Record<string, Probe>
type Probe = (owner: Owner) => Promise<boolean>
/** Whether a login asks for nothing more than a code. */
const isRight = ({ status, body }: Received) => status === 200 || /^second-factor-(required|setup)$/.test(body.code)

/** What opens the account without its mailbox, and whether it still does. The last ones change the account. */
const ways = {
  ...tokens,
  ...sessions,
  password: async ({ account }) => {
    const body = { email: (await present(account))?.email ?? ada.email, password: ada.password }
    return isRight(await send(harness, 'login', { body }))
  },
  app: async ({ account, secret }) => {
    const { factor } = (await present(account)) ?? {}
    return secret !== undefined && factor != null && Buffer.from(factor.secret).equals(secret)
  },
  'recovery code': async ({ account, recoveryCode = '' }) =>
    (await present(account))?.factor?.recoveryCodes.includes(hashRecoveryCode(recoveryCode)) === true,
  passkey: async owner => {
    const body = { assertion: await assertionFor('passkey-login', owner) }
    return isTaken(await send(harness, 'passkey-login', { body }))
  },
  provider: async ({ account, confirmed, providerToken }) => {
    const isListed = harness.providers.length > 0
    const provider_token = isListed ? await sealProviderToken(deps, confirmed) : providerToken
    const answer = await send(harness, 'provider-login', { body: { provider_token } })
    // Without its identity it opens another account.
    return isRight(answer) && (!isTaken(answer) || decodeJwt(answer.body.access_token).sub === account)
  },
} satisfies Record<string, Probe>
const mailed = {
  'reset link': ({ links: { reset: token } }) => send(harness, 'list-reset-logins', { body: { token } }).then(isTaken),
  'link to a new address': async ({ links }) => {
    const body = { token: links['email-change'], password: 'wrong' }
    return (await send(harness, 'confirm-email-change', { body })).body.code === 'wrong-password'
  },
  'undo link': ({ links: { undo: token } }) => send(harness, 'undo', { body: { token } }).then(isTaken),
} satisfies Record<string, Probe>
type Thing = keyof typeof ways | keyof typeof mailed

async function assertionFor(name: EndpointName, { guard, account }: Owner) {
  const purpose = proofPurposes.find(each => requestLine(name).path === `/auth/${each}`)
  return devices[guard].get({ challenge: await drawChallenge(deps, purpose ?? 'login', purpose ? account : null) })
}

/** A request of the owner, by a passkey where it can take the place of the password: that spends no code. */
async function request(name: EndpointName, owner: Owner, more: object = {}): Promise<Received> {
  const { form, access, ownPages, takesPasskey, scopes, goal }: Route = routes[name]
  if (form === 'RevocationRequest')
    return send(harness, name, sentForm({ token: owner.shop.refreshToken ?? '', client_id: 'shop' }))
  if (form) return send(harness, name, sentForm(codeForm(owner.code)))
  const ofBearer = scopes?.includes('openid') ? bearing(owner.shop.accessToken).headers : owner.headers
  const code = name === 'confirm-second-factor' ? (await setUp(harness, owner.email)).code() : owner.appCode
  const provider_token = await sealProviderToken(deps, owner.confirmed)
  const handle = (await present(owner.account))?.passkeyHandle ?? 'none'
  const good = await goodBody(name, {
    ...{ ...ada, email: owner.email },
    newEmail: bob,
    async token(kind) {
      if (kind === 'verification') return (await register(harness, { ...ada, email: bob })).token
      return kind === 'invitation' ? invite(harness, { email: bob }) : owner.links[kind]
    },
    session: () => owner.session,
    request: () => shopQuery(),
    providerToken: () => provider_token,
    ...(goal === 'passkeys' && { passkey: owner.passkey ?? 'none' }),
    ...(name === 'disconnect-provider' && { identity: owner.identity }),
    ...(code !== undefined && { code }),
  })
  const { mail_token: _, ...body } = { ...good, ...more } as Record<string, unknown>
  if (name === 'confirm-passkey') {
    const challenge = await drawChallenge(deps, 'passkeys/confirm', owner.account)
    body.credential = authenticator().create({ challenge, user: { id: handle } })
  }
  const isByPasskey = name === 'passkey-login' || (takesPasskey && access === 'bearer' && name !== 'confirm-passkey')
  const typed = isByPasskey && owner.passkey ? asserted(body, await assertionFor(name, owner)) : body
  const sent: Sent = ownPages ? sentWith(owner.cookie) : {}
  const headers = { ...(access === 'bearer' && ofBearer), ...sent.headers }
  return send(harness, name, { ...sent, headers, ...(good && { body: typed }) })
}

/** Moves an account, as its owner does, or an operator. */
const movers = {
  async owner(email: string, to: string) {
    harness.advance(1000)
    const token = await requestMove(harness, to, email)
    await confirmation.confirmEmailChange(deps, account => proven(deps, account), home, token)
  },
  async operator(email: string, to: string) {
    await moveAccount(deps, await find(harness, email), to)
  },
}

interface Act {
  guard?: Guard
  /** @returns the answer to the last request, if it must succeed */
  act(owner: Owner): Promise<unknown>
}

/** The members of bodies that are on or off. */
const switches = Object.keys(memberExamples).filter(member => typeof memberExamples[member as 'others'] === 'boolean')
const requests = endpointNames.flatMap((name): [string, Act][] => [
  [name, { act: owner => request(name, owner) }],
  ...switches
    .filter(member => membersOf(name).includes(member))
    .map((member): [string, Act] => [`${name}, ${member}`, { act: owner => request(name, owner, { [member]: true }) }]),
])

const refreshTokens: Record<string, (owner: Owner) => string | undefined> = {
  'own session': ({ session }) => session.refreshToken,
  'other session': ({ other }) => other.refresh?.token,
  'tab’s session': ({ tab }) => tab.refresh?.token,
  'browser’s session': ({ cookie }) => cookie,
  'application’s session': ({ shop }) => shop.refreshToken,
  'session through the browser': ({ through }) => through.refreshToken,
}

/** Uses a token, the one that follows, and the first again. @param use returns the next token */
async function replay(first: string | undefined, use: (token: string) => Promise<string | undefined>): Promise<void> {
  let token = first
  for (let n = 0; n < 2; n++) {
    harness.advance(grace)
    token = await use(token ?? '')
  }
  harness.advance(grace)
  expect(await use(first ?? '')).toBeUndefined()
}

/** Settings, each with another value. Lists lose what the owner uses. */
const values: { [S in SettingName]?: () => string } = {
  MAIL_FROM: () => '',
  PASSKEY_ORIGINS: () => 'https://elsewhere.example',
  PASSKEY_RP_ID: () => 'elsewhere.example',
  REQUIRE_EMAIL_VERIFICATION: () => 'true',
  SECOND_FACTOR: () => 'required',
  SESSION_DAYS: () => '0',
  SSO: () => 'off',
  TOKENS_NOT_BEFORE: () => deps.now().toISOString(),
}
const settings = [...new Set(functionNames.flatMap(name => needsOf(rows[name]).settings))]
const setting = (name: SettingName, guard: Guard): Act => ({
  guard,
  async act() {
    harness.advance(1000)
    if (name === 'SIGN_IN_PROVIDERS') harness.providers = []
    if (name === 'OIDC_CLIENTS') deps.clients = []
    const member = memberOf(name)
    const read = readConfig({ ...variables, [name]: (values[name] ?? (() => unusual(name)))() })
    Object.assign(harness.config, { [member]: read[member] })
    harness.advance(1000)
  },
})
const special: Record<string, Act> = {
  ...Object.fromEntries(
    Object.entries(refreshTokens).map(([thing, tokenOf]) => [
      `end-session of the ${thing}`,
      { act: owner => request('end-session', owner, { id: sessionOf(tokenOf(owner)).id }) } satisfies Act,
    ]),
  ),
  'refresh, replayed': {
    act: ({ session }) =>
      replay(session.refreshToken, async refresh_token => {
        return (await send(harness, 'refresh', { body: { refresh_token } })).body.refresh_token
      }),
  },
  'token, replayed': {
    act: ({ shop }) =>
      replay(shop.refreshToken, async token => (await send(harness, 'token', formOf(token))).body.refresh_token),
  },
  'authorize-session, replayed': {
    act: ({ cookie }) =>
      replay(cookie, async token => /=(ghr2[^;]+)/.exec(String((await goOn(token)).cookies ?? ''))?.[1]),
  },
  'login by a recovery code': { act: owner => request('login', owner, { code: owner.recoveryCode }) },
  'login by wrong codes': {
    async act(owner) {
      for (let n = 0; n < codeLimit.limit; n++) await request('login', owner, { code: 'wrong' })
    },
  },
  'provider-login, connecting': {
    async act(owner) {
      const provider_token = await sealProviderToken(deps, { ...owner.confirmed, subject: 'another' })
      return request('provider-login', owner, { provider_token, email: owner.email, password: ada.password })
    },
  },
  'SECOND_FACTOR without a factor': setting('SECOND_FACTOR', 'nothing'),
  'confirm-second-factor without an app': { guard: 'nothing', act: owner => request('confirm-second-factor', owner) },
  'undo of a move': {
    guard: 'nothing',
    async act(owner) {
      await movers.owner(owner.email, 'third@example.org')
      const [told] = harness.queue.splice(0).filter(({ message }) => message.kind === 'email-changed')
      const links = { ...owner.links, undo: undoToken(told?.message.token ?? '', owner.account) }
      return request('undo', { ...owner, links })
    },
  },
}

/** The methods of operators’ commands that write to an account which is there and open. */
const reads = /^(?:constructor|find.*|pages|passedTime|add|changeInvitation)$/
const operators = [AccountChanges, AccountTable].flatMap(({ prototype }) =>
  Object.getOwnPropertyNames(prototype).filter(name => !reads.test(name)),
)
type Item = NonNullable<Awaited<ReturnType<typeof harness.operator.find>>>
const commands: Record<string, (item: Item) => Promise<unknown>> = {
  move: ({ email }) => movers.operator(email, 'third@example.org'),
  remove: item => harness.operator.remove(item),
  setAdmin: item => harness.operator.setAdmin(item, true, deps.now()),
  setLanguage: item => harness.operator.setLanguage(item, 'de', deps.now()),
  async setRoles(item) {
    await harness.operator.setRoles(item, ['editor'], deps.now())
    return harness.operator.setRoles({ ...item, roles: ['editor'] }, [], deps.now())
  },
}
const operated = operators.map((name): [string, Act] => {
  const usually = (item: Item) => harness.operator[name as 'lock'](item, deps.now())
  const act = async ({ email }: Owner) => {
    const item = await harness.operator.find(email)
    expect(item && (await (commands[name] ?? usually)(item))).not.toBe(false)
  }
  return [`users: ${name}`, { act }]
})

const set = settings.map((name): [string, Act] => [name, setting(name, 'an app')])

const acts: [string, Act][] = [...requests, ...Object.entries(special), ...operated, ...set]
/** Acts whose law of links, `link.test.ts`, says what becomes of each. */
const linked = new Set([...requests, ...operated].map(([name]) => name))

const allTokens = Object.keys(tokens) as Thing[]
const signedOut = [...allTokens, ...(Object.keys(sessions) as Thing[])]
const app = ['app', 'recovery code'] as const
const ofShop = ['application’s token', 'application’s session'] as const
const ofBrowser = ['browser’s session', 'session through the browser'] as const
const ofOwn = ['own token', 'own session'] as const
const all = Object.keys(ways) as Thing[]
const but = (...left: readonly Thing[]) => all.filter(thing => !left.includes(thing))
type Kind = NoticeMessage['kind']

/** What each act ends, and the notices that tell of it; all others end nothing, and tell nobody. */
const expected: Record<string, readonly [ends: readonly Thing[], ...tells: Kind[]]> = {
  logout: [ofOwn],
  'logout-everywhere': [signedOut],
  'logout-browser': [['browser’s session']],
  'logout-browser, confirmed': [['browser’s session']],
  revoke: [ofShop],
  'end-session': [ofOwn],
  // Its answer has no token: the refresh token of the caller stays, and so does a copy of it, until rotation finds that out.
  'end-session, others': [signedOut.filter(thing => thing !== 'own session')],
  'end-session of the own session': [ofOwn],
  'end-session of the other session': [['other token', 'other session']],
  'end-session of the tab’s session': [['tab’s session']],
  'end-session of the browser’s session': [ofBrowser],
  'end-session of the application’s session': [ofShop],
  'end-session of the session through the browser': [['session through the browser']],
  // A minute passes: the code is over.
  'refresh, replayed': [[...ofOwn, 'code'], 'session-reused'],
  'token, replayed': [[...ofShop, 'code'], 'session-reused'],
  'authorize-session, replayed': [[...ofBrowser, 'code'], 'session-reused'],
  authorize: [['browser’s session']],
  'authorize, stay': [['browser’s session']],
  token: [['code']],
  'login by a recovery code': [['recovery code'], 'recovery-code-used'],
  'login by wrong codes': [[], 'password-known'],
  'reset-password': [but(...app), 'password-changed'],
  'reset-password, keep_other_logins': [[...signedOut, 'password'], 'password-changed'],
  'change-password': [[...signedOut, 'password'], 'password-changed'],
  'accept-invitation': [[], 'invitation-accepted'],
  'confirm-second-factor': [[...signedOut, ...app], 'factor-replaced'],
  'confirm-second-factor without an app': [signedOut, 'factor-set-up'],
  'renew-recovery-codes': [['recovery code']],
  'remove-second-factor': [[...signedOut, ...app], 'factor-removed'],
  'confirm-passkey': [[], 'passkey-added'],
  'remove-passkey': [[...signedOut, 'passkey'], 'passkey-removed'],
  'provider-login, connecting': [[], 'provider-connected'],
  'disconnect-provider': [[...signedOut, 'provider'], 'provider-disconnected'],
  'delete-account': [all, 'account-deleted'],
  'confirm-email-change': [signedOut, 'email-changed'],
  undo: [but(...app)],
  // Links of earlier changes keep working.
  'undo of a move': [[...all, 'reset link', 'link to a new address'], 'change-undone'],
  'users: lock': [[...signedOut, 'password', 'passkey', 'provider']],
  'users: signOut': [signedOut],
  'users: setAdmin': [signedOut],
  'users: setRoles': [signedOut],
  'users: removeFactor': [[...signedOut, ...app]],
  'users: removePasskeys': [[...signedOut, 'passkey']],
  'users: disconnect': [[...signedOut, 'provider']],
  'users: revoke': [but(...app)],
  'users: remove': [all],
  'users: move': [all, 'moved-by-operator'],
  ISSUER: [allTokens],
  TOKEN_AUDIENCE: [allTokens],
  TOKENS_NOT_BEFORE: [signedOut],
  // An application's access token lasts until its end.
  OIDC_CLIENTS: [[...ofBrowser, 'application’s session', 'code']],
  PASSKEY_ORIGINS: [['passkey']],
  PASSKEY_RP_ID: [['passkey']],
  'SECOND_FACTOR without a factor': [signedOut.filter(thing => thing !== 'setup token')],
  SESSION_DAYS: [signedOut.filter(thing => !['token without a session', 'setup token', 'code'].includes(thing))],
  SIGN_IN_PROVIDERS: [['provider']],
  SSO: [['browser’s session']],
}

/** Former mailboxes that hear of what happens after a move, beside the account's own. @param age of the move, in milliseconds */
const former: { [K in Kind]?: (age: number) => string[] } = {
  // That of an undo link.
  'account-deleted': age => (age === 0 ? [ada.email] : []),
}

/** Delivers what was queued. @returns its notices, with their mailboxes; null: none got it */
async function deliver(messages: typeof harness.queue): Promise<[Kind, string | null][]> {
  const found: [Kind, string | null][] = []
  for (const { message } of messages) {
    harness.mails.length = 0
    await deliverMail(deps, message, deps.now())
    if (!isLink(message)) found.push([message.kind, harness.mails[0]?.to ?? null])
  }
  return found
}

const { clients } = deps
async function start(guard: Guard): Promise<Owner> {
  deps.clients = clients
  const owner = await begin(guard)
  harness.queue.length = 0
  return owner
}

/** Acts, and expects success. @returns the queue's messages */
async function run({ act }: Act, owner: Owner) {
  const answer = (await act(owner)) as Received | undefined
  if (answer) expect(answer.status, answer.text).toBeLessThan(300)
  return harness.queue.splice(0)
}
const missing: Record<Guard, readonly Thing[]> = { 'an app': [], 'passkeys alone': app, nothing: [...app, 'passkey'] }

describe.each(acts)('%s', (name, what) => {
  const { guard = 'an app' } = what
  const [ends, ...tells] = expected[name] ?? [[]]

  async function expectEnds(owner: Owner): Promise<void> {
    const things: Record<string, Probe> = linked.has(name) ? ways : { ...ways, ...mailed }
    const ended = []
    for (const [thing, isAlive] of Object.entries(things)) if (!(await isAlive(owner))) ended.push(thing)
    const due = [...ends, ...missing[guard]] as string[]
    expect(ended).toEqual(Object.keys(things).filter(thing => due.includes(thing)))
  }

  test('ends what the table says', async () => {
    const owner = await start(guard)
    const told = await deliver(await run(what, owner))
    if (tells.length === 0) expect(told).toEqual([])
    await expectEnds(owner)
  })
  if (tells.length === 0) return
  const to = (...mailboxes: string[]) => tells.flatMap(kind => mailboxes.map(mailbox => [kind, mailbox]))
  const own = name === 'accept-invitation' ? bob : name === 'undo of a move' ? 'third@example.org' : ada.email

  test.each([null, 'owner', 'operator'] as const)(
    'tells the mailbox of that time, after a move of its %s',
    async mover => {
      const owner = await start(guard)
      const messages = await run(what, owner)
      const [{ message } = { message: null }] = messages
      const account = message && 'account_id' in message ? await present(message.account_id) : null
      if (account && mover) await movers[mover](account.email, 'fourth@example.org')
      expect(await deliver(messages)).toEqual(to(own))
    },
  )

  // Its link is in a mail.
  if (name !== 'undo of a move')
    test('ends the same without mails, and tells nobody', async () => {
      const owner = await start(guard)
      harness.config.mailFrom = null
      expect(await deliver(await run(what, owner))).toEqual([])
      await expectEnds(owner)
    })

  test.each([0, 8 * 24 * 3_600_000])('tells the mailbox of an account that moved %s ms before', async age => {
    const owner = await start(guard)
    await movers.owner(ada.email, other)
    harness.advance(age)
    const moved = await afterMove(owner)
    harness.queue.length = 0
    const messages = await run(what, moved)
    const others = tells.flatMap(kind => former[kind]?.(age) ?? [])
    expect(await deliver(messages)).toEqual(to(own === ada.email ? other : own, ...others))
  })
})

test('every notice is told by an act', () => {
  const kinds = MailMessage.options.map(({ entries }) => entries.kind.literal)
  const told = Object.values(expected).flatMap(([, ...kinds]) => kinds)
  expect([...new Set(told)].sort()).toEqual(kinds.filter(kind => !(kind in links)).sort())
  expect(Object.keys(expected).filter(name => !acts.some(([each]) => each === name))).toEqual([])
})

/** The owner of an account that has moved, logged in again. */
async function afterMove(owner: Owner): Promise<Owner> {
  const { browser } = await stayLoggedIn(harness, other)
  const { account, secret } = owner
  return {
    ...owner,
    email: other,
    headers: await bearer(harness, other),
    session: await openSession(harness, other),
    cookie: browser.token ?? '',
    shop: await enterShop(harness, allScopes, other),
    appCode: secret && appOf(harness, await deps.factorKey.decrypt(account, secret)).code(),
    links: await mailLinks(other),
  }
}
