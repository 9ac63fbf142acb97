import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deliverMail } from '../../accounts/delivery/deliver-mail.ts'
import { bytesOfBase32 } from '../../accounts/factor/codes.ts'
import { type EndpointName, type Route, routes } from '../../api/routes.ts'
import { endpointNames, requestLine } from '../support/api/rows.ts'
import { shopQuery } from '../support/clients.ts'
import { sentWith } from '../support/service/applications.ts'
import { type Authenticator, authenticator } from '../support/service/authenticator.ts'
import { send } from '../support/service/endpoints.ts'
import { allScopes, codeForm, sentForm } from '../support/service/grants.ts'
import { createHarness } from '../support/service/harness.ts'
import { addPasskey, allowPasskeys } from '../support/service/passkeys.ts'
import { ada, appOf, find, protect, register } from '../support/service/people.ts'
import { claimsIn, verify, withProvider } from '../support/service/provider-logins.ts'

/** The abilities of a thief of one thing, and the owner's way back: each cell of the table in docs/security.md. */

const harness = createHarness()
const { deps } = harness
const provider = withProvider(harness)

const settings = ['off', 'optional', 'required'] as const
const flags = [false, true]

interface Owner {
  setting: (typeof settings)[number]
  app: boolean
  passkey: boolean
  /** `alone`: it opened the account, which has no password. */
  provider: 'none' | 'connected' | 'alone'
}
const owners = settings.flatMap((setting): Owner[] => [
  ...flags.flatMap(app =>
    flags.flatMap(passkey => (['none', 'connected'] as const).map(provider => ({ setting, app, passkey, provider }))),
  ),
  { setting, app: false, passkey: false, provider: 'alone' },
])

/** The table's column for an owner: a provider makes no difference. */
function guardOf({ setting, app, passkey }: Owner): string {
  if (app) return 'with an app'
  if (setting !== 'required') return `\`${setting}\`, no app`
  return passkey ? '`required`, passkeys alone' : '`required`, neither'
}

const things = [
  'the password',
  'an access token',
  'a session',
  'a browser’s cookie',
  'the mailbox',
  'the authenticator app',
  'a passkey’s phone, locked',
  'a passkey’s phone, with its PIN',
  'the account at a provider',
] as const
type Thing = (typeof things)[number]

const isThere: Partial<Record<Thing, (owner: Owner) => boolean>> = {
  'the password': owner => owner.provider !== 'alone',
  'the authenticator app': owner => owner.app,
  'a passkey’s phone, locked': owner => owner.passkey,
  'a passkey’s phone, with its PIN': owner => owner.passkey,
  'the account at a provider': owner => owner.provider !== 'none',
}

/** The abilities of somebody logged in and proven, in the order of the table's words. */
const abilities = ['logs in', 'reads', 'adds a passkey', 'sets up an app', 'connects', 'disconnects']

const eve = { sub: 'eve', email: 'eve@example.com' }

type Headers = { authorization: string }
const headersOf = (token: string): Headers => ({ authorization: `Bearer ${token}` })
const post = (name: EndpointName, body: object | undefined, headers: Record<string, string> = {}) =>
  send(harness, name, { ...(body && { body }), headers })

/** @param verified whether the device verifies its user */
const logInBy = async (device: Authenticator, verified = true, login: object = { session: {} }) => {
  const { body } = await post('passkey-login-options', undefined)
  return post('passkey-login', { assertion: device.get(body, { flags: { verified } }), ...login })
}

/** Whether somebody marked a mail as spam: SES then accepts mails to the mailbox, and sends none. */
let isSilenced = false

/** Mails the queue. @returns the tokens of the links to a page, newest first */
async function mailed(page: string): Promise<string[]> {
  const { length } = harness.mails
  for (const { message } of harness.queue.splice(0)) await deliverMail(deps, message, deps.now())
  if (isSilenced) harness.mails.length = length
  const link = new RegExp(`/${page}\\?token=([\\w-]+)`)
  return harness.mails.flatMap(({ to, text }) => (to === ada.email && link.exec(text)?.[1]) || []).reverse()
}

/** Requests a reset link, and chooses a password with it. */
async function reset(new_password: string): Promise<void> {
  harness.advance(1000)
  await post('forgot-password', { email: ada.email })
  const [token] = await mailed('reset-password')
  expect((await post('reset-password', { token, new_password })).status).toBe(200)
}

