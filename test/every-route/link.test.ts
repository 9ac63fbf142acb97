import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { type Account, noPassword } from '../../accounts/account/account.ts'
import type { AccountItem } from '../../accounts/account/attributes.ts'
import { changeKinds } from '../../accounts/change/change.ts'
import { deliverMail } from '../../accounts/delivery/deliver-mail.ts'
import type { Confirmed } from '../../accounts/identity/exchange.ts'
import { sealProviderToken } from '../../accounts/identity/provider-token.ts'
import { type Link, links } from '../../accounts/mail/queue.ts'
import { lifetimes } from '../../accounts/token/token.ts'
import { needsOf } from '../../api/needs.ts'
import { type EndpointName, type Route, routes } from '../../api/routes.ts'
import { CommandError } from '../../operations/command-line/failures.ts'
import { AccountRecord } from '../../operations/users/account-record.ts'
import { inviteAccount } from '../../operations/users/invite-account.ts'
import { itemOf, recordWithHashes } from '../../operations/users/kept-attributes.ts'
import { moveAccount } from '../../operations/users/move-account.ts'
import type { AccountTable } from '../../operations/users/table.ts'
import { DomainError } from '../../shared/base/errors.ts'
import { goodBody } from '../support/api/requests.ts'
import { endpointNames } from '../support/api/rows.ts'
import { shopQuery } from '../support/clients.ts'
import { pagesOfLinks } from '../support/link-pages.ts'
import { providers } from '../support/providers.ts'
import { sentWith, stayLoggedIn } from '../support/service/applications.ts'
import { authenticator } from '../support/service/authenticator.ts'
import { bearer, send } from '../support/service/endpoints.ts'
import { allScopes, codeForm, enterShop, grantCode, sentForm } from '../support/service/grants.ts'
import { createHarness } from '../support/service/harness.ts'
import type { Received, Sent } from '../support/service/http.ts'
import { connectAnnounced, connected } from '../support/service/identities.ts'
import { setUpPasskey } from '../support/service/owner.ts'
import { addPasskey, assertionOf } from '../support/service/passkeys.ts'
import {
  ada,
  find,
  lastUndoToken,
  newClient,
  openSession,
  register,
  requestMove,
  requestToken,
  setUp,
} from '../support/service/people.ts'

/** Every mailed link, after every act on its account: it works still, or is refused as used up and changes nothing. */

const harness = createHarness()
const { deps } = harness

type ChangeKind = (typeof changeKinds)[number]
const undoKinds = changeKinds.filter(
  (kind): kind is Exclude<ChangeKind, 'undone' | 'moved-by-operator'> =>
    kind !== 'undone' && kind !== 'moved-by-operator',
)
type LinkName = keyof typeof links | `undo ${(typeof undoKinds)[number]}`
const linkNames = [...(Object.keys(links) as (keyof typeof links)[]), ...undoKinds.map(kind => `undo ${kind}` as const)]

/** Where a link's token is stored; null: beside the counters, for the account's token version. */
const slotOf = (name: LinkName): 'verification' | 'reset' | 'undo' | null =>
  name.startsWith('undo ') ? 'undo' : ((links as Record<string, Link>)[name]?.token ?? null)
const lifetimeOf = (name: LinkName): number => lifetimes[(links as Record<string, Link>)[name]?.lifetime ?? 'undo']

/** Ada and what she has. */
interface Life {
  id: string
  password: string
  /** Recovery codes of her second factor. */
  codes: string[]
  /** The token of the undo link of a change from before the link. */
  earlier: string
}

interface MailedLink {
  page: string
  token: string
  /** The mailbox that it was mailed to. */
  to: string
}

/** Its worlds have no other device. */
const device = authenticator()
const own = randomUUID()
let drawn = 0
const present = ({ id }: Life) => deps.accounts.find(id)
const stored = async ({ id }: Life) => (await harness.accountItems()).find(item => item.id === id) as AccountItem

/** The links in mails so far. */
const mailed = (): MailedLink[] =>
  harness.mails.flatMap(({ to, text }) =>
    [...text.matchAll(/\/([\w-]+)\?token=([\w-]+)/g)].map(([, page = '', token = '']) => ({ page, token, to })),
  )

async function deliverAll(): Promise<void> {
  for (const { message } of harness.queue.splice(0)) await deliverMail(deps, message, deps.now())
}

/** What the first provider says of somebody. */
function confirmedAs(subject: string): Confirmed {
  const [{ id: provider, issuer, require: claims } = { id: '', issuer: '', require: {} }] = harness.providers
  return {
    provider,
    issuer,
    subject,
    email: null,
    isEmailProven: false,
    name: null,
    authTime: null,
    claims,
  } as Confirmed
}

