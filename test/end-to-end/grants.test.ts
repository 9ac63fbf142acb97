import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { beforeAll, expect, test, vi } from 'vitest'
import type { Denial } from '../../local/aws/front.ts'
import type { LogLine } from '../../local/observer.ts'
import { type OperatorFile, operatorFileName } from '../../local/operator.ts'
import { type Running, runStack } from '../../local/system.ts'
import { type Assembly, assemble } from '../../local/template/assembly.ts'
import { codeLimit } from '../../shared/accounts/factors/code-limits.ts'
import { bytesOfBase32 } from '../../shared/accounts/factors/codes.ts'
import { codeOf, stepOf } from '../../shared/accounts/factors/totp.ts'
import { guessing } from '../../shared/accounts/guesses.ts'
import { rows } from '../../shared/api/needs.ts'
import type { Token } from '../../shared/api/replies.ts'
import { functionNames } from '../../shared/api/route-keys.ts'
import type { FunctionName } from '../../shared/api/routes.ts'
import { fruitlessBody, goodBody, type MailedToken, type Sender, sessionOf } from '../support/api/requests.ts'
import { countsGuesses, limitEach, requestLine } from '../support/api/rows.ts'
import { settingsToRun } from '../support/stack/settings.ts'
import { inText } from '../support/stack/template.ts'
import { linkIn } from '../support/system/running.ts'
import { dateBack } from '../support/system/sessions.ts'

/**
 * The grants in the template are exactly those needed: each function's journey passes and uses all of its grants, and
 * without one of them, that function's journey is denied exactly that call.
 */

interface Statement {
  Effect: string
  Action: string
  Resource: unknown
}
interface Policy {
  Roles: unknown[]
  PolicyDocument: { Statement: Statement[] }
}
/** Somebody for one journey: registered, with links that are not used yet. */
interface Person extends Sender {
  /** An access token, where the function asks for one. */
  bearer: string
  /** The secret of a second factor that waits to be confirmed. */
  secret: Uint8Array
  /** Somebody else with a second factor, for wrong codes. */
  other?: Person
  /** A link to a new address of somebody else, for guesses at the password. */
  pending?: string
}

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-grants-'))
const dataDirectory = join(directory, 'data')
const password = 'correct horse'
const denials: Denial[] = []
const logs: LogLine[] = []
let assembly: Assembly
let grants: ReturnType<typeof singleGrants>
/** Each journey has a person of its own, because it may void that person's tokens. */
let people: Map<FunctionName, Person[]>
/** The person for wrong guesses. They change nothing, so one person is enough. */
let guesser: Person
let port = 0

const settings = settingsToRun({
  MAIL_FROM: 'Gatehouse <no-reply@localhost>',
  RATE_LIMITS: limitEach('1000/minute'),
})

/** Another cost than that of the people's hashes, so that each first login replaces a hash. */
const laterSettings = { ...settings, BCRYPT_COST: settings.BCRYPT_COST + 1 }

