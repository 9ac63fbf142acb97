import { randomBytes, randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { guardedBy } from '../../accounts/account/attributes.ts'
import { codeLimit } from '../../accounts/factor/code-limits.ts'
import { bytesOfBase32 } from '../../accounts/factor/codes.ts'
import { codeOf, stepOf } from '../../accounts/factor/totp.ts'
import { identityKey } from '../../accounts/identity/identity.ts'
import type { ProofPurpose } from '../../accounts/passkey/shapes.ts'
import { guessing } from '../../accounts/password/guesses.ts'
import type { Token } from '../../accounts/token/shapes.ts'
import { needsOf, rows } from '../../api/needs.ts'
import { functionNames, routeKeysOf } from '../../api/route-keys.ts'
import type { FunctionName } from '../../api/routes.ts'
import type { Denial } from '../../local/aws/front.ts'
import type { LogLine } from '../../local/observer.ts'
import { type OperatorFile, operatorFileName } from '../../local/operator.ts'
import { type Running, runStack } from '../../local/system.ts'
import { type Assembly, assemble } from '../../local/template/assembly.ts'
import { type AccountKind, accountKinds, type Family, families } from '../../shared/base/families.ts'
import { type Policy as Window, windowOf } from '../../shared/base/limits/windows.ts'
import { type Guard, guards } from '../../shared/base/row.ts'
import { asserted, fruitlessBody, goodBody, type MailedToken, type Sender, sessionOf } from '../support/api/requests.ts'
import { countsGuesses, limitEach, requestLine } from '../support/api/rows.ts'
import { type Authenticator, authenticator } from '../support/service/authenticator.ts'
import { startLyingProvider } from '../support/service/lying-provider.ts'
import { settingsToRun } from '../support/stack/settings.ts'
import { inText, type Policy, policiesOf, type Statement } from '../support/stack/template.ts'
import { challenge, verifier } from '../support/system/example.ts'
import {
  accountsTable,
  dateBack,
  drawChallengeFor,
  identify,
  invite,
  openUsers,
  putEntry,
  rateLimitsTable,
} from '../support/system/operator.ts'
import { listedIn } from '../support/system/providers.ts'
import { linkIn } from '../support/system/running.ts'

/**
 * The grants in the template are exactly the necessary ones: each function's journey passes and uses all of its grants,
 * and without one of them the journey is denied exactly that call.
 */

/** One action on one resource, and for items on one key prefix; or, with a guard, its attributes in updates of accounts. */
type Grant = Statement & { Action: string; guard?: Guard }
/** A person for one journey: registered, with unused links. */
interface Person extends Sender {
  /** An access token, if the function needs one. */
  bearer: string
  /** The secret of a pending second factor. */
  secret: Uint8Array
  /** Another person, for calls that this person's requests do not cause. */
  other?: Person
  /** The token of a link for this journey alone. */
  link?: string
  /** The authenticator of this person's passkey. */
  device?: Authenticator
  /** The cookie of a browser session. */
  cookie?: string
  /** An exchanged code. */
  spentCode?: string
}

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-grants-'))
const dataDirectory = join(directory, 'data')
/** The data directory after everybody was prepared: each system starts with it. */
const prepared = join(directory, 'prepared')
const password = 'correct horse'
const denials: Denial[] = []
const logs: LogLine[] = []
let assembly: Assembly
let grants: ReturnType<typeof singleGrants>
/** Each journey has a person of its own, because it may revoke that person's tokens. */
const people = new Map<FunctionName, Person>()
/** The person for wrong guesses, which change nothing, so one is enough. */
let guesser: Person
let port = 0

const sample = { id: 'sample', name: 'Sample', redirects: ['http://127.0.0.1/callback'], api: true, unverified: true }
const redirect = 'http://127.0.0.1:8000/callback'
const rpId = 'localhost'

/** It confirms people as journeys need it. */
const confirming = await startLyingProvider(() => new Date(), { secret: 'the-secret' })
afterAll(() => confirming[Symbol.asyncDispose]())

const settings = settingsToRun({
  PASSKEY_RP_ID: rpId,
  SIGN_IN_PROVIDERS: await listedIn(dataDirectory, [confirming.provider]),
  OIDC_CLIENTS: JSON.stringify([sample]),
  MAIL_FROM: 'Gatehouse <no-reply@localhost>',
  RATE_LIMITS: limitEach('1000/minute'),
})

/** Another cost than that of people's hashes, so that each first login replaces a hash. */
const laterSettings = { ...settings, BCRYPT_COST: settings.BCRYPT_COST + 1 }

const start = async (assembly: Assembly): Promise<Running> => {
  const system = await runStack({
    settings: laterSettings,
    assembly,
    // Journeys send one request after another.
    concurrency: 1,
    port,
    inboxPort: 0,
    host: '127.0.0.1',
    dataDirectory,
    observer: {
      denied: denial => void denials.push(denial),
      logged: line => void logs.push(line),
    },
  })
  port = Number(new URL(system.baseUrl).port)
  return system
}

const restart = (assembly: Assembly): Promise<Running> => {
  rmSync(dataDirectory, { recursive: true })
  cpSync(prepared, dataDirectory, { recursive: true })
  return start(assembly)
}

/** The statuses of a journey's answers, and whether it has reached its goal. */
const statuses: number[] = []
let isOver = () => false
class JourneyOver extends Error {}

/** Sends a request by a row's method and path, with a token or a cookie if the row needs one. @throws {JourneyOver} */
async function ask(
  { baseUrl }: Running,
  name: FunctionName,
  { bearer, cookie }: Person,
  body?: object,
): Promise<Response> {
  const { method, path } = requestLine(name)
  const { form, ownPages } = rows[name]
  const answer = await fetch(new URL(path, baseUrl), {
    method,
    headers: {
      'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
      ...(bearer && !form && { authorization: `Bearer ${bearer}` }),
      ...(ownPages && { 'sec-fetch-site': 'same-origin', ...(cookie !== undefined && { cookie }) }),
    },
    ...(body && { body: form ? new URLSearchParams({ ...body }).toString() : JSON.stringify(body) }),
  })
  statuses.push(answer.status)
  if (isOver()) throw new JourneyOver()
  return answer
}

/** The query of a page. Its hint is not an id token, which only the keys reveal. */
const queryOf = ({ bearer }: Pick<Person, 'bearer'>, name: FunctionName): string =>
  new URLSearchParams({
    client_id: sample.id,
    id_token_hint: bearer,
    ...(name !== 'logout-browser' && {
      redirect_uri: redirect,
      response_type: 'code',
      scope: 'openid offline_access',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }),
  }).toString()

const cookieIn = ({ headers }: Response): string => headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
const sessionIn = (cookie: string) => sessionOf(cookie.slice(cookie.indexOf('=') + 1))

/** Makes a function perform every call that it may. */
type Journey = (system: Running, person: Person) => Promise<unknown>

/** A good request, and enough wrong guesses to pass the limit, if the function counts any. */
const journeyOf =
  (name: FunctionName): Journey =>
  async (system, person) => {
    const good = await goodBody(name, person)
    // A code of the app is decrypted; the good request's recovery code sends a notice.
    if (rows[name].checksPassword) await guessCodes(system, name, person, good)
    await ask(system, name, person, good)
    // An unlisted application is refused first.
    const wrong = {
      ...fruitlessBody(name),
      ...(good?.request ? { request: good.request } : {}),
      // So is an absent passkey.
      ...(name === 'remove-passkey' && { id: guesser.passkey }),
    }
    if (countsGuesses(name)) await guessPasswords(system, name, guesser, wrong)
    await proveBy(system, name, person.other)
  }

/** An assertion of somebody's passkey. */
async function assertionOf(system: Running, name: FunctionName, { bearer, device }: Person): Promise<unknown> {
  const isLogin = !isBearer(name)
  const purpose = isLogin ? 'login' : (requestLine(name).path.replace('/auth/', '') as ProofPurpose)
  const challenge = await drawChallengeFor(system, purpose, isLogin ? null : idIn({ bearer }))
  return device?.get({ challenge, rpId })
}

/** A request with a passkey in place of typed members, if the function accepts one. */
async function proveBy(system: Running, name: FunctionName, other?: Person): Promise<void> {
  if (!other || !takesEither(name)) return
  await ask(system, name, other, asserted(await goodBody(name, other), await assertionOf(system, name, other)))
}

/** Whether a function accepts a password, or a passkey instead. */
const takesEither = (name: FunctionName): boolean =>
  rows[name].takesPasskey === true && rows[name].checksPassword === true

/** Enough wrong codes to pass the limit. */
const guessCodes = (system: Running, name: FunctionName, person: Person, body: object = {}) =>
  within(codeLimit, () => ask(system, name, person, { ...body, code: '000000' }))

const guessPasswords = (system: Running, name: FunctionName, person: Person, wrong: object) =>
  within(guessing.pair, () => ask(system, name, person, wrong))

/** One request more than a window allows. If the window ends within twenty seconds, which is ample, they begin in the next one. */
async function within(window: Window, request: () => Promise<unknown>): Promise<void> {
  const indexIn = (seconds: number) => windowOf(window, new Date(Date.now() + seconds * 1000)).index
  await vi.waitUntil(() => indexIn(20) === indexIn(0), { timeout: 60_000, interval: 100 })
  for (let i = 0; i <= window.limit; i++) await request()
}

/** A return from the provider, which confirms this address. */
const confirmed = (email: string, sub: string = randomUUID()) => ({
  provider: confirming.provider.id,
  authorization_code: confirming.authorize(verifier, { sub, email, email_verified: true }),
  code_verifier: verifier,
})

/** A return that opens an account, of an identity whose entry leads to none. */
async function confirmedAnew(system: Running, email: string) {
  const sub = randomUUID()
  await putEntry(system, identityKey(confirming.provider.issuer, sub), 'gone')
  return confirmed(email, sub)
}

/** Unverified, an address is verified by the provider that proves it, or by a mailed link. */
const unverify = (system: Running, { email }: Person) => openUsers(system).change(email, { is_verified: false })

/** The provider's word opens no account: it is refused. @returns the token that carries it, if any */
async function refused(system: Running, name: FunctionName, person: Person, body: object = {}) {
  const answer = await ask(system, name, person, { ...body, ...confirmed(person.email) })
  return ((await answer.json()) as { provider_token?: string }).provider_token
}

/** Journeys of functions that need several good requests to perform every call. */
const particular: Partial<Record<FunctionName, Journey>> = {
  register: async (system, person) => {
    await journeyOf('register')(system, person)
    await journeyOf('register')(system, { ...person, newEmail: person.email })
  },
  refresh: async (system, person) => {
    const { id, refreshToken } = await person.session()
    const used = async (refresh_token: string) => ask(system, 'refresh', person, { refresh_token })
    const first = await used(refreshToken)
    await dateBack(system, person.email, id)
    await used(((await first.json()) as Token).refresh_token ?? '')
    // From two rotations ago: the owner is told.
    await used(refreshToken)
  },
  'authorize-session': async (system, person) => {
    const body = await goodBody('authorize-session', person)
    const used = (cookie: string) => ask(system, 'authorize-session', { ...person, cookie }, body)
    const { cookie: former = '' } = person
    const first = await used(former)
    await dateBack(system, person.email, sessionIn(former).id)
    await used(cookieIn(first))
    // From two rotations ago: the owner is told.
    await used(former)
  },
  token: async (system, person) => {
    const { id, refreshToken } = await person.session()
    const send = (body: object) => ask(system, 'token', person, { client_id: sample.id, ...body })
    const used = (refresh_token: string) => send({ grant_type: 'refresh_token', refresh_token })
    const exchanged = { grant_type: 'authorization_code', redirect_uri: redirect, code_verifier: verifier }
    const first = await used(refreshToken)
    await dateBack(system, person.email, id)
    await used(((await first.json()) as Token).refresh_token ?? '')
    await used(refreshToken)
    // It was exchanged before: the replay is recorded.
    await send({ ...exchanged, code: person.spentCode })
  },
  // An account is opened, connected with a code, and set up by a mailed link.
  'provider-login': async (system, person) => {
    const name = 'provider-login'
    const { email, other = person, newEmail } = person
    const provider_token = await refused(system, name, person)
    const body = { provider_token, email, password }
    await guessCodes(system, name, person, body)
    await guessPasswords(system, name, person, { provider_token, email: guesser.email, password: 'wrong' })
    await unverify(system, person)
    await ask(system, name, person, { ...body, code: person.code, session: {} })
    await ask(system, name, person, await confirmedAnew(system, newEmail))
    const token = await refused(system, name, other)
    await ask(system, name, other, { provider_token: token, email: other.email, password, mail_token: other.link })
  },
  // By an address, by a passkey, and by a provider that opens an account or is connected to one.
  authorize: async (system, person) => {
    const { other = person, newEmail } = person
    const request = (await goodBody('authorize', person))?.request
    await journeyOf('authorize')(system, person)
    await ask(system, 'authorize', person, { ...(await confirmedAnew(system, newEmail)), request })
    await unverify(system, other)
    const provider_token = await refused(system, 'authorize', other, { request })
    await ask(system, 'authorize', other, { provider_token, email: other.email, password, request })
  },
  'passkey-login': async (system, person) => {
    const body = { assertion: await assertionOf(system, 'passkey-login', person), session: {} }
    await ask(system, 'passkey-login', person, body)
  },
  'confirm-passkey': async (system, person) => {
    const challenge = await drawChallengeFor(system, 'passkeys/confirm', idIn(person))
    const credential = authenticator({ origin: system.baseUrl }).create({
      challenge,
      rp: { id: rpId },
      user: { id: Buffer.alloc(64).toString('base64url') },
    })
    await ask(system, 'confirm-passkey', person, { credential, label: 'Phone' })
  },
  revoke: async (system, person) => {
    const { refreshToken: token } = await person.session()
    await ask(system, 'revoke', person, { client_id: sample.id, token })
  },
  // Everybody needs a second factor there: a person without one gets a link that sets one up.
  login: async (system, person) => {
    const { other: { email, link: mail_token } = person } = person
    await ask(system, 'login', person, { email, password, mail_token })
    await journeyOf('login')(system, person)
  },
  // Only changes of accounts without a second factor can be undone.
  'confirm-email-change': async (system, person) => {
    const { other = person } = person
    await ask(system, 'confirm-email-change', person, await goodBody('confirm-email-change', person))
    const body = { token: other.link, password }
    await guessCodes(system, 'confirm-email-change', other, body)
    await guessPasswords(system, 'confirm-email-change', other, { ...body, password: 'wrong' })
  },
  'confirm-second-factor': async (system, person) => {
    const { secret, other = person } = person
    await ask(system, 'confirm-second-factor', person, { code: codeOf(secret, stepOf(new Date())) })
    await guessCodes(system, 'confirm-second-factor', other)
  },
  'reset-password': async (system, person) => {
    const { other = person } = person
    await ask(system, 'reset-password', person, await goodBody('reset-password', person))
    // The password that an undo has revoked: each attempt is a guess at it.
    const former = { token: await other.token('reset'), new_password: password }
    await guessPasswords(system, 'reset-password', other, former)
  },
  // An account that has moved, and one that has not.
  undo: async (system, person) => {
    const { other: { link } = person } = person
    await ask(system, 'undo', person, await goodBody('undo', person))
    await ask(system, 'undo', person, { token: link })
  },
  'on-mail-queued': async (_, person) => {
    const { email, other = person } = person
    const setUp = { kind: 'factor-set-up', email: other.email, account_id: idIn(other) }
    await queueMails(
      { kind: 'reset', email },
      { kind: 'registration', account_id: 'x' },
      { kind: 'second-factor', account_id: idIn(person) },
      { kind: 'email-changed', email, account_id: 'x', new_email: `x${email}` },
      // Of these two, one has happened.
      { ...setUp, token: other.link },
      setUp,
    )
  },
}

/** Queues messages, with tokens of their own if they have none. */
async function queueMails(...messages: { kind: string; [member: string]: unknown }[]): Promise<void> {
  const { endpoint, region, credentials, outputs } = JSON.parse(
    readFileSync(join(dataDirectory, operatorFileName), 'utf8'),
  ) as OperatorFile
  const sqs = new SQSClient({ endpoint, region, credentials })
  const QueueUrl = Object.values(outputs)[0]?.MailQueue
  for (const message of messages) {
    const body = { token: randomBytes(32).toString('base64url'), requested_at: Date.now(), ...message }
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body) }))
  }
}

