import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { bytesOfBase32 } from '../../../accounts/factor/codes.ts'
import { codeOf, stepOf } from '../../../accounts/factor/totp.ts'
import type { FunctionName } from '../../../api/routes.ts'
import type { InvalidCall } from '../../../local/aws/front.ts'
import type { Mail } from '../../../local/inbox/inbox.ts'
import type { Options } from '../../../local/options.ts'
import { type Running, runStack } from '../../../local/system.ts'
import { expectDescribedOnWire } from '../api/openapi.ts'
import { type MailedToken, type Sender, sessionOf } from '../api/requests.ts'
import { settingsToRun } from '../stack/settings.ts'
import { assembled, environments } from './assembled.ts'
import { invite } from './operator.ts'

interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

/** The whole system, running for all tests of a file, and a client of it. */
export interface RunningSystem {
  system: Running
  /** Sends a request to the API; a body other than text is sent as JSON. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** The next mail to an address, which waits for one if necessary. */
  nextMail(to: string): Promise<Mail>
}

export function runSystem(env: Record<string, string> = {}, options: Partial<Options> = {}): RunningSystem {
  const read = new Set<string>()
  const invalid: InvalidCall[] = []
  const running: RunningSystem = {
    system: undefined as never,
    async send(method, path, body, headers = {}) {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      const response = await fetch(new URL(path, running.system.baseUrl), {
        method,
        headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(text !== undefined && { body: text }),
      })
      const answer = await response.text()
      const { status } = response
      expectDescribedOnWire(method, path, { status, header: name => response.headers.get(name), body: answer })
      const isJson = /json/.test(response.headers.get('content-type') ?? '')
      return {
        status,
        headers: response.headers,
        body: isJson && answer ? JSON.parse(answer) : answer,
      }
    },
    nextMail(to) {
      const { inbox } = running.system
      const isNext = (mail: Mail) => mail.destination.to.includes(to) && !read.has(mail.messageId)
      return new Promise(resolve => {
        const take = (mail: Mail) => {
          if (!isNext(mail)) return
          read.add(mail.messageId)
          end()
          resolve(mail)
        }
        const end = inbox.onArrival(take)
        inbox.list().filter(isNext).slice(0, 1).forEach(take)
      })
    },
  }

  beforeAll(async () => {
    const settings = settingsToRun({ MAIL_FROM: 'Gatehouse <no-reply@localhost>', ...env })
    running.system = await runStack({
      settings,
      ...(options.providerPort === undefined && {
        assembly:
          options.assembly ??
          (await assembled(options.settings ?? settings, {
            browserUrl: options.browserUrl,
            blocklistUrl: options.blocklistUrl,
          })),
      }),
      port: 0,
      inboxPort: 0,
      host: '127.0.0.1',
      dataDirectory: null,
      environments,
      ...options,
      observer: {
        ...options.observer,
        invalid: call => invalid.push(call),
        served: request => {
          // Mails wait two seconds for their write. Once the request is answered it has happened.
          running.system.endDelays()
          options.observer?.served?.(request)
        },
      },
    })
  })
  afterAll(() => running.system?.stop())
  // A call that DynamoDB refuses is answered with 503, which hides the cause.
  afterEach(() => expect(invalid.splice(0)).toEqual([]))
  return running
}

/** The link in a mail. */
export function linkIn({ body }: Mail): URL {
  const [link] = /https?:\/\/\S+/.exec(body.text ?? '') ?? []
  if (!link) throw new Error('there is no link in the mail')
  return new URL(link)
}

/** The link in the next mail to an address that opens a page. */
export async function nextLink({ nextMail }: RunningSystem, to: string, page: string): Promise<URL> {
  for (;;) {
    const link = linkIn(await nextMail(to))
    if (link.pathname.endsWith(page)) return link
  }
}

const nextToken = async (...given: Parameters<typeof nextLink>): Promise<string> =>
  (await nextLink(...given)).searchParams.get('token') ?? ''

/** Verifies the address of a new person by the link in the mail. */
export async function verifyAddress(running: RunningSystem, email: string): Promise<void> {
  await running.send('POST', '/auth/verify-email', { token: await nextToken(running, email, '/verify-email') })
}

/** The token in a mail to a new person, after all steps that such a mail needs. */
export async function mailedToken(
  running: RunningSystem,
  { email, password, newEmail }: Pick<Sender, 'email' | 'password' | 'newEmail'>,
  kind: MailedToken,
): Promise<string> {
  const post = (path: string, body: object, headers = {}) => running.send('POST', `/auth/${path}`, body, headers)
  if (kind === 'reset') {
    await post('forgot-password', { email })
    return nextToken(running, email, '/reset-password')
  }
  if (kind === 'invitation') return invite(running.system, email)
  const verification = await nextToken(running, email, '/verify-email')
  if (kind === 'verification') return verification
  // Only owners of verified addresses get a link that undoes a change.
  await post('verify-email', { token: verification })
  const { body } = await post('login', { email, password })
  await post('change-email', { new_email: newEmail }, { authorization: `Bearer ${body.access_token}` })
  const token = await nextToken(running, newEmail, '/change-email')
  if (kind === 'email-change') return token
  await post('confirm-email-change', { token, password })
  return nextToken(running, email, '/undo')
}

/** Registers a person, whose tokens come by mail. @param more of the registration */
export async function registerSender(running: RunningSystem, email: string, more: object = {}): Promise<Sender> {
  const credentials = { email, password: 'correct horse' }
  // Without an account, the wait for its mail would never end.
  expect((await running.send('POST', '/auth/register', { ...credentials, ...more })).status).toBe(201)
  const person = { ...credentials, newEmail: `new-${email}` }
  return {
    ...person,
    async session() {
      const { body } = await running.send('POST', '/auth/login', { ...credentials, session: {} })
      return sessionOf(body.refresh_token)
    },
    token: kind => mailedToken(running, person, kind),
  }
}

/** Logs a new person in, after all steps that an endpoint of the second factor needs. */
export async function logInFor(
  name: FunctionName,
  running: RunningSystem,
  { email, password }: Pick<Sender, 'email' | 'password'>,
): Promise<{ accessToken: string; code?: string; secret?: string }> {
  const post = async (path: string, body: object, headers = {}) =>
    (await running.send('POST', `/auth/${path}`, body, headers)).body
  const needsFactor = name === 'renew-recovery-codes' || name === 'remove-second-factor'
  const needsSetup = name === 'confirm-second-factor' || needsFactor
  // Only owners of verified addresses can have a second factor.
  if (name === 'set-up-second-factor' || needsSetup) {
    await post('verify-email', { token: await nextToken(running, email, '/verify-email') })
  }
  const { access_token: accessToken } = await post('login', { email, password })
  if (!needsSetup) return { accessToken }
  const authorization = `Bearer ${accessToken}`
  const { secret } = await post('second-factor/setup', { password }, { authorization })
  const code = codeOf(bytesOfBase32(secret), stepOf(new Date()))
  if (!needsFactor) return { accessToken, code, secret }
  const confirmed = await post('second-factor/confirm', { code }, { authorization })
  // The code of the app works once.
  return { accessToken: confirmed.access_token, code: confirmed.recovery_codes[0] }
}