/** The account of an active owner. */
async function live(owner: Owner) {
  allowPasskeys(harness)
  harness.config.rateLimits = null
  if (owner.provider === 'alone') await provider.logIn()
  else {
    await register(harness)
    await verify(harness)
  }
  if (owner.provider === 'connected') expect((await provider.connect()).status).toBe(200)
  const device = owner.passkey ? (await addPasskey(harness)).device : null
  const app = owner.app ? await protect(harness) : null
  // Past the caps of mails.
  await mailed('')
  harness.mails.length = 0
  harness.advance(2 * 3_600_000)
  const codes = [...(app?.recoveryCodes ?? [])]
  /** @param login members of a login's body */
  const logIn = async (name: EndpointName, login: object) => {
    if (owner.provider === 'alone' && name === 'login') return provider.logIn({}, login)
    if (device && name === 'login') return logInBy(device, true, login)
    const options = device && (await post('passkey-login-options', undefined)).body
    const alone = owner.provider === 'alone' && provider.proof()
    const proof = options ? { assertion: device?.get(options) } : alone || { ...ada, code: codes.pop() }
    return send(harness, name, { ...sentWith(null), body: { ...proof, ...login } })
  }
  // An owner without a required factor logged in before it was required.
  if (device || app) harness.config.secondFactor = owner.setting
  const withSession = await logIn('login', { session: {} })
  const withNone = await logIn('login', {})
  const { cookies = [] } = await logIn('authorize', { request: shopQuery(), stay: true })
  harness.config.secondFactor = owner.setting
  const [, cookie = ''] = /=([^;]+)/.exec(String(cookies)) ?? []
  expect([withSession.status, withNone.status, cookie]).toEqual([200, 200, expect.stringMatching(/^ghr2\./)])
  return {
    device,
    app,
    codes,
    refreshToken: withSession.body.refresh_token,
    accessToken: withNone.body.access_token,
    cookie,
  }
}
type Life = Awaited<ReturnType<typeof live>>

/** A thief's loot. */
interface Loot {
  headers: Headers
  refreshToken: string
  passkey: Authenticator | null
}

type Answer = Awaited<ReturnType<typeof post>>

/** A thief of the mailbox logs in with the new password. @returns the answer, and recovery codes of a required app */
async function enter(password: string): Promise<[Answer, string[]?]> {
  const login = { email: ada.email, password, session: {} }
  const answer = await post('login', login)
  if (answer.body.code !== 'second-factor-setup') return [answer]
  const [mail_token] = await mailed('second-factor')
  const headers = headersOf((await post('login', { ...login, mail_token })).body.setup_token)
  const { body } = await post('set-up-second-factor', { password }, headers)
  const code = appOf(harness, bytesOfBase32(body.secret)).code()
  const confirmed = await post('confirm-second-factor', { code }, headers)
  return [confirmed, confirmed.body.recovery_codes]
}

/** Continues to the shop, which stays logged in. @returns its tokens, or the refusal */
async function goOn(cookie: string): Promise<Answer> {
  const request = shopQuery({ scope: allScopes.join(' ') })
  const answer = await send(harness, 'authorize-session', { ...sentWith(cookie), body: { request } })
  if (answer.status !== 200) return answer
  return send(harness, 'token', sentForm(codeForm(new URL(answer.body.location).searchParams.get('code') ?? '')))
}