/** The id of the account that an access token is for. */
const idIn = ({ bearer }: Pick<Person, 'bearer'>): string =>
  JSON.parse(Buffer.from(bearer.split('.')[1] ?? '', 'base64url').toString()).sub

/** The grants of each function, each of one action on one resource, and for items on one key prefix. Its guards come last. */
const singleGrants = ({ template }: Assembly): Map<FunctionName, Grant[]> =>
  new Map(
    functionNames.map(name => {
      const single = policiesOf(template.Resources, idOf(name, template)).flatMap(({ PolicyDocument }) =>
        PolicyDocument.Statement.flatMap(statement =>
          [statement.Action]
            .flat()
            .flatMap(Action => [statement.Resource].flat().map(Resource => ({ ...statement, Action, Resource })))
            .flatMap(byFamily),
        ),
      )
      const [update] = single.filter(updatesAccounts)
      return [name, [...single, ...(update ? needsOf(rows[name]).writes.map(guard => ({ ...update, guard })) : [])]]
    }),
  )

const updatesAccounts = (grant: Grant): boolean =>
  grant.Action === 'dynamodb:UpdateItem' && keysOf(grant).includes(`${accountKinds.Accounts}*`)

type ItemCondition = Record<string, Record<string, string | string[]>>
const ofKeys = 'ForAllValues:StringLike'
const leadingKeys = 'dynamodb:LeadingKeys'