/** Sends a good request of Ada's, and delivers what it queues. @param more members of its body, in place of the usual ones */
async function request(name: EndpointName, life: Life, more: Record<string, unknown> = {}): Promise<Received> {
  const { access, form, ownPages, goal, choosesPassword, refuses }: Route = routes[name]
  const account = await present(life)
  const { email = ada.email, passkeys = [], identities = [], factor = null } = account ?? {}
  const newEmail = `new${drawn++}@example.com`
  const app = refuses?.includes('no-second-factor-setup') ? await setUp(harness, email) : null
  const code = app?.code() ?? (factor ? life.codes.pop() : undefined)
  const passkey = goal === 'passkeys' ? passkeys[0]?.id : undefined
  const identity = goal === 'providers' ? identities[0]?.key : undefined
  const options =
    account && name === 'confirm-passkey'
      ? await setUpPasskey(deps, newClient(), account, { password: life.password as never, code: life.codes.pop() })
      : null
  const body = {
    ...(await goodBody(name, {
      ...{ email, password: life.password, newEmail },
      ...(code !== undefined && { code }),
      ...(passkey !== undefined && { passkey }),
      ...(identity !== undefined && { identity }),
      session: () => openSession(harness, email),
      async token(kind) {
        if (typeof more.token === 'string') return more.token
        if (kind === 'undo') return life.earlier
        if (kind === 'email-change') return requestMove(harness, newEmail, email)
        return requestToken(harness, kind === 'verification' ? kind : 'reset', email)
      },
      assertion: () => assertionOf(harness, device),
      credential: () =>
        options &&
        authenticator().create({
          challenge: options.challenge,
          rp: { id: options.rpId },
          user: { id: options.handle },
        }),
      providerToken: () => sealProviderToken(deps, confirmedAs('ada')),
      request: () => shopQuery(),
    })),
    ...more,
  }
  let sent: Sent = { body, clientAddress: newClient() }
  if (access === 'bearer') sent = { ...sent, headers: await bearer(harness, email) }
  if (ownPages) sent = { ...sent, ...sentWith((await stayLoggedIn(harness, email)).browser.token) }
  if (form === 'TokenRequest') sent = sentForm(codeForm(await grantCode(harness, { scope: allScopes }, email)))
  if (form === 'RevocationRequest') {
    sent = sentForm({ token: (await enterShop(harness, allScopes, email)).refreshToken ?? '', client_id: 'shop' })
  }
  const answer = await send(harness, name, sent)
  if (answer.status < 300 && choosesPassword && 'new_password' in body) life.password = String(body.new_password)
  if (answer.status < 300 && answer.body.recovery_codes) life.codes = answer.body.recovery_codes
  await deliverAll()
  return answer
}

const invite = (email: string) =>
  inviteAccount({ ...deps, table: harness.operator }, { email, name: null, roles: null, language: null })
const connectLater = async (life: Life) =>
  connectAnnounced(harness, `subject${drawn++}`, ((await present(life)) ?? ada).email)

/** Causes the mail of each link. */
const causes: Record<LinkName, (life: Life) => Promise<unknown>> = {
  registration: life => request('register', life, ada),
  verification: life => request('resend-verification', life),
  'email-change': life => request('change-email', life),
  reset: life => request('forgot-password', life),
  async undone(life) {
    await connectLater(life)
    await request('undo', life, { token: lastUndoToken(harness) })
  },
  moved: async ({ id }) => moveAccount(deps, { id, email: ada.email }, 'ada@example.net'),
  invitation: () => invite(ada.email),
  async 'second-factor'(life) {
    harness.config.secondFactor = 'required'
    await request('login', life)
  },
  'undo email': life => request('confirm-email-change', life),
  'undo factor': life => request('confirm-second-factor', life),
  'undo passkey': life => request('confirm-passkey', life),
  'undo provider': async life =>
    request('provider-login', life, { ...ada, provider_token: await sealProviderToken(deps, confirmedAs('new')) }),
}