/** Begins with a stolen thing. @returns the abilities so far, and the thief's loot and proofs */
async function enterBy(thing: Thing, life: Life) {
  const can: string[] = []
  const loot: Loot = { headers: headersOf('none'), refreshToken: 'none', passkey: null }
  const device = thing === 'a passkey’s phone, with its PIN' ? life.device : null
  let password = thing === 'the password' ? ada.password : 'a guess'
  let codes: string[] | undefined
  /** @param ability from a successful answer */
  const take = ({ status, body }: Answer, ability?: string): boolean => {
    if (status !== 200) return false
    if (ability) can.push(ability)
    if (body.access_token) loot.headers = headersOf(body.access_token)
    if (body.refresh_token) loot.refreshToken = body.refresh_token
    return true
  }

  const begin: Record<Thing, () => Promise<unknown>> = {
    'the password': async () => take(await post('login', { ...ada, session: {} }), 'logs in'),
    'an access token': async () => Object.assign(loot, { headers: headersOf(life.accessToken) }),
    'a session': async () => {
      harness.advance(2 * 60_000)
      loot.refreshToken = life.refreshToken
      take(await post('refresh', { refresh_token: loot.refreshToken }))
    },
    'a browser’s cookie': async () => {
      const elsewhere = await post('refresh', { refresh_token: life.cookie })
      expect(elsewhere.body.code).toBe('invalid-refresh-token')
      take(await goOn(life.cookie), 'goes on to applications')
    },
    'the mailbox': async () => {
      password = 'battery staple'
      await reset(password)
      can.push('resets the password')
      const [answer, appsCodes] = await enter(password)
      codes = appsCodes
      take(answer, 'logs in')
      isSilenced = true
    },
    'the authenticator app': async () => {
      const code = () => life.app?.code()
      take(await post('login', { email: ada.email, password, code: code() }), 'logs in')
      take(await provider.logIn({ ...eve, email: ada.email, email_verified: true }, { code: code() }), 'logs in')
    },
    'a passkey’s phone, locked': async () => take(await logInBy(life.device as Authenticator, false), 'logs in'),
    'a passkey’s phone, with its PIN': async () => take(await logInBy(life.device as Authenticator), 'logs in'),
    'the account at a provider': async () => take(await provider.logIn({}, { session: {} }), 'logs in'),
  }
  await begin[thing]()

  if ((await post('sign-in-methods', undefined, loot.headers)).status === 200) can.push('reads')
  /** Sends the proof that is asked for again: a passkey, or a possibly guessed password. */
  const prove = async (name: EndpointName, more: object = {}): Promise<Answer> => {
    const options = { for: requestLine(name).path.replace('/auth/', '') }
    const asked = device && (await post('passkey-proof-options', options, loot.headers)).body
    const member = name === 'change-password' ? 'current_password' : 'password'
    const proof = asked ? { assertion: device?.get(asked) } : { [member]: password, code: codes?.pop() }
    return post(name, { ...proof, ...more }, loot.headers)
  }
  return {
    can,
    loot,
    take,
    prove,
    knows: (known: string) => (password = known),
    typed: () => ({ password, code: codes?.pop() }),
    holds: (held?: string[]) => (codes = held),
  }
}

/** Does everything that a thief can. @returns the abilities, and the thief's new loot */
async function steal(thing: Thing, life: Life) {
  const { can, loot, take, prove, knows, holds, typed } = await enterBy(thing, life)
  const creation = await prove('set-up-passkey')
  if (creation.status === 200) {
    loot.passkey = authenticator()
    const body = { credential: loot.passkey.create(creation.body), label: 'Thief' }
    take(await post('confirm-passkey', body, loot.headers), 'adds a passkey')
  }
  const pending = await prove('set-up-second-factor')
  if (pending.status === 200) {
    harness.advance(60_000)
    const code = appOf(harness, bytesOfBase32(pending.body.secret)).code()
    const confirmed = await post('confirm-second-factor', { code }, loot.headers)
    holds(confirmed.body.recovery_codes)
    take(confirmed, 'sets up an app')
  } else take(await prove('remove-second-factor'))
  const new_password = 'another one of the thief'
  if (take(await prove('change-password', { new_password }))) knows(new_password)
  take(await provider.post({ ...provider.proof(eve), email: ada.email, ...typed() }), 'connects')
  take(await prove('disconnect-provider', { id: provider.keyOf('ada') }), 'disconnects')
  return { can, loot }
}

/** Whether any loot of the thief still works, except the mailbox. */
async function isLeft(
  thing: Thing,
  id: string,
  life: Life,
  { headers, refreshToken, passkey }: Loot,
): Promise<boolean> {
  harness.advance(2 * 60_000)
  const phone = thing.startsWith('a passkey’s phone') ? life.device : null
  for (const device of [passkey, phone]) if (device && (await logInBy(device)).status === 200) return true
  for (const claims of thing === 'the account at a provider' ? [{}, eve] : [eve]) {
    const answer = await provider.logIn(claims)
    if (answer.status === 200 && claimsIn(answer).sub === id) return true
  }
  for (const password of [ada.password, 'battery staple', 'another one of the thief'])
    if ((await post('login', { email: ada.email, password })).body.code !== 'bad-credentials') return true
  return (await staysLoggedIn({ headers, refreshToken })) || isTaken(await goOn(life.cookie))
}

const isTaken = ({ status }: Answer): boolean => status === 200

/** Whether tokens still work: this service's own, or an application's. */
async function staysLoggedIn({ headers, refreshToken: refresh_token }: Omit<Loot, 'passkey'>): Promise<boolean> {
  const answers = [
    await post('get-me', undefined, headers),
    await post('refresh', { refresh_token }),
    await send(harness, 'token', sentForm({ grant_type: 'refresh_token', client_id: 'shop', refresh_token })),
  ]
  return answers.some(isTaken)
}

/**
 * Whether the owner logs in with the things that were not stolen. Without a required factor, the owner sets it up.
 *
 * @param codes recovery codes of the owner's app
 */