/** The key patterns of a grant on items. */
const keysOf = ({ Condition }: Statement): string[] =>
  [(Condition as ItemCondition | undefined)?.[ofKeys]?.[leadingKeys] ?? []].flat()

function byFamily(grant: Grant): Grant[] {
  const families = keysOf(grant).map(keys => ({
    ...grant,
    Condition: { ...(grant.Condition as ItemCondition), [ofKeys]: { [leadingKeys]: [keys] } },
  }))
  return families.length > 0 ? families : [grant]
}

const nameOf = (grant: Grant): string =>
  [grant.Action, ...keysOf(grant), ...(grant.guard ? [grant.guard] : [])].join(' of ')

function idOf(name: FunctionName, { Resources }: Assembly['template']): string {
  const { summary } = rows[name]
  const found = Object.entries(Resources).find(
    ([, { Type, Properties }]) => Type === 'AWS::Lambda::Function' && Properties?.Description === summary,
  )
  if (!found) throw new Error(`there is no function ${name}`)
  return found[0]
}

/** Calls of the last release's function alone. */
const keptCalls = (name: FunctionName): string[] => Object.values(rows[name].mayStill ?? {}).flat()

/**
 * Logs are Lambda's own calls, which a machine makes only when a function writes. SES also asks about a configuration
 * set if the sender's identity has a default one, and only AWS knows that.
 */
