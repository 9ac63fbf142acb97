import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { needsProviders, rows } from '../../api/needs.ts'
import { functionNames } from '../../api/route-keys.ts'
import type { FunctionName } from '../../api/routes.ts'
import { latestErrors } from '../../infra/monitoring/dashboard.ts'
import { countedEvents } from '../../infra/monitoring/event-alarms.ts'
import { goodBody, type Sender } from '../support/api/requests.ts'
import { requestLine } from '../support/api/rows.ts'
import { shopQuery, shopRequest } from '../support/clients.ts'
import { verifier } from '../support/service/grants.ts'
import { applications, providerList } from '../support/stack/settings.ts'
import { inText, synthesize } from '../support/stack/template.ts'
import { goToExample } from '../support/system/example.ts'
import { addPasskey } from '../support/system/passkeys.ts'
import { logInFor, registerSender, runSystem } from '../support/system/running.ts'
import { observe, smallStack, until } from '../support/system/small-stack.ts'

/**
 * AWS's own runtime client runs every bundle and treats entry points, handlers and log lines as Lambda does. Alarms and
 * the dashboard are checked against these lines, and so is our own loop in `npm start`.
 */

const runtimeClient = join(import.meta.dirname, '../support/system/aws-runtime-client.mjs')
const env = {
  MAIL_FROM: 'Gatehouse <no-reply@localhost>',
  RATE_LIMITS: 'off',
  OIDC_CLIENTS: applications,
  PASSKEY_RP_ID: 'localhost',
}

interface Line {
  level?: string
  requestId?: string
  message?: { event?: string; error?: string }
  _aws?: { CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[] }
}
const written: { caller: string; line: Line }[] = []
const running = runSystem(env, {
  runtimeClient,
  providerPort: 0,
  // A second process of a function adds nothing.
  concurrency: 1,
  observer: { logged: ({ caller, line }) => written.push({ caller, line: JSON.parse(line) }) },
})
const { send } = running
const password = 'correct horse'
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const requestId = expect.stringMatching(/^[\da-f-]{36}$/)

/** A person for one request: registered, with the tokens of their mailed links. */
async function personFor(name: FunctionName): Promise<Sender & { authorization: string }> {
  const person = await registerSender(running, `${name}@example.com`)
  const { accessToken, code } = await logInFor(name, running, person)
  const passkey = name.includes('passkey') ? await addPasskey(running, { ...person, accessToken }) : null
  return {
    ...person,
    ...(passkey && { passkey: passkey.id, assertion: passkey.logIn, credential: passkey.make }),
    ...(code !== undefined && { code }),
    authorization: `Bearer ${accessToken}`,
  }
}

/** @returns the status of the answer to a good request */
async function ask(name: FunctionName): Promise<number> {
  const { method, path } = requestLine(name)
  const person = await personFor(name)
  const body = await goodBody(name, person)
  return (await send(method, path, body, { authorization: person.authorization })).status
}

