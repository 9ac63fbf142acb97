import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { buildingLine, consoleObserver, welcome } from '../../local/console.ts'
import type { Mail } from '../../local/inbox/inbox.ts'
import { readAllSettings } from '../../local/local-settings.ts'
import manifest from '../../package.json' with { type: 'json' }

type Told = Parameters<typeof consoleObserver>[0]

/** The terminal's content after an observation: on stdout, and on stderr. */
function tell(
  observe: (observer: ReturnType<typeof consoleObserver>) => void,
  shown: Told = { quiet: false, logs: true },
) {
  const [out, err]: string[][] = [[], []]
  const { log, error } = console
  console.log = (text: string) => out?.push(stripVTControlCharacters(text))
  console.error = (text: string) => err?.push(stripVTControlCharacters(text))
  try {
    observe(consoleObserver(shown, '/nowhere'))
  } finally {
    Object.assign(console, { log, error })
  }
  return { out: out?.join('\n'), err: err?.join('\n') }
}
const logged = (line: string, caller = 'login') => tell(observer => observer.logged({ caller, line }))

describe('a first build tells how far it is,', () => {
  const counts = [0, 7, 21, 35, 48]

  test('on one line in a terminal', () => {
    const written: string[] = []
    const tell = buildingLine(text => written.push(text), true)
    for (const built of counts) tell(built, 48)
    const line = (built: number) => `Building the functions: ${built} of 48`
    expect(written).toEqual([...counts.slice(0, -1).map(built => `${line(built)}\r`), `${line(48)}\n`])
  })

  test('in a line every five seconds elsewhere, and at its end', () => {
    const written: string[] = []
    let second = 100
    const tell = buildingLine(
      text => written.push(text),
      false,
      () => second,
    )
    for (const built of counts) {
      tell(built, 48)
      second += 2
    }
    expect(written.map(text => /(\d+) of 48\n$/.exec(text)?.[1])).toEqual(['0', '35', '48'])
  })
})

test('a request is one short line, with the code of a refusal', () => {
  const served = { method: 'POST', path: '/auth/login', status: 200, code: null, milliseconds: 71.4 }
  expect(tell(observer => observer.served(served)).out).toMatch(/^POST {4}\/auth\/login +200 +71 ms$/)
  const refused = { ...served, status: 403, code: 'account-locked' }
  expect(tell(observer => observer.served(refused)).out).toMatch(/^POST +\/auth\/login +403 +71 ms {2}account-locked$/)
})

test('a path and a mail do not steer the terminal', () => {
  const served = { method: 'GET', path: '/a\x9b2J', status: 404, code: null, milliseconds: 1 }
  expect(tell(observer => observer.served(served)).out).toContain(' /a\\u009b2J ')
  const mail = { subject: 'a\u202eb', messageId: '0-1', destination: { to: ['a\x9b@example.com'] } } as Mail
  expect(tell(observer => observer.mailed(mail, 'http://localhost:3001')).out).toContain(
    'a\\u202eb, to a\\u009b@example.com:',
  )
})

test('what is wrong with an application is below its request, with what to change', () => {
  const fault = { what: ['a\x9b does not list x. Listed are:', '  y'], change: 'Set y' }
  expect(tell(observer => observer.misconfigured(fault)).out).toBe(
    'client  a\\u009b does not list x. Listed are:\n          y\n        Set y.',
  )
})

test('a mail is one line, below the paths of requests: what, to whom, and where', () => {
  const mail = { subject: 'Reset your password', messageId: '0-1', destination: { to: ['ada@example.com'] } } as Mail
  expect(tell(observer => observer.mailed(mail, 'http://localhost:3001')).out).toBe(
    'mail    Reset your password, to ada@example.com: http://localhost:3001/#0-1',
  )
})

test('a missing permission is one line with the caller, the action and the resource', () => {
  const denial = {
    caller: 'login',
    action: 'kms:Sign',
    resource: 'arn:aws:kms:x',
    keys: '',
    reason: 'no policy allows it',
  }
  expect(tell(observer => observer.denied(denial)).err).toBe(
    'login is not allowed to call kms:Sign on arn:aws:kms:x: no policy allows it',
  )
})

test('a call that DynamoDB does not take is one line with the reason', () => {
  const call = { caller: 'login', action: 'UpdateItem', reason: 'Invalid UpdateExpression' }
  expect(tell(observer => observer.invalid(call)).err).toBe(
    'login: DynamoDB refuses UpdateItem: Invalid UpdateExpression',
  )
})

