import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { isAlive } from '../../support/system/is-alive.ts'
import { type Observed, observe, observeOnce, smallStack, until } from '../../support/system/small-stack.ts'

let system: Observed
beforeAll(async () => {
  process.env.OF_THE_HOST = 'not to be seen'
  system = await observe(
    smallStack({
      context: {
        on: ['GET /context'],
        timeout: 7,
        environment: { GIVEN: 'by the template' },
        source: `exports.handler = async (event, context) => ({
          context,
          remaining: context.getRemainingTimeInMillis(),
          env: process.env,
          loaded: process.moduleLoadList.filter(name => name.includes('undici')),
          cwd: process.cwd(),
        })`,
      },
      slow: {
        on: ['GET /slow'],
        timeout: 1,
        source: 'exports.handler = () => new Promise(resolve => setTimeout(resolve, 60_000))',
      },
      unsettled: { on: ['GET /unsettled'], timeout: 60, source: 'exports.handler = () => new Promise(() => {})' },
      stuck: { on: ['GET /stuck'], timeout: 1, source: 'exports.handler = () => { for (;;); }' },
      crash: {
        on: ['GET /crash'],
        source: `let calls = 0
          exports.handler = async ({ rawQueryString }) => {
            if (rawQueryString === 'exit') process.exit(3)
            if (rawQueryString === 'throw') setTimeout(() => { throw new Error('later') })
            if (rawQueryString !== '') await new Promise(() => {})
            return { calls: ++calls }
          }`,
      },
      unloadable: { on: ['GET /unloadable'], source: 'throw new Error("no such thing")' },
      'no-handler': { on: ['GET /no-handler'], source: 'exports.other = 1' },
      pid: {
        on: ['GET /pid'],
        source: `let running = 0
          exports.handler = async () => {
            running++
            await new Promise(resolve => setTimeout(resolve, 20))
            return { pid: process.pid, running: running-- }
          }`,
      },
      largest: { on: ['GET /largest'], source: 'exports.handler = async () => "x".repeat(6 * 1024 * 1024 + 98)' },
      huge: { on: ['GET /huge'], source: 'exports.handler = async () => "x".repeat(6 * 1024 * 1024 + 99)' },
    }),
  )
})
afterAll(() => system.stop())

const get = async (path: string) => {
  const response = await fetch(`${system.baseUrl}${path}`)
  const text = await response.text()
  return { status: response.status, text, json: () => JSON.parse(text) }
}

describe('an execution environment', () => {
  test('is given Lambda’s context, with the members of the real one', async () => {
    const { context, remaining } = (await get('/context')).json()
    expect(context).toEqual({
      functionName: 'Gatehouse-ContextFunction00000000',
      functionVersion: '$LATEST',
      invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:Gatehouse-ContextFunction00000000',
      memoryLimitInMB: '256',
      awsRequestId: expect.stringMatching(/^[\da-f-]{36}$/),
      logGroupName: '/aws/lambda/Gatehouse-ContextFunction00000000',
      logStreamName: expect.any(String),
    })
    expect(remaining).toBeGreaterThan(6000)
    expect(remaining).toBeLessThanOrEqual(7000)
  })

  test('sees the template’s variables and Lambda’s own, and nothing of the host but its certificates', async () => {
    const { env } = (await get('/context')).json()
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env
    expect(env).toMatchObject({
      GIVEN: 'by the template',
      AWS_REGION: 'us-east-1',
      AWS_LAMBDA_FUNCTION_NAME: 'Gatehouse-ContextFunction00000000',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      AWS_ENDPOINT_URL: system.awsUrl,
      _HANDLER: 'index.handler',
      LAMBDA_TASK_ROOT: expect.stringMatching(/asset\.context$/),
      TZ: ':UTC',
    })
    expect({
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      sessionToken: AWS_SESSION_TOKEN,
    }).toEqual(system.credential('context'))
    expect(env).not.toHaveProperty('OF_THE_HOST')
    expect(
      Object.keys(env).filter(
        name => !/^(?:AWS_|_HANDLER|LAMBDA_|LANG|PATH|HOME|TZ|GIVEN|NODE_EXTRA_CA_CERTS)/.test(name),
      ),
    ).toEqual([])
  })

  test('does not load undici, which would add to every cold start', async () => {
    expect((await get('/context')).json().loaded).toEqual([])
  })

  test('handles one request at a time, and is used again', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => get('/pid')))
    const seen = answers.map(answer => answer.json())
    expect(seen.every(({ running }) => running === 1)).toBe(true)
    expect(new Set(seen.map(({ pid }) => pid)).size).toBeLessThanOrEqual(Math.max(2, availableParallelism()))
  })
})