/** Begins a life with a link. */
function begin(name: LinkName): Promise<{ life: Life; link: MailedLink }> {
  for (const list of [harness.queue, harness.mails]) list.length = 0
  harness.providers = []
  Object.assign(harness.config, { rateLimits: null, secondFactor: 'optional' })
  Object.assign(harness.config, { passkeyRpId: 'localhost', passkeyOrigins: ['http://localhost:3000'] })
  return harness.prepared(deps, `link ${name} ${own}`, async () => {
    harness.providers = providers
    const life: Life = { id: '', password: ada.password, codes: [], earlier: 'none' }
    if (name !== 'registration' && name !== 'invitation') life.id = (await register(harness)).account.id
    if (name !== 'registration' && name !== 'invitation' && name !== 'verification') {
      await harness.operator.verify(await find(harness), deps.now())
      await connected(harness)
      harness.advance(1000)
      await connectLater(life)
      life.earlier = lastUndoToken(harness)
      if (name !== 'second-factor') await addPasskey(harness, {}, device)
    }
    await deliverAll()
    harness.advance(1000)
    const before = mailed()
    await causes[name](life)
    await deliverAll()
    const page = name.startsWith('undo ') ? 'undo' : (links as Record<string, Link>)[name]?.page
    const link = mailed()
      .slice(before.length)
      .find(each => each.page === page)
    if (!link) throw new Error(`no link was mailed: ${name}`)
    life.id ||= (await find(harness)).id
    return { life, link }
  })
}

/** Uses a link as its page does. @returns whether it worked */
async function isWorking({ page, token }: MailedLink, life: Life): Promise<boolean> {
  const before = await harness.items('Accounts')
  if (page === 'second-factor') {
    harness.config.secondFactor = 'required'
    const { email = ada.email } = (await present(life)) ?? {}
    const answer = await send(harness, 'login', { body: { email, password: life.password, mail_token: token } })
    if (answer.body.setup_token) return true
    expect(answer.status).toBeGreaterThanOrEqual(400)
  } else {
    const { endpoint, deadCode } = pagesOfLinks.find(({ name }) => name === page) ?? { endpoint: 'login' as const }
    const answer = await request(endpoint, life, { token })
    if (answer.status === 200) return true
    expect([answer.status, answer.body.code]).toEqual([400, deadCode])
  }
  expect(await harness.items('Accounts')).toEqual(before)
  return false
}

/** The links that an act ends, beside those whose account is gone. */
interface Ends {
  slots?: readonly ('verification' | 'reset')[]
  /** Undo links: each; those of the account's own mailbox; or these but for the app's in force. */
  undo?: 'each' | 'own' | 'own but the app’s'
}
const both = { slots: ['verification', 'reset'] } as const
const each: Ends = { ...both, undo: 'each' }

/** Of rows that may write links or changes. */
const endsByRow: Partial<Record<EndpointName, Ends>> = {
  login: {},
  'provider-login': {},
  authorize: {},
  'verify-email': { slots: ['verification'] },
  'confirm-email-change': both,
  'change-password': { slots: ['reset'] },
  'reset-password': { slots: ['reset'], undo: 'own but the app’s' },
  'accept-invitation': both,
  // It undoes a change from before the link.
  undo: each,
  'confirm-second-factor': {},
  'confirm-passkey': {},
}

test('each row that may write links or changes says which links it ends', () => {
  const writing = endpointNames.filter(name =>
    needsOf(routes[name]).writes.some(guard => /^(links|changes)$/.test(guard)),
  )
  expect(Object.keys(endsByRow).sort()).toEqual(writing.sort())
})

interface Act {
  ends: Ends
  /** @returns whether it was done */
  run(life: Life, link: MailedLink): Promise<boolean>
}

const byRow = (name: EndpointName, more: Record<string, unknown> = {}, ends = endsByRow[name] ?? {}): Act => ({
  ends,
  async run(life) {
    const { access, form, ownPages }: Route = routes[name]
    const isLoggedIn = (await present(life))?.passwordHash !== noPassword
    if (!isLoggedIn && (access === 'bearer' || form || ownPages)) return false
    return (await request(name, life, more)).status < 300
  },
})

const byOperator = (operate: (account: AccountItem) => Promise<unknown>, ends: Ends = {}): Act => ({
  ends,
  run: async life => (await operate(await stored(life))) !== false,
})

/** The key of second factors, as AWS names it. */
const factorKey = 'arn:aws:kms:eu-central-1:111122223333:key/01234567-89ab-cdef-0123-456789abcdef'

/** Imports an account as it was exported. */
function importAgain(account: AccountItem): Promise<boolean> {
  const exported = recordWithHashes(account, { title: '', outputs: { FactorKey: factorKey } as never })
  const record = v.parse(AccountRecord, JSON.parse(JSON.stringify(exported)))
  const { id, created_at, token_version } = account
  const decided = { id, createdAt: new Date(created_at), tokenVersion: token_version + 1 }
  return harness.operator.add(itemOf(record, decided, deps.now()))
}

/** What operators do to an account. */
const operations: Record<
  Exclude<keyof AccountTable, 'find' | 'findById' | 'now' | 'passedTime' | 'pages' | 'findDeletion'>,
  Act