const isTested = (name: FunctionName) => (grant: Grant) =>
  !grant.Action.startsWith('logs:') &&
  !inText(grant.Resource).includes(':configuration-set/') &&
  !keptCalls(name).some(call => grant.Action.endsWith(`:${call}`))

/** The role of a function writes the attributes of its guards alone, by the first test: nothing is left to take away. */
const takenAway = (name: FunctionName, statements: Grant[]): Grant[] =>
  statements.filter(grant => !grant.guard && isTested(name)(grant))

/** The stack without one grant of each function. @returns it, and the missing grants by function */
function without(index: number): { assembly: Assembly; missing: Map<FunctionName, Grant> } {
  const template = structuredClone(assembly.template)
  const missing = new Map<FunctionName, Grant>()
  for (const [name, statements] of grants) {
    const gone = takenAway(name, statements)[index]
    const [own, ...shared] = policiesOf(template.Resources, idOf(name, template))
    if (!own) throw new Error(`the role of ${name} has no policy`)
    // Roles keep shared policies of others.
    own.PolicyDocument.Statement = statements.filter(grant => grant !== gone && !grant.guard)
    const role = inText(template.Resources[idOf(name, template)]?.Properties?.Role).replace('.Arn', '')
    for (const policy of shared) policy.Roles = policy.Roles?.filter(holder => inText(holder) !== role) ?? []
    if (gone) missing.set(name, gone)
  }
  return { assembly: { ...assembly, template }, missing }
}