describe('under AWS’s own runtime client', () => {
  const names = functionNames.filter(name => rows[name].on && !rows[name].withClients && !needsProviders(name))
  const answers: Partial<Record<FunctionName, number>> = {}
  // In parallel, because the mail of a registration takes two seconds.
  beforeAll(() => Promise.all(names.map(async name => void Object.assign(answers, { [name]: await ask(name) }))))

  test.each(names)('%s starts, and answers', name => {
    expect(answers[name]).toBe(name === 'not-found' ? 404 : (rows[name].reply?.[0] ?? 200))
  })

  test('those of providers offer one, open an account by it, and log in to it', async () => {
    const { status, body } = await send('GET', '/auth/providers')
    expect([status, body.providers]).toEqual([200, [expect.objectContaining({ id: 'example' })]])
    const logIn = async () => {
      const browser = await goToExample(body.providers[0])
      return (await send('POST', '/auth/provider-login', await browser.proofOf('provider@example.com'))).status
    }
    expect([await logIn(), await logIn()]).toEqual([200, 200])
  })

  test('those of applications log somebody in, by the cookie of a browser too, and out', async () => {
    const email = 'application@example.com'
    await send('POST', '/auth/register', { email, password })
    const ownPage = { 'sec-fetch-site': 'same-origin' }
    const asForm = { 'content-type': 'application/x-www-form-urlencoded' }
    const form = (fields: object) => new URLSearchParams({ client_id: shopRequest.client_id, ...fields }).toString()

    const request = shopQuery({ scope: 'openid offline_access' })
    const login = await send('POST', '/auth/authorize', { request, email, password, stay: true }, ownPage)
    expect(login.status).toBe(200)
    const [cookie = ''] = login.headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-gatehouse=[^;]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=\d+$/)
    const browser = { ...ownPage, cookie: cookie.split(';', 1)[0] ?? '' }
    const silent = await send('POST', '/auth/authorize-session', { request }, browser)
    expect(silent.status).toBe(200)

    const code = new URL(silent.body.location).searchParams.get('code')
    const exchange = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: shopRequest.redirect_uri,
      code_verifier: verifier,
    }
    const tokens = await send('POST', '/auth/token', form(exchange), asForm)
    expect(tokens.status).toBe(200)
    const bearer = { authorization: `Bearer ${tokens.body.access_token}` }
    for (const method of ['GET', 'POST'])
      expect((await send(method, '/auth/userinfo', undefined, bearer)).status).toBe(200)
    expect((await send('POST', '/auth/revoke', form({ token: tokens.body.refresh_token }), asForm)).status).toBe(200)
    expect((await send('GET', '/auth/userinfo', undefined, bearer)).status).toBe(401)

    const logout = await send('POST', '/auth/logout-browser', { request: '', confirmed: true }, browser)
    expect([logout.status, logout.headers.getSetCookie()]).toEqual([200, [expect.stringMatching(/; Max-Age=0$/)]])
    expect((await send('POST', '/auth/authorize-session', { request }, browser)).status).toBe(401)
  })

  test('the mail worker has sent the requested mails', async () => {
    await until(() => written.some(({ line }) => line.message?.event === 'mail-sent'))
    expect(running.system.environments.some(({ caller }) => caller === 'on-mail-queued')).toBe(true)
  })

  test('functions write events as objects in Lambda’s lines, and metrics as lines of their own', async () => {
    const metricsIn = (lines: typeof written) => lines.filter(({ line }) => line._aws)
    const isCounted = ({ line }: (typeof written)[number]) =>
      !line._aws && countedEvents.includes(line.message?.event ?? '')
    await until(() => metricsIn(written).length === written.filter(isCounted).length)
    const events = written.filter(({ line }) => !line._aws)
    for (const { line } of events) {
      expect(line).toEqual({
        timestamp,
        level: 'INFO',
        requestId,
        message: expect.objectContaining({ event: expect.any(String) }),
      })
    }
    const named = (lines: typeof written, of: (line: Line) => string | undefined) =>
      lines.map(({ caller, line }) => `${caller} ${of(line)}`).sort()
    expect(events.length).toBeGreaterThan(20)
    const counted = events.filter(isCounted)
    expect(counted.length).toBeGreaterThan(3)
    expect(named(metricsIn(written), metricName)).toEqual(named(counted, ({ message }) => message?.event))
  })

  test('every metric of an alarm or the dashboard is written, and read by an alarm', () => {
    const { _aws, ...members } = written.find(({ line }) => line._aws)?.line ?? {}
    const [directive] = _aws?.CloudWatchMetrics ?? []
    const stage = (members as Record<string, unknown>)[directive?.Dimensions[0]?.[0] ?? '']
    const read = metricsRead().filter(({ name }) => name !== 'answered-429')
    expect(read.length).toBeGreaterThan(15)
    for (const { namespace, name, dimensions } of read) {
      expect(countedEvents).toContain(name)
      expect({ namespace, dimensions }).toEqual({ namespace: directive?.Namespace, dimensions: ['Stage', stage] })
    }
    expect([...new Set(read.map(({ name }) => name))].sort()).toEqual([...countedEvents].sort())
  })
})

const metricName = ({ _aws }: Line) => _aws?.CloudWatchMetrics[0]?.Metrics[0]?.Name

/** The stack's own metrics in the template's alarms and dashboard. */
function metricsRead() {
  const stack = synthesize({
    SIGN_IN_PROVIDERS: providerList,
    PASSWORD_BLOCKLIST: 'online',
    ...env,
    PASSKEY_RP_ID: 'example.com',
    PASSKEY_ORIGINS: 'https://example.com',
  })
  const { widgets } = JSON.parse(inText(stack.only('AWS::CloudWatch::Dashboard').Properties.DashboardBody)) as {
    widgets: { properties: { metrics?: [string, string, ...string[]][] } }[]
  }
  const graphs = widgets.flatMap(({ properties: { metrics = [] } }) =>
    metrics.map(([namespace, name, ...rest]) => ({ namespace, name, dimensions: rest.slice(0, 2) })),
  )
  const alarms = stack.all('AWS::CloudWatch::Alarm').map(([, { Properties: p }]) => ({
    namespace: p.Namespace as string,
    name: p.MetricName as string,
    dimensions: ((p.Dimensions ?? []) as { Name: string; Value: string }[]).flatMap(({ Name, Value }) => [Name, Value]),
  }))
  return [...graphs, ...alarms].filter(({ namespace }) => namespace === 'Gatehouse')
}