> = {
  add: byOperator(async account => !(await importAgain(account))),
  changeInvitation: byOperator(({ email }) => invite(email)),
  verify: byOperator(account => harness.operator.verify(account, deps.now()), { slots: ['verification'] }),
  setAdmin: byOperator(async account => {
    await harness.operator.setAdmin(account, true, deps.now())
    return harness.operator.setAdmin(account, false, deps.now())
  }),
  lock: byOperator(async account => {
    await harness.operator.lock(account, deps.now())
    return harness.operator.unlock(account, deps.now())
  }),
  unlock: byOperator(account => harness.operator.unlock(account, deps.now())),
  signOut: byOperator(account => harness.operator.signOut(account, deps.now())),
  setLanguage: byOperator(account => harness.operator.setLanguage(account, 'de', deps.now())),
  setRoles: byOperator(account => harness.operator.setRoles(account, ['editor'], deps.now())),
  removeFactor: byOperator(account => harness.operator.removeFactor(account, deps.now())),
  removePasskeys: byOperator(account => harness.operator.removePasskeys(account, deps.now())),
  disconnect: byOperator(account => harness.operator.disconnect(account, deps.now())),
  revoke: byOperator(account => harness.operator.revoke(account, deps.now()), { ...both, undo: 'own but the app’s' }),
  remove: byOperator(account => harness.operator.remove(account)),
  // By the harness's clock.
  move: byOperator(account => moveAccount(deps, account, 'countess@example.net'), each),
}

const acting = endpointNames.filter(name => {
  const { may } = needsOf(routes[name])
  return may.MailQueue || may.Accounts?.some(action => action !== 'GetItem')
})

const acts: Record<string, Act> = {
  ...Object.fromEntries(acting.map(name => [name, byRow(name)])),
  'reset-password, which keeps other logins': byRow(
    'reset-password',
    { keep_other_logins: true },
    { slots: ['reset'], undo: 'own' },
  ),
  'an undo of a later change': {
    ends: both,
    async run(life) {
      // Only a verified address is told.
      if (!(await present(life))?.isVerified) return false
      await connectLater(life)
      return (await request('undo', life, { token: lastUndoToken(harness) })).status < 300
    },
  },
  ...Object.fromEntries(Object.entries(operations).map(([name, act]) => [`the operator’s ${name}`, act])),
  'a deletion and an import': byOperator(async account => {
    await harness.operator.remove(account)
    return importAgain(account)
  }, each),
}

/** Whether a link works after an act, as the service promises it. */
async function isPromised(name: LinkName, { token, to }: MailedLink, life: Life, before: Account, ends: Ends) {
  const account = await present(life)
  if (account === null) return false
  const slot = slotOf(name)
  if (slot === null) {
    const isAsked = account.factor === null && account.passkeys.length === 0
    return isAsked && account.tokenVersion === before.tokenVersion
  }
  if (slot === 'undo') {
    const isOwn = to === before.email && !(ends.undo === 'own but the app’s' && name === 'undo factor')
    return ends.undo === undefined || (ends.undo !== 'each' && !isOwn)
  }
  // A newer link takes the place of an older one.
  const pages = Object.values<Link>(links).flatMap(link => (link.token === slot ? [link.page] : []))
  const ofAccount = mailed().filter(
    link => link.page === 'change-email' || [before.email, account.email].includes(link.to),
  )
  const isNewest = ofAccount.findLast(({ page }) => pages.includes(page))?.token === token
  return isNewest && !ends.slots?.includes(slot)
}

describe.each(Object.entries(acts))('after %s', (_, { ends, run }) => {
  test('each link works, or is refused as used up and changes nothing', async () => {
    let done = 0
    for (const name of linkNames) {
      await harness.clear()
      const { life, link } = await begin(name)
      harness.config.secondFactor = 'optional'
      harness.advance(1000)
      const before = (await present(life)) as Account
      const isDone = await run(life, link).catch((error: unknown) => {
        if (error instanceof DomainError || error instanceof CommandError) return false
        throw error
      })
      await deliverAll()
      done += Number(isDone)
      const promised = await isPromised(name, link, life, before, isDone ? ends : {})
      expect([name, isDone, await isWorking(link, life)]).toEqual([name, isDone, promised])
    }
    expect(done).toBeGreaterThan(0)
  })
})

const bySlot = [...Map.groupBy(linkNames, name => slotOf(name) ?? 'counters')]

test.each(bySlot)('links of %s work once, until the last moment of their time', async (_, names) => {
  for (const name of names) {
    for (const [age, works] of [
      [lifetimeOf(name) - 1, true],
      [lifetimeOf(name), false],
    ] as const) {
      await harness.clear()
      const { life, link } = await begin(name)
      harness.advance(age)
      expect([name, age, await isWorking(link, life)]).toEqual([name, age, works])
      expect([name, await isWorking(link, life)]).toEqual([name, false])
    }
  }
})