describe('a mail that the worker drops', () => {
  const text = (line: string) => logged(line, 'on-mail-queued').out
  const event = (message: object) => JSON.stringify({ level: 'INFO', message })

  test('is one line, with the reason', () => {
    expect(text(event({ event: 'mail-dropped', reason: 'no-account' }))).toMatch(/^mail +dropped: no-account$/)
    expect(text(event({ event: 'mail-dropped', reason: 'locked', account_id: '7' }))).toMatch(
      /^mail +dropped: locked, account 7$/,
    )
    expect(text(event({ event: 'mail-capped', account_id: '7' }))).toMatch(/^mail +dropped: capped, account 7$/)
  })

  test.each([
    event({ event: 'mail-sent' }),
    '{"mail-dropped":1,"_aws":{}}',
    'mail-dropped',
    'null',
    '7',
    '{"message":null}',
  ])('is distinguished from %s', line => {
    expect(text(line)).not.toMatch(/dropped:/)
  })
})

describe('of a function’s lines', () => {
  const told = (line: unknown) => logged(JSON.stringify(line))

  test.each([
    ['a metric', { _aws: {}, count: 1 }],
    ['a number', 7],
    ['null', null],
  ])('%s is not shown', (_, line) => {
    expect(told(line)).toEqual({ out: '', err: '' })
  })

  test.each([
    ['an event', { event: 'logged-in', account_id: '7', reason: 'x' }, 'login: logged-in account_id=7 reason=x'],
    ['a text', 'two\nlines', 'login: two\nlines'],
    ['anything else', { a: { b: [1] } }, 'login: { a: { b: [ 1 ] } }'],
    ['what would steer the terminal', '\x1b[2Jgone\r\x9b', 'login: \\u001b[2Jgone\\u000d\\u009b'],
  ])('%s is shown with the function’s name', (_, message, expected) => {
    for (const level of ['INFO', 'WARN']) expect(told({ level, message })).toEqual({ out: expected, err: '' })
  })

  test.each([
    ['a text', 'so what', 'login: so what'],
    [
      'a part of AWS that does not answer',
      { error: 'DomainError', message: 'unavailable', cause: { error: 'TimeoutError', message: 'no answer' } },
      'login: DomainError: unavailable, caused by TimeoutError: no answer',
    ],
    ['a bug', { error: 'TypeError', message: 'x', stack: 'TypeError: x\n    at y' }, 'login: TypeError: x\n    at y'],
    [
      'a crash',
      { errorType: 'TypeError', errorMessage: 'x', stackTrace: ['TypeError: x', '    at y'] },
      'login: TypeError: x\n    at y',
    ],
    ['something else', { a: 1 }, 'login: {"a":1}'],
  ])('an error is readable: %s', (_, message, expected) => {
    expect(told({ level: 'ERROR', message })).toEqual({ out: '', err: expected })
  })

  test.each([
    ['ran out of time', { status: 'timeout', metrics: { durationMs: 10_001 } }, 'login: timed out after 10.00 seconds'],
    ['ended its process', { status: 'error', errorType: 'Runtime.ExitError' }, 'login: Runtime.ExitError'],
  ])('Lambda’s report of one that %s is readable', (_, record, expected) => {
    expect(told({ type: 'platform.report', record }).err).toBe(expected)
  })

  test('a line that is not JSON is shown as it is, up to 200 characters', () => {
    expect(logged('x'.repeat(201)).err).toBe(`login: ${'x'.repeat(200)}…`)
    expect(logged('Segmentation fault\x1b[2J').err).toBe('login: Segmentation fault\\u001b[2J')
  })
})

describe('a saved change is one line:', () => {
  test.each([
    ['of four functions, by name', ['a', 'b', 'c', 'd'], /^reload +a, b, c, d \(1\.2 s\)$/],
    ['of more, by their number', ['a', 'b', 'c', 'd', 'e'], /^reload +5 functions \(1\.2 s\)$/],
    ['of a comment', [], /^reload +changes no function$/],
  ])('%s', (_, functions, line) => {
    expect(tell(observer => observer.reloaded({ functions, milliseconds: 1234 })).out).toMatch(line)
  })

  test.each([
    [['authorize', 'token'], /^reload +clients\.json \(authorize, token, 1\.2 s\)$/],
    [[], /^reload +clients\.json changes no function$/],
  ])('of a list in a file, with the functions that have it: %j', (functions, line) => {
    const reload = { lists: 'clients.json', functions, milliseconds: 1234 }
    expect(tell(observer => observer.reloaded(reload)).out).toMatch(line)
  })

  test('of what has started, with what to do', () => {
    expect(tell(observer => observer.outdated('the stack')).out).toMatch(
      /^restart the stack has changed: .* restart npm start$/,
    )
  })

  test('and what cannot be built is below it', () => {
    expect(tell(observer => observer.buildFailed('x.ts:1:2: no')).err).toMatch(/^reload +failed, .*\nx\.ts:1:2: no$/)
  })
})