/** Functions that log, and that fail in every possible way. */
const sources = {
  logs: `exports.handler = async (event, context) => {
    console.info({ event: 'registered' })
    console.log('a %s', 'b')
    console.warn('careful')
    console.error('failed', new TypeError('why'))
    console.error({ error: 'DomainError', message: 'unavailable', cause: { error: 'ThrottlingException', status: 400 } })
    console.debug('not to be seen')
    process.stdout.write('{"_aws":{}}\\n')
    console.info(Object.keys(context).filter(name => context[name] !== undefined).sort().join())
  }`,
  throws: "exports.handler = async () => { throw Object.assign(new RangeError('too far'), { code: 7 }) }",
  'throws-text': "exports.handler = async () => { throw 'too far' }",
  unloadable: "throw new Error('no such thing')",
  slow: 'exports.handler = () => new Promise(done => setTimeout(done, 60_000))',
  exits: 'exports.handler = () => process.exit(3)',
}
type Lines = Record<keyof typeof sources, Record<string, unknown>[]>

/** The output of each function, and Lambda's reports about it. */
async function linesUnder(client?: string): Promise<Lines> {
  const names = Object.keys(sources) as (keyof typeof sources)[]
  const functions = names.map(name => [name, { source: sources[name], on: [`GET /${name}`], timeout: 1 }] as const)
  await using stack = await observe(smallStack(Object.fromEntries(functions)), client ? { runtimeClient: client } : {})
  await Promise.all(names.map(name => fetch(`${stack.baseUrl}/${name}`)))
  const of = (name: string) =>
    stack.lines
      .filter(({ caller, line }) => caller === name && line.startsWith('{'))
      .map(({ line }) => JSON.parse(line) as Record<string, unknown>)
  await until(() => of('logs').length === 7 && names.every(name => of(name).length > 0))
  return Object.fromEntries(names.map(name => [name, of(name)])) as Lines
}

describe('of what functions write when they fail', () => {
  let aws: Lines
  beforeAll(async () => {
    aws = await linesUnder(runtimeClient)
  })

  test('our own loop writes the same lines', async () => {
    const ours = await linesUnder()
    const masked = (lines: Lines) =>
      Object.fromEntries(
        // Only the first line of a stack trace. AWS's client reports an environment that did not start differently,
        // because it does not know our Runtime API's path.
        Object.entries(lines).map(([name, all]) => [
          name,
          all
            .filter(({ type }) => type === undefined || name !== 'unloadable')
            .map(line =>
              JSON.parse(JSON.stringify(line), (key, value) => {
                if (['timestamp', 'time', 'requestId'].includes(key)) return String(value).replaceAll(/[\da-f]/g, '0')
                if (key === 'durationMs') return typeof value
                if (key === 'stackTrace') return value[0]
                return typeof value === 'string' ? value.split('\n')[0] : value
              }),
            ),
        ]),
      )
    expect(masked(ours)).toEqual(masked(aws))
  })

  test.each<[keyof Lines, error: string, text: string | undefined]>([
    ['throws', 'RangeError', 'too far'],
    ['throws-text', 'Error', 'too far'],
    ['unloadable', 'Error', 'no such thing'],
    // AWS documents these lines (AWS Lambda, "Telemetry API event schema reference"), here our environments write them.
    ['slow', 'timeout', undefined],
    ['exits', 'Runtime.ExitError', undefined],
  ])('the dashboard shows why a function fails: %s', (name, error, text) => {
    const [first] = shown(aws[name])
    expect(first).toEqual({ error, text, request: name === 'unloadable' ? '-' : requestId })
  })

  test('the dashboard shows what the service reports, by its innermost cause, and nothing else', () => {
    expect(shown(aws.logs)).toEqual([
      { error: undefined, text: expect.stringMatching(/^failed TypeError: why/), request: requestId },
      { error: 'ThrottlingException', text: 'unavailable', request: requestId },
    ])
  })
})

/** The dashboard's query over lines, made of the same fields and filter. */
function shown(lines: Record<string, unknown>[]): Record<string, unknown>[] {
  const at = (line: Record<string, unknown>, path: string): unknown =>
    path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], line)
  const isShown = (line: Record<string, unknown>) =>
    latestErrors.filter
      .split(' or ')
      .some(alternative =>
        [...alternative.matchAll(/([\w.]+) (!?=) '([^']*)'/g)].every(([, path = '', operator, value]) =>
          operator === '=' ? at(line, path) === value : at(line, path) !== value,
        ),
      )
  return lines.filter(isShown).map(line =>
    Object.fromEntries(
      Object.entries(latestErrors.fields).map(([name, places]) => [
        name,
        // Logs Insights finds only texts and numbers: an object's members are separate fields.
        places.map(path => at(line, path)).find(value => value !== undefined && typeof value !== 'object'),
      ]),
    ),
  )
}