async function comesBack(thing: Thing, password: string, { device }: Life, codes: string[]): Promise<boolean> {
  const { status, body } = await post('login', { email: ada.email, password, code: codes.pop() })
  if (status === 200 || body.code === 'second-factor-setup') return true
  return device !== null && !thing.startsWith('a passkey') && (await logInBy(device)).status === 200
}

/** Has an operator restore the delivery of mails. @returns the necessary command */
async function hearAgain(): Promise<string> {
  if (!isSilenced) return ''
  const before = await mailed('reset-password')
  harness.advance(1000)
  await post('forgot-password', { email: ada.email })
  expect(await mailed('reset-password')).toEqual(before)
  isSilenced = false
  return '`unsuppress`, '
}

/** The acts of an owner with the mailbox (again), the least first. @returns the sufficient one */
async function takeBack(thing: Thing, id: string, life: Life, loot: Loot): Promise<string> {
  const isOver = async (password: string, codes = life.codes): Promise<boolean> => {
    await reset(password)
    return !(await isLeft(thing, id, life, loot)) && (await comesBack(thing, password, life, codes))
  }
  if (await isOver('paper clip holder')) return 'a reset'
  for (const token of await mailed('undo')) await post('undo', { token })
  if (await isOver('another paper clip')) return 'an undo link'
  for (const act of ['removeFactor', 'revoke'] as const) {
    harness.advance(1000)
    const item = await harness.operator.find(ada.email)
    expect(item && (await harness.operator[act](item, deps.now()))).toBe(true)
  }
  expect(await isOver('a third paper clip', [])).toBe(true)
  return 'support'
}

/** A thief's abilities in words. */
function wordsOf({ setting }: Owner, can: readonly string[]): string {
  const whole = abilities.filter(each => setting !== 'off' || each !== 'sets up an app')
  const isWhole = String(can.filter(each => each !== 'resets the password')) === String(whole)
  return isWhole ? 'everything' : can.join(', ') || 'nothing'
}

const document = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8')
/** The rows of a table, one for each thing, its head and the line below that first. @param first words of its head */
const tableOf = (first: string): string[][] =>
  (new RegExp(`^\\| ${first} \\|.*\\n(?:\\|.*\\n)+`, 'm').exec(document)?.[0] ?? '')
    .trimEnd()
    .split('\n')
    .map(line =>
      line
        .split('|')
        .map(cell => cell.trim())
        .slice(1, -1),
    )
    .flatMap(([names = '', ...cells]) => names.split(' or ').map(name => [name, ...cells]))
const [head = [], , ...rows] = tableOf('Stolen, alone')
/** The two acts that take the account away, by thing, with how the owner comes back; things that allow neither have no row. */
const [takingHead = [], , ...takingRows] = tableOf('Stolen, alone, then')

/**
 * What each endpoint gives away to whoever has an access token, in the words of the table or below it; null: it ends something proven
 * before, or is a proof itself. Those that ask for a proof too are the thief's deeds.
 */
const byToken: Record<string, string | null> = {
  'get-me': 'the account',
  'list-sessions': 'its sessions',
  'sign-in-methods': 'ways to log in',
  'get-second-factor': 'ways to log in',
  'list-passkeys': 'ways to log in',
  'passkey-proof-options': 'ways to log in',
  'update-me': 'changes name, language',
  'rename-passkey': 'labels',
  'logout-everywhere': 'logs its owner out everywhere',
  'change-email': 'has a link mailed to a new address',
  'confirm-second-factor': null,
  'confirm-passkey': null,
}
const byProof: Record<string, string> = {
  'change-password': 'changes the password',
  'set-up-passkey': 'adds a passkey',
  'remove-passkey': 'removes',
  'set-up-second-factor': 'sets up an app',
  'remove-second-factor': 'removes',
  'renew-recovery-codes': 'replaces its recovery codes',
  'disconnect-provider': 'disconnects the owner’s',
  'end-session': 'ends sessions',
  'delete-account': 'deletes',
}

const bearerRows = endpointNames.filter(name => {
  const { access, withClients }: Route = routes[name]
  return access === 'bearer' && !withClients
})

