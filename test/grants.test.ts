import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Denial } from '../infra/local/aws/front.ts'
import { type OperatorFile, operatorFileName } from '../infra/local/operator.ts'
import { type Running, runStack } from '../infra/local/system.ts'
import { type Assembly, assemble } from '../infra/local/template/assembly.ts'
import { readSettings } from '../infra/settings/settings.ts'
import { functionNames } from '../shared/needs.ts'
import { consumers, type FunctionRow, routes } from '../shared/routes.ts'
import { linkIn } from './support/running.ts'
import { inText } from './support/template.ts'

/**
 * Every grant in the template is needed and enough: with all of them each function's journey passes and uses each, and
 * with one taken away that function's journey meets exactly that denial.
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
/** Somebody for one run: registered, with links that are not used yet. */
interface Person {
  email: string
  verification: string
  reset: string
}

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-grants-'))
const dataDirectory = join(directory, 'data')
const password = 'correct horse'
const denials: Denial[] = []
let whole: Assembly
let grants: ReturnType<typeof singleGrants>
let rounds = 0
let people: Person[]
let bearer = ''
let port = 0

const settingsAt = (cost: number) =>
  readSettings({
    MAIL_FROM: 'Gatehouse <no-reply@localhost>',
    BCRYPT_COST: String(cost),
    RATE_LIMITS: 'login=1000/minute',
  })

/** Today's cost differs from the one that the people's hashes have: each first login replaces one. */
const start = async (assembly: Assembly): Promise<Running> => {
  const system = await runStack({
    settings: settingsAt(11),
    assembly,
    port,
    inboxPort: 0,
    host: '127.0.0.1',
    dataDirectory,
    observer: {
      denied: denial => void denials.push(denial),
    },
  })
  port = Number(new URL(system.baseUrl).port)
  return system
}

const request = async (system: Running, method: string, path: string, body?: object, token = ''): Promise<Response> =>
  fetch(new URL(path, system.baseUrl), {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  })

/** What each function is asked, so that it makes every call that it may. @returns the statuses of its answers */
const journeys: Record<string, (system: Running, person: Person, bearer: string) => Promise<number[]>> = {
  register: async (system, { email }) => [
    (await request(system, 'POST', '/auth/register', { email: `new-${email}`, password })).status,
    (await request(system, 'POST', '/auth/register', { email, password })).status,
  ],
  login: async (system, { email }) => {
    const right = await request(system, 'POST', '/auth/login', { email, password })
    const wrong = await Promise.all(
      Array.from({ length: 11 }, () =>
        request(system, 'POST', '/auth/login', { email: `no-${email}`, password: 'wrong' }),
      ),
    )
    return [right, ...wrong].map(({ status }) => status)
  },
  'get-me': async (system, _, bearer) => [(await request(system, 'GET', '/auth/me', undefined, bearer)).status],
  'update-me': async (system, _, bearer) => [(await request(system, 'PUT', '/auth/me', { name: 'A' }, bearer)).status],
  // Of somebody else: a newer link would take the place of the one that is to be used.
  'forgot-password': async system => [
    (await request(system, 'POST', '/auth/forgot-password', { email: 'nobody@example.com' })).status,
  ],
  'resend-verification': async (system, { email }) => [
    (await request(system, 'POST', '/auth/resend-verification', { email })).status,
  ],
  'reset-password': async (system, { reset: token }) => [
    (await request(system, 'POST', '/auth/reset-password', { token, new_password: 'battery staple' })).status,
  ],
  'verify-email': async (system, { verification: token }) => [
    (await request(system, 'POST', '/auth/verify-email', { token })).status,
  ],
  'signing-keys': async system => [(await request(system, 'GET', '/auth/.well-known/jwks.json')).status],
  catalogue: async system => [(await request(system, 'GET', '/catalogue')).status],
  pages: async system => [(await request(system, 'GET', '/verify-email')).status],
  'not-found': async system => [(await request(system, 'GET', '/nowhere')).status],
  'on-mail-queued': async (_, { email }) => {
    const { endpoint, region, credentials, outputs } = JSON.parse(
      readFileSync(join(dataDirectory, operatorFileName), 'utf8'),
    ) as OperatorFile
    const sqs = new SQSClient({ endpoint, region, credentials })
    const QueueUrl = Object.values(outputs)[0]?.MailQueue
    const message = { token: 't'.repeat(43), requested_at: Date.now() }
    for (const one of [
      { ...message, kind: 'reset', email },
      { ...message, kind: 'registration', email: `x${email}` },
    ]) {
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(one) }))
    }
    return []
  },
}

const rows: Record<string, FunctionRow> = { ...routes, ...consumers }