/** Whether a call, or a denial, is of this grant: its function, action, resource and key prefix, if any. */
function isOf(name: string, grant: Grant, made: Omit<Denial, 'reason'>): boolean {
  const [, id = '', rest = ''] = /^<(\w+)\.Arn>(.*)$/.exec(inText(grant.Resource)) ?? []
  // A denial names no pattern that is missing from all policies.
  const isOfFamily = keysOf(grant).every(keys => [keys, ''].includes(made.keys))
  return (
    made.caller === name &&
    made.action === grant.Action &&
    made.resource.includes(id) &&
    made.resource.endsWith(rest) &&
    isOfFamily
  )
}

beforeAll(async () => {
  assembly = await assemble(laterSettings, join(directory, 'cdk.out'))
  for (const name of ['login', 'provider-login'] as const) {
    const { Environment } = assembly.template.Resources[idOf(name, assembly.template)]?.Properties ?? {}
    Object.assign((Environment as { Variables: object }).Variables, { SECOND_FACTOR: 'required' })
  }
  // Journeys draw challenges with the operator's credential, so that they need no grant of another function.
  const { Properties: operators } = Object.values(assembly.template.Resources).find(isManaged) ?? {}
  const draw = { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: '*' }
  ;(operators as unknown as Policy).PolicyDocument.Statement.push(draw)
  grants = singleGrants(assembly)

  const system = await start(await assemble(settings, join(directory, 'before.out')))
  for (const name of functionNames) people.set(name, await enrol(system, `${name}@example.com`, name))
  // With a second factor and a passkey, without which some endpoints do not ask for the password.
  guesser = await enrol(system, 'guesser@example.com', 'remove-passkey')
  const queues = Object.entries(assembly.template.Resources).flatMap(([id, { Type }]) =>
    Type === 'AWS::SQS::Queue' ? [id] : [],
  )
  await vi.waitFor(() => expect(queues.flatMap(system.messages)).toEqual([]), { timeout: 300_000, interval: 100 })
  await system.stop()
  cpSync(dataDirectory, prepared, { recursive: true })
})

const isManaged = ({ Type }: { Type: string }): boolean => Type === 'AWS::IAM::ManagedPolicy'

const isBearer = (name: FunctionName): boolean => rows[name].access === 'bearer'

/** Opens an account, requests both links, and prepares it for everything that a function may do. */
async function enrol(system: Running, email: string, name: FunctionName): Promise<Person> {
  const person = {
    email,
    password,
    newEmail: `new-${email}`,
    token: () => '',
    session: () => sessionOf(),
    bearer: '',
    secret: new Uint8Array(),
  }
  const verification = mailedToken(system, email, '/verify-email')
  await ask(system, 'register', person, { email, password })
  const reset = mailedToken(system, email, '/reset-password')
  await ask(system, 'forgot-password', person, { email })
  const tokens: Partial<Record<MailedToken, string>> = { verification: await verification, reset: await reset }
  // Only owners of verified addresses get notices.
  const { checksPassword } = rows[name]
  // A reset clears wrong codes.
  const setsUp = checksPassword || name === 'confirm-second-factor' || name === 'reset-password'
  const holdsPasskey = name.includes('passkey') && name !== 'passkey-login-options'
  if (rows[name].may?.MailQueue || setsUp || holdsPasskey)
    await ask(system, 'verify-email', person, { token: tokens.verification })
  if (name === 'accept-invitation') tokens.invitation = await invite(system, email)
  const moves = name === 'confirm-email-change' || name === 'undo'
  const needsLogin =
    isBearer(name) ||
    rows[name].body === 'RefreshRequest' ||
    moves ||
    setsUp ||
    name in others ||
    holdsPasskey ||
    rows[name].withClients
  const login = needsLogin ? await ask(system, 'login', person, { email, password, session: {} }) : null
  const { access_token: bearer = '', refresh_token } = ((await login?.json()) as Partial<Token>) ?? {}
  const session = sessionOf(refresh_token)
  if (name === 'refresh') await dateBack(system, email, session.id)
  const makeOther = others[name] ?? (takesEither(name) ? withOwnPasskey(name) : undefined)
  const enrolled: Person = {
    ...person,
    token: (kind: MailedToken) => tokens[kind] ?? '',
    session: () => session,
    bearer,
    request: (of: FunctionName) => queryOf({ bearer }, of),
    ...(makeOther && { other: await makeOther(system, `other-${email}`) }),
  }
  // An index entry is read, and deleted or moved, only for an existing identity.
  if (rows[name].may?.Identities) enrolled.identity = await identify(system, email)
  if (holdsPasskey) {
    const holder = await withPasskey(system, enrolled)
    return setsUp ? withFactor(system, holder, true) : holder
  }
  if (rows[name].withClients && name !== 'authorize') return throughApplication(system, enrolled, name)
  if (setsUp && !moves) return withFactor(system, enrolled, name !== 'confirm-second-factor')
  if (!moves) return enrolled
  tokens['email-change'] = await pendingToken(system, enrolled)
  if (name === 'undo') {
    const undo = mailedToken(system, email, '/undo')
    await ask(system, 'confirm-email-change', person, { token: tokens['email-change'], password })
    tokens.undo = await undo
    // That account gives way.
    await ask(system, 'register', person, { email, password })
  }
  return enrolled
}

