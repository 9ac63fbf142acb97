import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { BatchWriteItemCommand, DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { startQueues } from '../../local/aws/queues.ts'
import { suppressionList } from '../../local/aws/ses.ts'
import { Tables } from '../../local/aws/tables.ts'
import { openClock } from '../../local/clock/clock.ts'
import { ahead, setAhead } from '../../local/clock/date.cjs'
import { inWords } from '../../local/clock/in-words.ts'
import { Inbox } from '../../local/inbox/inbox.ts'
import { refuseHalfReset, resetOf } from '../../local/reset.ts'
import {
  configOf,
  idOf,
  type Observed,
  observeOnce,
  smallStack,
  tableOf,
  until,
} from '../support/system/small-stack.ts'

afterEach(() => setAhead(0))

const hour = 3600

describe('Date, an hour ahead,', () => {
  const machine = Date
  const shifted = <T>(look: (Shifted: DateConstructor) => T): T => {
    setAhead(hour * 1000)
    return look(Date)
  }
  const isAnHourAhead = (milliseconds: number) => {
    const difference = milliseconds - (performance.timeOrigin + performance.now())
    return Math.abs(difference - hour * 1000) < 10_000
  }

  test('says the later time in each of its forms', () => {
    const said = shifted(Shifted => {
      class Own extends Shifted {}
      const { now } = Shifted
      return [now(), Shifted.now(), new Shifted().getTime(), new Own().getTime(), Shifted.parse(Shifted())]
    })
    expect(said.map(isAnHourAhead)).toEqual(said.map(() => true))
  })

  test('is the one of the machine in all else', () => {
    const at = new machine('2026-01-02T03:04:05Z')
    shifted(Shifted => {
      class Own extends Shifted {}
      expect(new Shifted(at.getTime()).toISOString()).toBe('2026-01-02T03:04:05.000Z')
      expect(new Shifted(2026, 0, 2).getTime()).toBe(new machine(2026, 0, 2).getTime())
      expect([Shifted.UTC(2026, 0), Shifted.parse('2026-01-01')]).toEqual([machine.UTC(2026, 0), machine.UTC(2026, 0)])
      expect(at).toBeInstanceOf(Shifted)
      expect(new Own()).toBeInstanceOf(Own)
      expect(new Shifted()).toBeInstanceOf(machine)
      expect([at.constructor, new Shifted().constructor]).toEqual([Shifted, Shifted])
      expect([Shifted.name, Shifted.length]).toEqual([machine.name, machine.length])
      expect(structuredClone(new Shifted(at.getTime()))).toEqual(at)
    })
  })

  test('leaves the stopwatch alone', () => {
    const before = performance.now()
    expect(shifted(() => performance.now()) - before).toBeLessThan(hour * 1000)
  })
})

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [90_000, '1 d 1 h'],
  [3661, '1 h 1 m 1 s'],
  [345_600_000, '4000 d'],
])('%i seconds are %s', (seconds, words) => {
  expect(inWords(seconds)).toBe(words)
})

test('nothing that is deployed knows the clock', () => {
  const deployed = execFileSync('git', ['ls-files', 'accounts', 'api', 'functions', 'shared', 'infra'], {
    encoding: 'utf8',
  })
  const knowing = deployed
    .trim()
    .split('\n')
    .filter(file => /clock-ahead|CLOCK_AHEAD|local\/clock|setAhead/.test(readFileSync(file, 'utf8')))
  expect(knowing).toEqual([])
})

test('what would read the machine’s time is refused by the linter, in functions’ code', () => {
  const root = join(import.meta.dirname, '../..')
  const folder = mkdtempSync(join(tmpdir(), 'lint-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const plugin = 'local/clock/machine-time.grit'
  cpSync(join(root, plugin), join(folder, plugin))
  const { linter, overrides } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ linter, overrides }))
  const format = "new Intl.DateTimeFormat('en')"
  const read = [`${format}.format()`, `${format}.formatToParts()`, 'Temporal.Now.instant()']
  const dated = [`${format}.format(new Date(0))`, `new Date().toLocaleString('en')`]
  const code = [...read, ...dated].map((text, i) => `export const time${i} = ${text}\n`).join('')
  const running = ['functions', 'shared/base', 'accounts/token', 'api', 'catalogue/serve']
  for (const place of [...running, 'infra']) {
    mkdirSync(join(folder, place), { recursive: true })
    writeFileSync(join(folder, place, 'time.ts'), code)
  }
  const biome = join(root, 'node_modules/.bin/biome')
  const { stdout } = spawnSync(biome, ['lint', '--colors=off', '--reporter=github'], { cwd: folder, encoding: 'utf8' })
  const refused = [...stdout.matchAll(/file=([^,]+)\/time\.ts,line=(\d+)/g)].map(
    ([, place, line]) => `${relative(folder, place ?? '')} ${line}`,
  )
  expect(refused.sort()).toEqual(running.flatMap(place => read.map((_, i) => `${place} ${i + 1}`)).sort())
})