const start = async (assembly: Assembly): Promise<Running> => {
  const system = await runStack({
    settings: laterSettings,
    assembly,
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

/** Sends a request by the method and the path of a row, with a token where the row asks for one. */
function ask({ baseUrl }: Running, name: FunctionName, { bearer }: Person, body?: object): Promise<Response> {
  const { method, path } = requestLine(name)
  return fetch(new URL(path, baseUrl), {
    method,
    headers: { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** Makes a function do every call that it may do. @returns the statuses of its answers */
type Journey = (system: Running, person: Person) => Promise<number[]>

/** A good request, and as many wrong guesses as it takes to pass their limit, where the function counts any. */
const journeyOf =
  (name: FunctionName): Journey =>
  async (system, person) => {
    const good = await goodBody(name, person)
    // A code of the app is decrypted; the recovery code of the good request tells the owner.
    const answers = rows[name].checksPassword ? [await ask(system, name, person, { ...good, code: '000000' })] : []
    answers.push(await ask(system, name, person, good))
    if (countsGuesses(name)) {
      const wrong = fruitlessBody(name)
      const guesses = Array.from({ length: guessing.pair.limit + 1 }, () => ask(system, name, guesser, wrong))
      answers.push(...(await Promise.all(guesses)))
    }
    return answers.map(({ status }) => status)
  }

/** Journeys of functions that need more than one good request to make every call. */
const particular: Partial<Record<FunctionName, Journey>> = {
  register: async (system, person) => [
    ...(await journeyOf('register')(system, person)),
    ...(await journeyOf('register')(system, { ...person, newEmail: person.email })),
  ],
  'confirm-email-change': async (system, person) => {
    const good = await goodBody('confirm-email-change', person)
    const answers = [
      await ask(system, 'confirm-email-change', person, { ...good, code: '000000' }),
      await ask(system, 'confirm-email-change', person, good),
    ]
    const wrong = { token: person.pending, password: 'wrong' }
    const guesses = Array.from({ length: guessing.pair.limit + 1 }, () =>
      ask(system, 'confirm-email-change', person, wrong),
    )
    answers.push(...(await Promise.all(guesses)))
    return answers.map(({ status }) => status)
  },
  'confirm-second-factor': async (system, person) => {
    const body = { code: codeOf(person.secret, stepOf(new Date())) }
    const answers = [await ask(system, 'confirm-second-factor', person, body)]
    const { other = person } = person
    const wrong = { code: '000000' }
    const codes = Array.from({ length: codeLimit.limit + 1 }, () => ask(system, 'confirm-second-factor', other, wrong))
    answers.push(...(await Promise.all(codes)))
    return answers.map(({ status }) => status)
  },
  'on-mail-queued': async (_, { email }) => {
    const { endpoint, region, credentials, outputs } = JSON.parse(
      readFileSync(join(dataDirectory, operatorFileName), 'utf8'),
    ) as OperatorFile
    const sqs = new SQSClient({ endpoint, region, credentials })
    const QueueUrl = Object.values(outputs)[0]?.MailQueue
    const message = { token: 't'.repeat(43), requested_at: Date.now() }
    for (const body of [
      { ...message, kind: 'reset', email },
      { ...message, kind: 'registration', email: `x${email}` },
      { ...message, kind: 'email-changed', email, account_id: 'x', new_email: `x${email}`, is_undoable: true },
    ]) {
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body) }))
    }
    return []
  },
}

/** The policies of each function's role by logical id, each statement made one of one action on one resource. */
function singleGrants({ template }: Assembly): Map<FunctionName, { policy: string; statements: Statement[] }> {
  const all = Object.entries(template.Resources) as [string, { Type: string; Properties?: unknown }][]
  const grants = new Map<FunctionName, { policy: string; statements: Statement[] }>()
  for (const name of functionNames) {
    const { summary } = rows[name]
    const isIts = ({ Properties }: { Properties?: unknown }) =>
      (Properties as { Description?: string })?.Description === summary
    const [, lambda] = all.find(([, resource]) => resource.Type === 'AWS::Lambda::Function' && isIts(resource)) ?? []
    if (!lambda) throw new Error(`there is no function ${name}`)
    const { Role } = lambda.Properties as { Role: unknown }
    const role = inText(Role).replace(/^<|\.Arn>$/g, '')
    const [policy = '', found] =
      all.find(([, { Type, Properties }]) => {
        return (
          Type === 'AWS::IAM::Policy' && (Properties as Policy).Roles.some(holder => inText(holder) === `<${role}>`)
        )
      }) ?? []
    if (!found) throw new Error(`the role of ${name} has no policy`)
    const { PolicyDocument } = found.Properties as Policy
    const statements = PolicyDocument.Statement.flatMap(statement =>
      [statement.Action]
        .flat()
        .flatMap(Action => [statement.Resource].flat().map(Resource => ({ ...statement, Action, Resource }))),
    )
    grants.set(name, { policy, statements })
  }
  return grants
}

/**
 * Logs and traces are Lambda's own calls, of which a machine makes the logs' alone, and only when a function writes. SES
 * asks about a configuration set where the sender's identity has one by default, and only AWS knows that.
 */
const isTested = ({ Action, Resource }: Statement): boolean =>
  !/^(?:logs|xray):/.test(Action) && !inText(Resource).includes(':configuration-set/')

/** The stack with one grant of each function taken away. @returns it, and what is missing, by function */
function without(index: number): { assembly: Assembly; missing: Map<FunctionName, Statement> } {
  const template = structuredClone(assembly.template)
  const missing = new Map<FunctionName, Statement>()
  for (const [name, { policy, statements }] of grants) {
    const gone = statements.filter(isTested)[index]
    const { Properties } = template.Resources[policy] as unknown as { Properties: Policy }
    Properties.PolicyDocument.Statement = statements.filter(grant => grant !== gone)
    if (gone) missing.set(name, gone)
  }
  return { assembly: { ...assembly, template }, missing }
}

/** Whether a call, or a denial, is of this grant: of its function, its action, and its resource where that is one. */
function isOf(name: string, { Action, Resource }: Statement, made: Omit<Denial, 'reason'>): boolean {
  const [, id = '', rest = ''] = /^<(\w+)\.Arn>(.*)$/.exec(inText(Resource)) ?? []
  return made.caller === name && made.action === Action && made.resource.includes(id) && made.resource.endsWith(rest)
}

beforeAll(async () => {
  assembly = await assemble(laterSettings, join(directory, 'cdk.out'))
  grants = singleGrants(assembly)

  const system = await start(await assemble(settings, join(directory, 'before.out')))
  const newPerson = (name: FunctionName, i: number) => enrol(system, `p${i}@${name}.example.com`, name)
  const journeys = [...grants].map(([name, { statements }]) => [name, statements.filter(isTested).length + 1] as const)
  people = new Map(
    await Promise.all(
      journeys.map(async ([name, count]) => {
        const some = await Promise.all(Array.from({ length: count }, (_, i) => newPerson(name, i)))
        return [name, some] as const
      }),
    ),
  )
  // With a second factor, without which some endpoints do not ask for the password.
  guesser = await enrol(system, 'guesser@example.com', 'renew-recovery-codes')
  await system.stop()
})

const isBearer = (name: FunctionName): boolean => rows[name].access === 'bearer'

/** Asks until a part of AWS answers: with hundreds of people at once, some calls take too long. */
async function insist(...request: Parameters<typeof ask>): Promise<Response> {
  for (;;) {
    const answer = await ask(...request)
    if (answer.status !== 503) return answer
  }
}

/** Opens an account, requests both links, and prepares it so that a function does everything that it may. */
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
  await insist(system, 'register', person, { email, password })
  const reset = mailedToken(system, email, '/reset-password')
  await insist(system, 'forgot-password', person, { email })
  const tokens: Partial<Record<MailedToken, string>> = { verification: await verification, reset: await reset }
  // Only owners of verified addresses are told what happened to their account.
  const { checksPassword } = rows[name]
  const setsUp = checksPassword || name === 'confirm-second-factor'
  if (rows[name].may?.MailQueue || setsUp) await insist(system, 'verify-email', person, { token: tokens.verification })
  const moves = name === 'confirm-email-change' || name === 'undo'
  const needsLogin = isBearer(name) || rows[name].body === 'RefreshRequest' || moves || setsUp
  const login = needsLogin ? await insist(system, 'login', person, { email, password, session: {} }) : null
  const { access_token: bearer = '', refresh_token } = ((await login?.json()) as Partial<Token>) ?? {}
  const session = sessionOf(refresh_token)
  if (name === 'refresh') await dateBack(system, email, session.id)
  const enrolled = { ...person, token: (kind: MailedToken) => tokens[kind] ?? '', session: () => session, bearer }
  if (setsUp && !moves) {
    const needsOther = name === 'confirm-second-factor' && !email.startsWith('other-')
    const other = needsOther ? { other: await enrol(system, `other-${email}`, name) } : {}
    return { ...(await withFactor(system, enrolled, checksPassword)), ...other }
  }
  if (!moves) return enrolled
  tokens['email-change'] = await pendingToken(system, enrolled)
  if (name === 'undo') {
    const undo = mailedToken(system, email, '/undo')
    await insist(system, 'confirm-email-change', person, { token: tokens['email-change'], password })
    tokens.undo = await undo
    return enrolled
  }
  const other = await enrol(system, `other-${email}`, 'change-email')
  const factor = await withFactor(system, enrolled, true)
  return { ...factor, pending: await pendingToken(system, other) }
}

/** Sets a second factor up, and confirms it if asked to: then the person's code is a recovery code. */
async function withFactor(system: Running, person: Person, isConfirmed = false): Promise<Person> {
  const setup = await insist(system, 'set-up-second-factor', person, { password })
  const secret = bytesOfBase32(((await setup.json()) as { secret: string }).secret)
  if (!isConfirmed) return { ...person, secret }
  const code = codeOf(secret, stepOf(new Date()))
  const confirmed = await insist(system, 'confirm-second-factor', person, { code })
  const { access_token, refresh_token, recovery_codes } = (await confirmed.json()) as Token & {
    recovery_codes: string[]
  }
  const session = sessionOf(refresh_token)
  return { ...person, session: () => session, bearer: access_token, code: recovery_codes[0] ?? '' }
}

/** Asks for a link to a new address. */
async function pendingToken(system: Running, person: Person): Promise<string> {
  const mailed = mailedToken(system, person.newEmail, '/change-email')
  await insist(system, 'change-email', person, { new_email: person.newEmail })
  return mailed
}

/** The token in the next mail to an address whose link leads to a path. */
function mailedToken({ inbox }: Running, email: string, path: string): Promise<string> {
  return new Promise(resolve => {
    const end = inbox.onArrival(mail => {
      if (!mail.destination.to.includes(email) || linkIn(mail).pathname !== path) return
      end()
      resolve(linkIn(mail).searchParams.get('token') ?? '')
    })
  })
}

/** Runs a function's journey with a person of its own. */
async function go(system: Running, name: FunctionName, round: number): Promise<number[]> {
  const person = people.get(name)?.at(round)
  if (!person) throw new Error(`no person is left for ${name}`)
  return (particular[name] ?? journeyOf(name))(system, person)
}

test('with all grants each journey passes, and there is no grant that none of them uses', async () => {
  const system = await start(assembly)
  const isUsed = (name: string, statement: Statement) => system.calls.some(call => isOf(name, statement, call))
  try {
    for (const name of functionNames) {
      const statuses = await go(system, name, -1)
      expect(
        statuses.filter(status => status >= 500),
        name,
      ).toEqual([])
      const [success] = rows[name].reply ?? []
      if (success) expect(statuses, name).toContain(success)
    }
    const unused = () =>
      [...grants].flatMap(([name, { statements }]) =>
        statements.filter(grant => isTested(grant) && !isUsed(name, grant)).map(({ Action }) => `${name}: ${Action}`),
      )
    await vi.waitFor(() => expect(unused()).toEqual([]), { timeout: 30_000, interval: 100 })
    expect(denials).toEqual([])
  } finally {
    await system.stop()
  }
})

/** Callers are not told that a hash could not be replaced. */
const isLoggedInstead = (name: FunctionName): boolean =>
  logs.some(({ caller, line }) => caller === name && line.includes('"rehash-failed"'))

test('with one grant taken away its function is denied exactly that, for every grant of every function', async () => {
  const rounds = Math.max(...[...grants.values()].map(({ statements }) => statements.filter(isTested).length))
  for (let round = 0; round < rounds; round++) {
    const { assembly, missing } = without(round)
    denials.length = 0
    logs.length = 0
    const system = await start(assembly)
    try {
      for (const [name, { Action }] of missing) {
        const statuses = await go(system, name, round)
        const isTold = statuses.includes(503) || isLoggedInstead(name)
        // The sender of an event gets no answer.
        if (statuses.length > 0) expect(isTold, `${name} without ${Action}: ${statuses}`).toBe(true)
      }
      const undenied = () =>
        [...missing]
          .filter(([name, grant]) => !denials.some(denial => isOf(name, grant, denial)))
          .map(([name, { Action }]) => `${name}: ${Action}`)
      await vi.waitFor(() => expect(undenied()).toEqual([]), { timeout: 30_000, interval: 100 })
      const others = denials.filter(denial => ![...missing].some(([name, grant]) => isOf(name, grant, denial)))
      expect(others).toEqual([])
    } finally {
      await system.stop()
    }
  }
})