/** The policies of each function's role by logical id, each statement made one of one action on one resource. */
function singleGrants({ template }: Assembly): Map<string, { policy: string; statements: Statement[] }> {
  const all = Object.entries(template.Resources) as [string, { Type: string; Properties?: unknown }][]
  const grants = new Map<string, { policy: string; statements: Statement[] }>()
  for (const [name, { summary }] of Object.entries(rows)) {
    const isIts = ({ Properties }: { Properties?: unknown }) =>
      (Properties as { Description?: string })?.Description === summary
    const [, lambda] = all.find(([, one]) => one.Type === 'AWS::Lambda::Function' && isIts(one)) ?? []
    if (!lambda) throw new Error(`there is no function ${name}`)
    const { Role } = lambda.Properties as { Role: unknown }
    const role = inText(Role).replace(/^<|\.Arn>$/g, '')
    const [policy = '', found] =
      all.find(([, { Type, Properties }]) => {
        return Type === 'AWS::IAM::Policy' && (Properties as Policy).Roles.some(one => inText(one) === `<${role}>`)
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
function without(index: number): { assembly: Assembly; missing: Map<string, Statement> } {
  const template = structuredClone(whole.template)
  const missing = new Map<string, Statement>()
  for (const [name, { policy, statements }] of grants) {
    const gone = statements.filter(isTested)[index]
    const { Properties } = template.Resources[policy] as unknown as { Properties: Policy }
    Properties.PolicyDocument.Statement = statements.filter(one => one !== gone)
    if (gone) missing.set(name, gone)
  }
  return { assembly: { ...whole, template }, missing }
}

/** Whether a call, or a denial, is of this grant: of its function, its action, and its resource where that is one. */
function isOf(name: string, { Action, Resource }: Statement, made: Omit<Denial, 'reason'>): boolean {
  const [, id = '', rest = ''] = /^<(\w+)\.Arn>(.*)$/.exec(inText(Resource)) ?? []
  return made.caller === name && made.action === Action && made.resource.includes(id) && made.resource.endsWith(rest)
}

beforeAll(async () => {
  whole = await assemble(settingsAt(11), join(directory, 'cdk.out'))
  grants = singleGrants(whole)
  rounds = Math.max(...[...grants.values()].map(({ statements }) => statements.filter(isTested).length))

  const system = await start(await assemble(settingsAt(10), join(directory, 'before.out')))
  const tokenFor = (email: string, path: string): Promise<string> =>
    new Promise(resolve => {
      const end = system.inbox.onArrival(mail => {
        if (!mail.destination.to.includes(email) || linkIn(mail).pathname !== path) return
        end()
        resolve(linkIn(mail).searchParams.get('token') ?? '')
      })
    })
  people = await Promise.all(
    Array.from({ length: rounds + 1 }, async (_, i) => {
      const email = `p${i}@example.com`
      const verification = tokenFor(email, '/verify-email')
      await request(system, 'POST', '/auth/register', { email, password })
      const reset = tokenFor(email, '/reset-password')
      await request(system, 'POST', '/auth/forgot-password', { email })
      return { email, verification: await verification, reset: await reset }
    }),
  )
  const login = await request(system, 'POST', '/auth/login', { email: 'p0@example.com', password })
  bearer = ((await login.json()) as { access_token: string }).access_token
  await system.stop()
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('with all grants each journey passes, and there is no grant that none of them uses', async () => {
  const person = people.at(-1) as Person
  const system = await start(whole)
  const isUsed = (name: string, statement: Statement) => system.calls.some(call => isOf(name, statement, call))
  try {
    for (const name of functionNames) {
      const statuses = await journeys[name]?.(system, person, name === 'get-me' || name === 'update-me' ? bearer : '')
      expect(
        statuses?.filter(status => status >= 500),
        name,
      ).toEqual([])
    }
    const unused = () =>
      [...grants].flatMap(([name, { statements }]) =>
        statements.filter(one => isTested(one) && !isUsed(name, one)).map(({ Action }) => `${name}: ${Action}`),
      )
    await vi.waitFor(() => expect(unused()).toEqual([]), { timeout: 30_000, interval: 100 })
    expect(denials).toEqual([])
  } finally {
    await system.stop()
  }
})

test('with one grant taken away its function is denied exactly that, for every grant of every function', async () => {
  for (let round = 0; round < rounds; round++) {
    const { assembly, missing } = without(round)
    denials.length = 0
    const system = await start(assembly)
    try {
      for (const name of missing.keys()) {
        const statuses = (await journeys[name]?.(system, people[round] as Person, bearer)) ?? []
        const { Action } = missing.get(name) as Statement
        // A hash that could not be replaced is nothing that a caller is told of.
        const isSilent = name === 'on-mail-queued' || (name === 'login' && Action === 'dynamodb:UpdateItem')
        if (!isSilent)
          expect(
            statuses.some(status => status === 503),
            `${name} without ${Action}: ${statuses}`,
          ).toBe(true)
      }
      const undenied = () =>
        [...missing]
          .filter(([name, one]) => !denials.some(denial => isOf(name, one, denial)))
          .map(([name, { Action }]) => `${name}: ${Action}`)
      await vi.waitFor(() => expect(undenied()).toEqual([]), { timeout: 30_000, interval: 100 })
      const others = denials.filter(denial => ![...missing].some(([name, one]) => isOf(name, one, denial)))
      expect(others).toEqual([])
    } finally {
      await system.stop()
    }
  }
})
