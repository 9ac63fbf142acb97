import { styleText } from 'node:util'
import type { Denial } from './aws/front.ts'
import type { Served } from './gateway/gateway.ts'
import type { Mail } from './inbox/inbox.ts'
import type { LogLine, Observer } from './observer.ts'
import type { Running } from './system.ts'

/** Writes to the terminal: a line for each request and mail, and errors. */
export const consoleObserver: Observer = {
  served: served => console.log(servedLine(served)),
  logged: ({ caller, line }) => {
    const text = logText({ caller, line })
    if (text !== null) console.error(text)
    const dropped = droppedLine({ caller, line })
    if (dropped !== null) console.log(dropped)
  },
  denied: denial => console.error(deniedLine(denial)),
  mailed: (mail, inboxUrl) => console.log(mailLine(mail, inboxUrl)),
  suppressed: address => console.log(suppressedLine(address)),
}

export function servedLine({ method, path, status, code, milliseconds }: Served): string {
  const colour = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
  const time = `${milliseconds.toFixed(0).padStart(5)} ms`
  return `${method.padEnd(7)} ${path.slice(0, 80).padEnd(32)} ${styleText(colour, String(status))} ${time}${code ? `  ${code}` : ''}`
}

/** A mail's subject and recipients, and its address in the inbox. */
export const mailLine = ({ destination, subject, messageId }: Mail, inboxUrl: string): string =>
  `${styleText('cyan', 'mail'.padEnd(7))} ${subject}, to ${destination.to.join(', ')}: ${inboxUrl}/#${messageId}`

const suppressedLine = (address: string): string =>
  `${styleText('yellow', 'mail'.padEnd(7))} not sent to ${address}, which SES suppresses: npm run mail -- suppressed ${address} --local`

export function deniedLine({ caller, action, resource, reason }: Denial): string {
  return styleText('red', `${caller} is not allowed to call ${action} on ${resource}: ${reason}`, {
    stream: process.stderr,
  })
}

/** A function's log line if it reports an error, else null: events and metrics are not shown. */
export function logText({ caller, line }: LogLine): string | null {
  const record = jsonOf(line)
  // Not written by the console: Node reports a crash.
  if (record === undefined) return `${caller}: ${line}`
  if (typeof record !== 'object' || record === null) return null
  const reason = reasonIn(record)
  return reason === null ? null : styleText('red', `${caller}: ${reason}`, { stream: process.stderr })
}

function reasonIn({ level, message = '', type, record }: Line): string | null {
  if (type === 'platform.report' && record?.status === 'timeout') {
    return `timed out after ${(Number(record.metrics?.durationMs) / 1000).toFixed(2)} seconds`
  }
  if (type === 'platform.report') return String(record?.errorType)
  return level === 'ERROR' ? reasonOf(message) : null
}

/** A line of a function's log: the function's own, or Lambda's report on an invocation that failed. */
interface Line {
  level?: unknown
  message?: unknown
  type?: unknown
  record?: { status?: string; errorType?: string; metrics?: { durationMs?: number } }
}

/** Says that the worker dropped a mail, and why; null for other lines. */
export function droppedLine({ line }: LogLine): string | null {
  const record = jsonOf(line) as { message?: { event?: string; reason?: string; account_id?: string } } | null
  const { event, reason, account_id: id } = record?.message ?? {}
  const why = event === 'mail-capped' ? 'capped' : reason
  if (event !== 'mail-dropped' && event !== 'mail-capped') return null
  return `${styleText('yellow', 'mail'.padEnd(7))} dropped: ${why}${id === undefined ? '' : `, account ${id}`}`
}

/** Undefined if the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A logged message for people: strings as they are, errors with their causes. */
function reasonOf(message: unknown): string {
  if (typeof message !== 'object' || message === null) return String(message)
  const { error, message: text, stack, stackTrace, cause } = message as Record<string, unknown>
  const trace = stack ?? (Array.isArray(stackTrace) ? stackTrace.join('\n') : undefined)
  const reason = trace ?? (text === undefined ? JSON.stringify(message) : `${error}: ${text}`)
  return cause === undefined ? String(reason) : `${reason}, caused by ${reasonOf(cause)}`
}

/** Works in any shell, and without jq. */
const findToken = `sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'`

/** @param appUrl the setting APP_URL; may be empty */
export function welcome({ baseUrl, inboxUrl }: Running, appUrl: string, seconds: number): string {
  const post = (path: string, body: object, options = '') =>
    `curl ${options}${baseUrl}${path} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`
  const person = { email: 'ada@example.com', password: 'correct horse' }
  return `
Gatehouse is ready after ${seconds.toFixed(1)} s.

  API    ${baseUrl}
  Inbox  ${inboxUrl}
${appUrl === '' ? '' : `  App    ${appUrl} (APP_URL: where "Continue" on the pages leads)\n`}
Try it:

  ${post('/auth/register', { ...person, name: 'Ada' })}
  TOKEN=$(${post('/auth/login', person, '-s ')} | ${findToken})
  curl ${baseUrl}/auth/me -H "authorization: Bearer $TOKEN"

Ctrl-C stops it.
`
}