test('the operator’s one variable that a function sees names certificates, from the operator’s folder', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  const read = 'exports.handler = async () => process.env.NODE_EXTRA_CA_CERTS ?? "none"'
  const seen = async (file: string | undefined, from: string | undefined) => {
    vi.stubEnv('NODE_EXTRA_CA_CERTS', file)
    vi.stubEnv('INIT_CWD', from)
    const stack = await observeOnce(smallStack({ one: { on: ['$default'], source: read } }))
    return (await fetch(stack.baseUrl)).text()
  }
  expect(await seen('cert.pem', '/home/ada')).toBe('/home/ada/cert.pem')
  expect(await seen('cert.pem', undefined)).toBe(resolve('cert.pem'))
  expect(await seen('', undefined)).toBe('none')
  expect(await seen(undefined, undefined)).toBe('none')
})

test('one request after the other is handled by one environment', async () => {
  const stack = await observeOnce(
    smallStack({ one: { on: ['$default'], source: 'exports.handler = async () => process.pid' } }),
  )
  const pids = new Set<string>()
  for (let i = 0; i < 50; i++) pids.add(await (await fetch(stack.baseUrl)).text())
  expect(pids.size).toBe(1)
})

describe('a function that', () => {
  const linesOf = (caller: string) =>
    system.lines
      .filter(logged => logged.caller === caller && logged.line.startsWith('{'))
      .map(({ line }) => JSON.parse(line) as { level?: string; type?: string; record?: object })
  /** Lambda's own reports about a function. */
  const reports = (caller: string) =>
    linesOf(caller).flatMap(({ type, record }) => (type === 'platform.report' && record ? [record] : []))
  const bare500 = { status: 500, text: '{"message":"Internal Server Error"}' }

  test.each(['/slow', '/stuck'])('runs out of time (%s) is killed, and the answer is a bare 500', async path => {
    const caller = path.slice(1)
    const answer = get(path)
    const { pid } = await until(() =>
      system.environments.find(environment => environment.caller === caller && environment.state === 'busy'),
    )
    expect(await answer).toMatchObject(bare500)
    await until(() => !isAlive(pid))
    const [report] = await until(() => reports(caller).length > 0 && reports(caller))
    expect(report).toEqual({
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      metrics: { durationMs: 1000, memorySizeMB: 256 },
      status: 'timeout',
    })
  })

  test.each(['exit', 'throw'])('ends its process (%s) is a bare 500, and the next call starts another', async how => {
    expect((await get('/crash')).json().calls).toBeGreaterThanOrEqual(1)
    expect(await get(`/crash?${how}`)).toMatchObject(bare500)
    expect((await get('/crash')).json()).toEqual({ calls: 1 })
    await until(() => reports('crash').length > 0)
    expect(reports('crash')[0]).toMatchObject({ status: 'error', errorType: 'Runtime.ExitError' })
  })

  test.each(['/unloadable', '/no-handler'])('cannot be loaded (%s) is a bare 500 each time', async path => {
    const answers = await Promise.all([get(path), get(path), get(path)])
    for (const answer of answers) expect(answer).toMatchObject(bare500)
    await until(() => linesOf(path.slice(1)).filter(({ level }) => level === 'ERROR').length === 3)
    await until(() => reports(path.slice(1)).length === 3)
  })

  test('returns a promise that can never settle is a bare 500 at once', async () => {
    expect(await get('/unsettled')).toMatchObject(bare500)
  })

  test('returns more than Lambda passes on is a bare 500', async () => {
    expect(await get('/huge')).toMatchObject(bare500)
    expect(await get('/largest')).toMatchObject({ status: 200 })
  })
})

test('the logs of a function whose role may not write are lost, which is said', async () => {
  const assembly = smallStack({
    silent: { on: ['$default'], source: 'exports.handler = async () => console.info("x") ?? 1' },
  })
  const { Properties } = assembly.template.Resources.silentPolicy ?? {}
  Object.assign(Properties?.PolicyDocument ?? {}, { Statement: [] })
  const stack = await observeOnce(assembly)
  await fetch(stack.baseUrl)
  await until(() => stack.denials.length > 0)
  expect(stack.denials).toEqual([expect.objectContaining({ caller: 'silent', action: 'logs:CreateLogStream' })])
  expect(stack.lines).toEqual([])
})