/** A person logged in to an application, with a browser session. At `userinfo` the token is the application's. */
async function throughApplication(system: Running, person: Person, name: FunctionName): Promise<Person> {
  const login = await ask(system, 'authorize', person, await goodBody('authorize', person))
  const { location } = (await login.json()) as { location: string }
  const spentCode = new URL(location).searchParams.get('code') ?? ''
  const exchange = { grant_type: 'authorization_code', redirect_uri: redirect, code_verifier: verifier }
  const tokens = await ask(system, 'token', person, { client_id: sample.id, ...exchange, code: spentCode })
  const { access_token, refresh_token } = (await tokens.json()) as Token
  const cookie = cookieIn(login)
  const session = sessionOf(refresh_token)
  await dateBack(system, person.email, name === 'authorize-session' ? sessionIn(cookie).id : session.id)
  const bearer = name === 'userinfo' ? access_token : person.bearer
  return { ...person, bearer, cookie, spentCode, session: () => session }
}

/** Adds a passkey to a verified account. */
async function withPasskey(system: Running, person: Person): Promise<Person> {
  const device = authenticator({ origin: system.baseUrl })
  const setup = await ask(system, 'set-up-passkey', person, { password })
  const credential = device.create((await setup.json()) as Parameters<typeof device.create>[0])
  const confirmed = await ask(system, 'confirm-passkey', person, { credential, label: 'Phone' })
  const { id } = (await confirmed.json()) as { id: string }
  return { ...person, device, passkey: id }
}

/** Another person with a passkey, and with a second factor if the function is about one. */
const withOwnPasskey = (name: FunctionName) => async (system: Running, email: string) => {
  const holder = await withPasskey(system, await verified(system, email))
  return rows[name].refuses?.includes('no-second-factor') ? withFactor(system, holder, true) : holder
}

/** Another person, for the functions that need one. */
const others: Partial<Record<FunctionName, (system: Running, email: string) => Promise<Person>>> = {
  // The link verifies the address.
  login: async (system, email) => {
    const other = await linked(system, email)
    await unverify(system, other)
    return other
  },
  'provider-login': (...other) => linked(...other),
  'reset-password': (...other) => undone(...other),
  'confirm-email-change': async (system, email) => {
    const other = await withFactor(system, await verified(system, email), true)
    return { ...other, link: await pendingToken(system, other) }
  },
  'confirm-second-factor': async (system, email) => withFactor(system, await verified(system, email)),
  undo: (...other) => told(...other),
  'on-mail-queued': (...other) => told(...other),
}

/** A person with a mailed link to set up a second factor. */
async function linked(system: Running, email: string): Promise<Person> {
  const other = await verified(system, email)
  const mailed = mailedToken(system, email, '/second-factor')
  await queueMails({ kind: 'second-factor', account_id: idIn(other) })
  return { ...other, link: await mailed }
}

/** A logged-in person with a verified address. */
const verified = (system: Running, email: string): Promise<Person> => enrol(system, email, 'change-email')

/** A person whose change of address was undone, with the mailed reset link. */
async function undone(system: Running, email: string): Promise<Person> {
  const person = await enrol(system, email, 'undo')
  const reset = mailedToken(system, email, '/reset-password')
  await ask(system, 'undo', person, { token: await person.token('undo') })
  const token = await reset
  return { ...person, token: () => token }
}

/** A person who has just set up a second factor, with the undo link of its notice. */
async function told(system: Running, email: string): Promise<Person> {
  const undo = mailedToken(system, email, '/undo')
  const person = await withFactor(system, await verified(system, email), true)
  await identify(system, email)
  return { ...person, link: await undo }
}