test.each([
  [{ quiet: true, logs: true }, ['errors']],
  [{ quiet: false, logs: false }, ['requests', 'errors']],
  [{ quiet: false, logs: true }, ['requests', 'prints', 'errors']],
])('%j shows %j', (shown, kinds) => {
  const { out = '', err = '' } = tell(observer => {
    observer.served({ method: 'GET', path: '/', status: 200, code: null, milliseconds: 1 })
    observer.logged({ caller: 'pages', line: JSON.stringify({ level: 'INFO', message: 'printed' }) })
    observer.logged({ caller: 'pages', line: JSON.stringify({ level: 'ERROR', message: 'failed' }) })
  }, shown)
  const words = { requests: 'GET', prints: 'pages: printed', errors: 'pages: failed' }
  expect(Object.entries(words).flatMap(([kind, word]) => ((out + err).includes(word) ? [kind] : []))).toEqual(kinds)
})

const at = (baseUrl: string) => ({ baseUrl, publicUrl: baseUrl, pagesUrl: baseUrl, certificateFile: null })
const set: Parameters<typeof welcome>[1] = { ACCOUNT_PAGE: 'on', APP_URL: '', OIDC_CLIENTS: [], SIGN_UP: 'open' }
const somewhere = { ahead: 0, ...at('http://localhost:1'), inboxUrl: 'http://localhost:2', exampleUrl: null }

test('the welcome says which page to open, where everything is, and what to try', () => {
  const text = welcome(somewhere, set, 1.234, true)
  expect(text).toContain(`\nGatehouse ${manifest.version} is ready after`)
  expect(text).toMatch(/ready after 1\.2 s\.\n\n {2}Open http:\/\/localhost:1\/account\n/)
  expect(text).toMatch(/API +http:\/\/localhost:1\n/)
  expect(text).toMatch(/Inbox +http:\/\/localhost:2\n/)
  expect(
    [...text.matchAll(/curl (?:-s|-w '\\n') http:\/\/localhost:1(\/auth\/\w+) /g)].map(([, path]) => path),
  ).toEqual(['/auth/register', '/auth/me', '/auth/login'])
  expect(text).not.toMatch(/App|watch|Example/)
  const withExample = welcome({ ...somewhere, exampleUrl: 'http://localhost:3' }, set, 1, true)
  expect(withExample).toMatch(/Example +http:\/\/localhost:3 /)
})

test.each([
  ['http://localhost:3000', '  node docs/examples/sign-in/serve.js\n'],
  ['http://localhost:1', '  ISSUER=http://localhost:1/auth node docs/examples/sign-in/serve.js\n'],
])('the welcome at %s has the line of the sample application, where that is listed', (baseUrl, line) => {
  const { OIDC_CLIENTS } = readAllSettings({})
  expect(welcome({ ...somewhere, ...at(baseUrl) }, { ...set, OIDC_CLIENTS }, 1, true)).toContain(`\n${line}`)
  expect(welcome({ ...somewhere, ...at(baseUrl) }, set, 1, true)).not.toContain('serve.js')
})

test('where only operators open accounts, the welcome invites somebody in place of registering', () => {
  const text = welcome(somewhere, { ...set, SIGN_UP: 'invited' }, 1, true)
  expect(text).toContain('\n  npm run users -- invite grace@example.com --local\n')
  expect(text).not.toContain('/auth/register')
})

test('the welcome says where the pages lead, and names none that is off', () => {
  const text = welcome(somewhere, { ...set, ACCOUNT_PAGE: 'off', APP_URL: 'http://x/' }, 1, false)
  expect(text).not.toContain('/account')
  expect(text).toContain('It does not watch the sources; npm start -- --watch does.')
  expect(text).toMatch(/Inbox +http:\/\/localhost:2\n {2}App +http:\/\/x\/ /)
})