test('a stolen access token opens what “reads” says, and what a proof opens is “everything”', () => {
  const asksForProof = (name: EndpointName) => Boolean((routes[name] as Route).checksPassword)
  const [proven, open] = [bearerRows.filter(asksForProof), bearerRows.filter(name => !asksForProof(name))]
  expect([open.sort(), proven.sort()]).toEqual([Object.keys(byToken).sort(), Object.keys(byProof).sort()])
  const saidIn = (head: string) =>
    new RegExp(`- \\*\\*${head}\\*\\*: .*?(?=\\n- )`, 's').exec(document)?.[0].replace(/\s+/g, ' ')
  for (const words of Object.values(byToken)) if (words) expect(saidIn('Reads')).toContain(words)
  for (const words of Object.values(byProof)) expect(saidIn('Everything')).toContain(words)
})

test('each mail that is the owner’s way back says what a complaint does to it', () => {
  const cells = document.split('\n').flatMap(line => (line.startsWith('| ') ? line.split('|') : []))
  const due = cells.filter(cell => /owner can (?:always get a )?reset|can undo it|link that undoes it/.test(cell))
  expect(due.length).toBeGreaterThan(3)
  expect(due.filter(cell => !cell.includes('[a complaint](#what-a-thief-gets)'))).toEqual([])
})

test('the first table has each thing, both have each kind of owner', () => {
  expect(new Set(head.slice(1))).toEqual(new Set(owners.map(guardOf)))
  expect(rows.map(([thing]) => thing)).toEqual(things)
  expect(takingHead.slice(1)).toEqual(head.slice(1))
  expect(things).toEqual(expect.arrayContaining(takingRows.map(([thing]) => thing)))
})

test.each(things)('a thief of %s gets and loses what the table says, by what it says', async thing => {
  const seen = new Map<string, [words: Set<string>, remedies: Set<string>]>()
  for (const owner of owners.filter(isThere[thing] ?? (() => true))) {
    await harness.clear()
    harness.queue.length = 0
    harness.config.secondFactor = 'optional'
    const life = await live(owner)
    const { id } = await find(harness)
    const { can, loot } = await steal(thing, life)
    const guard = guardOf(owner)
    const [words, remedies] = seen.get(guard) ?? [new Set(), new Set()]
    seen.set(guard, [words.add(wordsOf(owner, can)), remedies])
    if (can.length > 0) remedies.add((await hearAgain()) + (await takeBack(thing, id, life, loot)))
  }
  const cells = head
    .slice(1)
    .map(guard => (seen.get(guard) ?? []).flatMap(each => [...each].join(' or ') || []).join('; '))
  expect([thing, ...cells]).toEqual(rows.find(([name]) => name === thing))
})

/** Moves the account to a mailbox of the thief. */
async function moveAway(typed: object, headers: Headers): Promise<boolean> {
  const asked = await post('change-email', { new_email: eve.email }, headers)
  if (asked.status !== 200) return false
  for (const { message } of harness.queue.splice(0)) await deliverMail(deps, message, deps.now())
  const [, token] =
    /\/change-email\?token=([\w-]+)/.exec(harness.mails.findLast(({ to }) => to === eve.email)?.text ?? '') ?? []
  return isTaken(await post('confirm-email-change', { token, ...typed }))
}

/** @returns whether the owner has the account again by the links in the mailbox */
async function bringsBack(id: string): Promise<boolean> {
  for (const token of await mailed('undo')) await post('undo', { token })
  if ((await deps.accounts.find(id))?.email !== ada.email) return false
  await reset('paper clip holder')
  return isTaken(await post('login', { email: ada.email, password: 'paper clip holder' }))
}

test.each(things)('a thief of %s moves and deletes where the second table says', async thing => {
  const seen = new Map<string, Set<string>>()
  for (const owner of owners.filter(isThere[thing] ?? (() => true))) {
    const acts: string[] = []
    for (const act of ['moves', 'deletes'] as const) {
      await harness.clear()
      harness.queue.length = 0
      isSilenced = false
      harness.config.secondFactor = 'optional'
      const life = await live(owner)
      const { id } = await find(harness)
      const { loot, prove, typed } = await enterBy(thing, life)
      const isDone = act === 'moves' ? await moveAway(typed(), loot.headers) : isTaken(await prove('delete-account'))
      if (!isDone) continue
      acts.push(act === 'moves' ? `moves, ${(await bringsBack(id)) ? 'an undo link' : 'support'}` : 'deletes')
    }
    const guard = guardOf(owner)
    seen.set(guard, (seen.get(guard) ?? new Set()).add(acts.join('; ') || 'neither'))
  }
  const cells = head.slice(1).map(guard => [...(seen.get(guard) ?? [])].join(' or '))
  const isNeither = cells.every(cell => cell === '' || cell === 'neither')
  expect(takingRows.find(([name]) => name === thing)).toEqual(isNeither ? undefined : [thing, ...cells])
})