/** Sets up a second factor, and confirms it on request: the person's code is then a recovery code. */
async function withFactor(system: Running, person: Person, isConfirmed = false): Promise<Person> {
  const setup = await ask(system, 'set-up-second-factor', person, { password })
  const secret = bytesOfBase32(((await setup.json()) as { secret: string }).secret)
  if (!isConfirmed) return { ...person, secret }
  const code = codeOf(secret, stepOf(new Date()))
  const confirmed = await ask(system, 'confirm-second-factor', person, { code })
  const { access_token, refresh_token, recovery_codes } = (await confirmed.json()) as Token & {
    recovery_codes: string[]
  }
  const session = sessionOf(refresh_token)
  return { ...person, session: () => session, bearer: access_token, code: recovery_codes[0] ?? '' }
}

/** Requests a link to a new address. */
async function pendingToken(system: Running, person: Person): Promise<string> {
  const mailed = mailedToken(system, person.newEmail, '/change-email')
  await ask(system, 'change-email', person, { new_email: person.newEmail })
  return mailed
}

/** The token of a link to a path in the next mail to an address. */
function mailedToken({ inbox }: Running, email: string, path: string): Promise<string> {
  return new Promise(resolve => {
    const end = inbox.onArrival(mail => {
      if (!mail.destination.to.includes(email) || linkIn(mail).pathname !== path) return
      end()
      resolve(linkIn(mail).searchParams.get('token') ?? '')
    })
  })
}

/**
 * Runs a function's journey. Without a grant it ends at the first request whose call was denied.
 *
 * @returns the statuses of its answers
 */
async function go(system: Running, name: FunctionName, missing?: Grant): Promise<number[]> {
  const person = people.get(name)
  if (!person) throw new Error(`there is no person for ${name}`)
  statuses.length = 0
  isOver = () => missing !== undefined && isDenied(name, missing)
  await (particular[name] ?? journeyOf(name))(system, person).catch(error => {
    if (!(error instanceof JourneyOver)) throw error
  })
  return [...statuses]
}

const isDenied = (name: FunctionName, grant: Grant): boolean => denials.some(denial => isOf(name, grant, denial))

/** Every call on an item, alone and in a transaction, by action. */
function callsOn(
  db: DynamoDB,
  TableName: string,
  Key: Record<string, { S: string }>,
): [action: string, call: () => Promise<unknown>][] {
  const item = { TableName, Key }
  const put = { TableName, Item: { ...Key, id: { S: 'thief' } } }
  const update = {
    ...item,
    UpdateExpression: 'SET updated_at = :at',
    ExpressionAttributeValues: { ':at': { S: 'now' } },
  }
  const check = { ...item, ConditionExpression: 'attribute_exists(id)' }
  return [
    ['GetItem', () => db.getItem(item)],
    ['PutItem', () => db.putItem(put)],
    ['UpdateItem', () => db.updateItem(update)],
    ['DeleteItem', () => db.deleteItem(item)],
    ['PutItem', () => db.transactWriteItems({ TransactItems: [{ Put: put }] })],
    ['UpdateItem', () => db.transactWriteItems({ TransactItems: [{ Update: update }] })],
    ['DeleteItem', () => db.transactWriteItems({ TransactItems: [{ Delete: item }] })],
    ['ConditionCheckItem', () => db.transactWriteItems({ TransactItems: [{ ConditionCheck: check }] })],
  ]
}

test('the role of a function reaches the items and guards of its row alone', async () => {
  const system = await restart(assembly)
  try {
    for (const name of functionNames) {
      const credentials = system.credential(name)
      const db = new DynamoDB({ region: 'us-east-1', endpoint: system.awsUrl, credentials, maxAttempts: 1 })
      const isAllowed = (call: () => Promise<unknown>): Promise<boolean> =>
        call().then(
          () => true,
          error => error.name !== 'AccessDeniedException',
        )
      const { may, writes } = needsOf(rows[name])
      for (const [family, prefix] of Object.entries({ ...families, None: 'none#' })) {
        const granted: readonly string[] = may[family as Family] ?? []
        for (const [action, call] of callsOn(db, rateLimitsTable, { key: { S: `${prefix}thief` } })) {
          const what = `${name}: ${action} of ${family}`
          expect(`${what} ${await isAllowed(call)}`).toBe(`${what} ${granted.includes(action)}`)
        }
      }
      for (const [kind, prefix] of Object.entries({ ...accountKinds, None: 'none#' })) {
        const granted: readonly string[] = may[kind as AccountKind] ?? []
        for (const [action, call] of callsOn(db, accountsTable, { key: { S: `${prefix}thief` } })) {
          const what = `${name}: ${action} of ${kind}`
          expect(`${what} ${await isAllowed(call)}`).toBe(`${what} ${granted.includes(action)}`)
        }
      }
      const account = { TableName: accountsTable, Key: { key: { S: `${accountKinds.Accounts}thief` } } }
      for (const [guard, attribute] of guards.flatMap(guard =>
        guardedBy([guard]).map(name => [guard, name] as const),
      )) {
        const isGranted = may.Accounts?.includes('UpdateItem') && writes.includes(guard)
        const inCondition = {
          ConditionExpression: `attribute_exists(${attribute})`,
          UpdateExpression: 'REMOVE updated_at',
        }
        for (const named of [{ UpdateExpression: `REMOVE ${attribute}` }, inCondition]) {
          const what = `${name}: ${attribute} (${guard})`
          const isMade = await isAllowed(() => db.updateItem({ ...account, ...named }))
          expect(`${what} ${isMade}`).toBe(`${what} ${isGranted ?? false}`)
        }
      }
      // The table of 0.4.0.
      for (const [action, call] of callsOn(db, 'Gatehouse-Users', { email: { S: 'thief@example.com' } }))
        expect(await isAllowed(call), `${name}: ${action}`).toBe(false)
      // A call that names no item has no leading key.
      for (const TableName of [rateLimitsTable, accountsTable])
        expect(await isAllowed(() => db.scan({ TableName })), name).toBe(false)
    }
  } finally {
    await system.stop()
  }
})