/** The listener of a running system. */
const listener = (system: { inboxUrl: string }) => {
  const post = (path: string, body: unknown) =>
    fetch(`${system.inboxUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return {
    advance: (by: string) => post('/clock', { advance: by }),
    reset: () => post('/reset', {}),
    clock: async () => (await (await fetch(`${system.inboxUrl}/clock`)).json()) as { now: string; ahead: number },
  }
}

const tellTime = 'exports.handler = async () => ({ statusCode: 200, body: JSON.stringify([loadedAt, Date.now()]) })'

describe('POST /clock', () => {
  test('moves the time of running functions, of those started later, and of events', async () => {
    const source = `const loadedAt = Date.now()\n${tellTime}`
    const tellEvent = `exports.handler = async ({ requestContext: { timeEpoch } }) => ({ statusCode: 200, body: '[' + timeEpoch + ']' })`
    const system = await observeOnce(
      smallStack({
        first: { source, on: ['GET /first'] },
        second: { source, on: ['GET /second'] },
        event: { source: tellEvent, on: ['GET /event'] },
      }),
    )
    const { advance, clock } = listener(system)
    const told = async (path: string) => (await (await fetch(`${system.baseUrl}/${path}`)).json()) as number[]
    const machine = () => performance.timeOrigin + performance.now()
    /** In minutes. */
    const aheadNow = (time = 0) => Math.round((time - machine()) / 60_000) + 0
    const [loadedAt = 0] = await told('first')
    expect(aheadNow(loadedAt)).toBe(0)
    const answer = await advance('25h')
    expect([answer.status, await answer.json()]).toEqual([200, { now: expect.any(String), ahead: 25 * hour }])
    const times = [
      (await told('first'))[1],
      ...(await told('second')),
      ...(await told('event')),
      Date.parse((await clock()).now),
    ]
    expect(times.map(aheadNow)).toEqual(times.map(() => 25 * 60))
    expect((await told('first'))[0]).toBe(loadedAt)
    // Forwards only, and from where it is.
    await advance('60m')
    expect((await clock()).ahead).toBe(26 * hour)
  })

  test('and the listener refuse what they do not know, in this order, and change nothing', async () => {
    const system = await observeOnce(smallStack({ idle: { source: 'exports.handler = async () => null' } }))
    const { port } = new URL(system.inboxUrl)
    const send = (line: string, headers: Record<string, string> = {}, body = '') =>
      new Promise<[status: number, body: string, headers: object]>(resolve => {
        const [method, path] = line.split(' ')
        const sent = request({ host: '127.0.0.1', port, path, method, headers: { host: 'localhost', ...headers } })
        sent.end(body).on('response', async answer => {
          resolve([answer.statusCode ?? 0, (await text(answer)).trim(), answer.headers])
        })
      })
    const json = { 'content-type': 'application/json' }
    const foreign = { host: 'attacker.example' }
    const order: [line: string, headers: Record<string, string>, body: string, status: number, said: RegExp][] = [
      ['PUT /nothing?x', foreign, '', 421, /host/],
      ['PUT /nothing?x', {}, '', 404, /nothing/],
      ['PUT /clock?x', {}, '{', 405, /GET and HEAD and POST/],
      ['PUT /reset', {}, '{', 405, /POST/],
      ['GET /reset', {}, '', 405, /POST/],
      ['POST /store', json, '{}', 405, /GET and HEAD and DELETE/],
      ['DELETE /clock', {}, '', 405, /GET/],
      ['OPTIONS /reset', { origin: 'https://attacker.example' }, '', 405, /POST/],
      ['POST /clock?x', {}, '{', 415, /application\/json/],
      ['POST /clock?x', { 'content-type': 'text/plain' }, '{"advance":"1s"}', 415, /application\/json/],
      ['POST /reset', { 'content-type': 'application/jsonx' }, '{}', 415, /application\/json/],
      ['POST /reset', { 'content-type': 'application/x-www-form-urlencoded' }, '{}', 415, /application\/json/],
      ['POST /clock?x', json, '{', 400, /parameter x/],
      ['POST /clock', json, '{', 400, /JSON object/],
      ['POST /clock', json, '[]', 400, /JSON object/],
      ['POST /clock', json, 'null', 400, /JSON object/],
      ['POST /clock', json, '{}', 400, /advance/],
      ['POST /clock', json, '{"advance":"1s","back":"1s"}', 400, /member back/],
      ['POST /clock', json, '{"advance":"1s","advance":"2s"}', 400, /more than once/],
      ...['-1s', '1', '1y', '12345678s', ' 1s', '1.5h', '', '1S'].map(
        advance => ['POST /clock', json, JSON.stringify({ advance }), 400, /1 to 7 digits/] as never,
      ),
      ['POST /clock', json, '{"advance":3600}', 400, /1 to 7 digits/],
      ['POST /clock', json, '{"advance":"4001d"}', 400, /4,000 days/],
      ['POST /clock', json, '{}'.padEnd(1024), 400, /advance/],
      ['POST /clock', json, '{}'.padEnd(1025), 400, /1024 bytes/],
      ['POST /reset', json, '{"all":true}', 400, /member all/],
      ['GET /store?from=ada@example.com', {}, '', 400, /parameter from/],
      ['GET /store?to=', {}, '', 400, /not an email address/],
      ['GET /store?to=ada+x@example.com', {}, '', 400, /%2B/],
      ['GET /store?to=a@example.com&to=b@example.com', {}, '', 400, /more than once/],
      ['DELETE /store?to', {}, '', 400, /not an email address/],
      ['GET /clock?to=a@example.com', {}, '', 400, /parameter to/],
    ]
    for (const [line, headers, body, status, said] of order) {
      const [got, words, fields] = await send(line, headers, body)
      expect([line, body.slice(0, 40), got]).toEqual([line, body.slice(0, 40), status])
      expect(words).toMatch(said)
      expect(Object.keys(fields).join()).not.toMatch('access-control')
      if (status === 405) expect(fields).toHaveProperty('allow', words.match(/[A-Z]{3,}/g)?.join(', '))
    }
    expect(JSON.parse((await send('GET /clock'))[1])).toMatchObject({ ahead: 0 })
  })

  test('deletes the items whose time has passed, and leaves all others', async () => {
    const table = tableOf('PK', { TimeToLiveSpecification: { AttributeName: 'TTL', Enabled: true } })
    const may = [{ Action: 'dynamodb:*', Resource: '*' }]
    const system = await observeOnce(
      smallStack(
        { writer: { source: 'exports.handler = async () => null', may } },
        { Kept: table, Plain: tableOf('PK') },
      ),
    )
    const db = new DynamoDBClient(configOf(system, 'writer'))
    const at = Math.floor(Date.now() / 1000)
    const put = (TableName: string, PK: string, TTL?: number) =>
      db.send(new PutItemCommand({ TableName, Item: { PK: { S: PK }, ...(TTL && { TTL: { N: String(TTL) } }) } }))
    const names = ['Gatehouse-Kept', 'Gatehouse-Plain']
    for (const name of names) {
      for (let i = 0; i < 60; i++) await put(name, `soon-${i}`, at + 60)
      await put(name, 'later', at + 2 * hour)
      await put(name, 'always')
    }
    await listener(system).advance('1h')
    const scanned = async (TableName?: string) =>
      ((await db.send(new ScanCommand({ TableName }))).Items ?? []).map(({ PK }) => PK?.S).sort()
    expect(await scanned(names[0])).toEqual(['always', 'later'])
    expect((await scanned(names[1])).length).toBe(62)
  })

  test('waits for what runs, and lets new requests in after it', async () => {
    const source = `exports.handler = async () => {
      const began = Date.now()
      await new Promise(resolve => setTimeout(resolve, 100))
      return { statusCode: 200, body: JSON.stringify([began, Date.now()]) }
    }`
    const system = await observeOnce(smallStack({ slow: { source, on: ['GET /slow'] } }))
    const get = async () => (await (await fetch(`${system.baseUrl}/slow`)).json()) as [number, number]
    const before = Date.now()
    const calls = [get()]
    await calls[0]
    let isAnswered = false
    const advanced = listener(system)
      .advance('1h')
      .finally(() => {
        isAnswered = true
      })
    while (!isAnswered) {
      calls.push(get())
      await new Promise(resolve => setTimeout(resolve, 10))
    }
    const asked = await Promise.all(calls)
    expect((await advanced).status).toBe(200)
    for (const [began, ended] of asked) expect(ended - began).toBeLessThan(60_000)
    // The first is of before, and the last ones waited for the answer.
    expect(asked.filter(([began]) => began - before < 1800_000).length).toBeGreaterThan(0)
    expect(asked.filter(([began]) => began - before > 1800_000).length).toBeGreaterThan(0)
  })
})

describe('at rest', () => {
  const arn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] })
  const all = [{ Action: ['sqs:*', 'dynamodb:*', 'ses:*'], Resource: '*' }]

  /** A queue whose consumer writes when it handles which message. */
  async function consume(handling: string) {
    const source = `exports.handler = async ({ Records }) => {
      for (const { body, attributes } of Records) console.info({ body, at: Date.now(), sent: Number(attributes.SentTimestamp) })
      ${handling}
    }`
    const system = await observeOnce(
      smallStack(
        { consumer: { source, may: all }, sender: { source: 'exports.handler = async () => null', may: all } },
        {
          Mails: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 3600 } },
          Delivery: {
            Type: 'AWS::Lambda::EventSourceMapping',
            Properties: {
              EventSourceArn: arn('Mails'),
              FunctionName: { Ref: idOf('consumer') },
              BatchSize: 1,
              FunctionResponseTypes: ['ReportBatchItemFailures'],
              ScalingConfig: { MaximumConcurrency: 2 },
            },
          },
        },
      ),
    )
    const sqs = new SQSClient(configOf(system, 'sender'))
    const send = (MessageBody: string, DelaySeconds = 0) =>
      sqs.send(
        new SendMessageCommand({
          QueueUrl: `${system.awsUrl}/000000000000/Gatehouse-Mails`,
          MessageBody,
          DelaySeconds,
        }),
      )
    const handled = (): { body: string; at: number; sent: number }[] =>
      system.lines.map(({ line }) => JSON.parse(line).message).filter(message => message?.body !== undefined)
    return { system, send, handled }
  }

  test('the worker empties the queue before the clock moves, with delayed messages too', async () => {
    const { system, send, handled } = await consume('return { batchItemFailures: [] }')
    for (let i = 0; i < 8; i++) await send(String(i), i % 2 === 0 ? 0 : 900)
    const before = Date.now()
    await listener(system).advance('2h')
    expect(
      handled()
        .map(({ body }) => body)
        .sort(),
    ).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
    for (const { at, sent } of handled())
      expect([at - before < hour * 1000, sent - before < hour * 1000]).toEqual([true, true])
    expect(system.messages('Mails')).toEqual([])
    // And what is sent after it is dated by it.
    await send('late')
    const { at, sent } = await until(() => handled().find(({ body }) => body === 'late'))
    expect([at - before > hour * 1000, sent - before > hour * 1000]).toEqual([true, true])
  })

  test('what the worker puts back keeps its place, and gets older', async () => {
    const { system, send, handled } = await consume(
      'return { batchItemFailures: [{ itemIdentifier: Records[0].messageId }] }',
    )
    const before = Date.now()
    await send('again')
    await until(() => handled().length === 1)
    await listener(system).advance('2h')
    const [, again] = await until(() => handled().length >= 2 && handled())
    expect([Number(again?.at) - before > hour * 1000, Number(again?.sent) - before < hour * 1000]).toEqual([true, true])
  })

  test('a reset empties the queue, of which nothing is handled after the answer', async () => {
    const { system, send, handled } = await consume('await new Promise(resolve => setTimeout(resolve, 200))')
    for (let i = 0; i < 20; i++) await send(`before-${i}`, i % 3 === 0 ? 900 : 0)
    expect((await listener(system).reset()).status).toBe(204)
    const done = handled().length
    expect(system.messages('Mails')).toEqual([])
    await send('after')
    await until(() => handled().some(({ body }) => body === 'after'))
    expect(handled().length).toBe(done + 1)
  })
})

test('neither moves nor resets while a debugger may hold a function', async () => {
  const held = { source: 'exports.handler = () => new Promise(() => setInterval(() => {}, 1000))', on: ['$default'] }
  const system = await observeOnce(smallStack({ held }), { inspect: 'held' })
  const unanswered = fetch(system.baseUrl).catch(() => null)
  await until(() => system.environments.find(({ state }) => state === 'busy'))
  for (const answer of [await listener(system).advance('1h'), await listener(system).reset()])
    expect([answer.status, await answer.text()]).toEqual([409, 'held is under a debugger\n'])
  expect((await listener(system).clock()).ahead).toBe(0)
  await system.stop()
  await unanswered
})

test('a clock that is ahead is kept in the data directory, until a reset', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'clock-'))
  const start = () =>
    observeOnce(smallStack({ idle: { source: 'exports.handler = async () => null' } }), { dataDirectory })
  const first = await start()
  await listener(first).advance('25h')
  await first.stop()
  expect(ahead()).toBe(0)
  const second = await start()
  expect(second.ahead).toBe(25 * hour)
  await listener(second).advance('1h')
  await listener(second).reset()
  expect((await listener(second).clock()).ahead).toBe(25 * hour)
})

const writes = [{ Action: 'dynamodb:*', Resource: '*' }]
const table = () =>
  smallStack({ writer: { source: 'exports.handler = async () => null', may: writes } }, { Kept: tableOf('PK') })

/** Fills its table. @param count a multiple of 25, the largest batch */
async function fill(system: Observed, count: number): Promise<void> {
  const db = new DynamoDBClient(configOf(system, 'writer'))
  for (let i = 0; i < count; i += 25) {
    const puts = Array.from({ length: 25 }, (_, j) => ({ PutRequest: { Item: { PK: { S: String(i + j) } } } }))
    await db.send(new BatchWriteItemCommand({ RequestItems: { 'Gatehouse-Kept': puts } }))
  }
}

test('a reset that was ended in the middle is said at the next start', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'reset-'))
  const assembly = table()
  const system = await observeOnce(assembly, { dataDirectory })
  // As many as a reset puts back, so that it takes longer than to look at them twice.
  const count = 5000
  await fill(system, count)
  const resetting = listener(system)
    .reset()
    .catch(() => null)
  const left = async () => (await system.items())?.get('Kept')?.length ?? 0
  let present = count
  while (present === count) present = await left()
  expect(present).toBeGreaterThan(0)
  await system.stop()
  expect((await resetting)?.status).not.toBe(204)
  await expect(observeOnce(assembly, { dataDirectory })).rejects.toThrow('a reset was killed here: use a new DATA_DIR')
})

test('more items than a reset can put back are left as they are', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'reset-'))
  const assembly = table()
  const first = await observeOnce(assembly, { dataDirectory })
  await fill(first, 5025)
  await first.stop()
  const second = await observeOnce(assembly, { dataDirectory })
  const answer = await listener(second).reset()
  expect([answer.status, await answer.text()]).toEqual([
    409,
    'There were more than 5,000 items here at the start: use a new DATA_DIR for tests\n',
  ])
  expect((await second.items())?.get('Kept')?.length).toBe(5025)
})

test('a reset that failed succeeds when it is tried again', async () => {
  const database = new DatabaseSync(':memory:')
  refuseHalfReset(database)
  await using parts = new AsyncDisposableStack()
  const tables = new Tables(mkdtempSync(join(tmpdir(), 'reset-')))
  parts.defer(() => tables.close())
  const KeySchema = [{ AttributeName: 'key', KeyType: 'HASH' as const }]
  const AttributeDefinitions = [{ AttributeName: 'key', AttributeType: 'S' }]
  await tables.create([{ id: 'Kept', name: 'Kept', KeySchema, AttributeDefinitions }])
  const queues = await startQueues(null)
  parts.defer(() => queues.close())
  const suppressed = suppressionList(database, () => {})
  const [inbox, clock] = [new Inbox(database), openClock(database)]
  const reset = await resetOf({ tables, queues, suppressed, inbox, clock, database })
  const failing = reset()
  // Such a body ends the thread of the tables in the middle of it.
  const headers = { 'x-amz-target': 'DynamoDB_20120810.GetItem', 'content-type': 'application/x-amz-json-1.0' }
  const authorization = 'AWS4-HMAC-SHA256 Credential=x, SignedHeaders=x, Signature=x'
  const call = { method: 'POST', path: '/', body: 'null', action: 'GetItem', input: {} }
  const crash = tables.service({ ...call, headers: { ...headers, authorization, 'x-amz-date': 'now' } })
  await expect(Promise.all([failing, crash])).rejects.toThrow('Internal server error')
  expect(() => refuseHalfReset(database)).toThrow('a reset was killed here')
  expect(await reset()).toBe(0)
  refuseHalfReset(database)
})