test('with all grants each journey passes, and no grant is unused', async () => {
  denials.length = 0
  const system = await restart(assembly)
  const isUsed = (name: string, grant: Grant) =>
    system.calls.some(call => isOf(name, grant, call) && (!grant.guard || names(call.attributes, grant.guard)))
  const names = (named: ReadonlySet<string>, guard: Guard) => guardedBy([guard]).some(name => named.has(name))
  try {
    for (const name of functionNames) {
      const statuses = await go(system, name)
      expect(
        statuses.filter(status => status >= 500),
        name,
      ).toEqual([])
      const [success] = rows[name].reply ?? []
      if (success) expect(statuses, name).toContain(success)
    }
    const unused = () =>
      [...grants].flatMap(([name, statements]) =>
        statements
          .filter(grant => isTested(name)(grant) && !isUsed(name, grant))
          .map(grant => `${name}: ${nameOf(grant)}`),
      )
    await vi.waitFor(() => expect(unused()).toEqual([]), { timeout: 300_000, interval: 100 })
    expect(denials).toEqual([])
  } finally {
    await system.stop()
  }
})

/** Failures that are not worth an error for callers, such as a hash that could not be replaced. */
const isLoggedInstead = (name: FunctionName): boolean =>
  logs.some(({ caller, line }) => caller === name && /"rehash-failed"|"AccessDeniedException"/.test(line))

test('with one grant taken away its function is denied exactly that', async () => {
  const rounds = Math.max(...[...grants].map(([name, statements]) => takenAway(name, statements).length))
  for (let round = 0; round < rounds; round++) {
    const { assembly, missing } = without(round)
    denials.length = 0
    logs.length = 0
    const system = await restart(assembly)
    try {
      const answered = new Map<FunctionName, number[]>()
      for (const [name, grant] of missing) answered.set(name, await go(system, name, grant))
      const told = () =>
        [...missing].map(([name, grant]) => {
          const statuses = answered.get(name) ?? []
          // The sender of an event gets no answer.
          const isTold = statuses.length === 0 || statuses.includes(503) || isLoggedInstead(name)
          return [`${name}: ${nameOf(grant)}`, isDenied(name, grant), isTold]
        })
      const asDenied = [...missing].map(([name, grant]) => [`${name}: ${nameOf(grant)}`, true, true])
      await vi.waitFor(() => expect(told()).toEqual(asDenied), { timeout: 300_000, interval: 100 })
      const others = denials.filter(denial => ![...missing].some(([name, grant]) => isOf(name, grant, denial)))
      expect(others).toEqual([])
    } finally {
      await system.stop()
    }
  }
})

/** The stack whose API lacks the grant to invoke some functions. */
function withoutInvoking(names: readonly FunctionName[]): Assembly {
  const template = structuredClone(assembly.template)
  const gone = names.map(name => `<${idOf(name, template)}.Arn>`)
  const statements = Object.values(template.Resources)
    .flatMap(({ Properties }) => (Properties?.Policies ?? []) as unknown as Policy[])
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
  for (const statement of statements.filter(({ Action }) => Action === 'lambda:InvokeFunction'))
    statement.Resource = [statement.Resource].flat().filter(arn => !gone.includes(inText(arn)))
  return { ...assembly, template }
}

test('with functions taken from the API’s role their requests alone are bare 500s', async () => {
  const served = functionNames.filter(name => routeKeysOf(name).length > 0)
  for (const half of [0, 1]) {
    const gone = served.filter((_, i) => i % 2 === half)
    denials.length = 0
    const system = await restart(withoutInvoking(gone))
    try {
      const failed: FunctionName[] = []
      for (const name of served) {
        const { method, path } = requestLine(name)
        const { status } = await fetch(new URL(path, system.baseUrl), { method })
        if (status === 500) failed.push(name)
      }
      expect(failed).toEqual(gone)
      expect(denials.map(({ caller, action }) => `${caller} ${action}`)).toEqual(
        gone.map(() => 'api-gateway lambda:InvokeFunction'),
      )
    } finally {
      await system.stop()
    }
  }
})
