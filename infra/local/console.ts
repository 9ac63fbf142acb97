import { styleText } from 'node:util'
import type { Denial } from './aws/front.ts'
import type { Served } from './gateway/gateway.ts'
import type { Mail } from './inbox/inbox.ts'
import type { LogLine, Observer, Running } from './system.ts'

/** What the system says on a terminal: a line for each request and each mail, and whatever went wrong. */
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

/** What was mailed to whom, and where to read it. */
export const mailLine = ({ destination, subject, messageId }: Mail, inboxUrl: string): string =>
  `${styleText('cyan', 'mail'.padEnd(7))} ${subject}, to ${destination.to.join(', ')}: ${inboxUrl}/#${messageId}`

const suppressedLine = (address: string): string =>
  `${styleText('yellow', 'mail'.padEnd(7))} none to ${address}, which SES suppresses: npm run mail -- suppressed ${address} --local`

export function deniedLine({ caller, action, resource, reason }: Denial): string {
  return styleText('red', `${caller} may not ${action} on ${resource}: ${reason}`, { stream: process.stderr })
}

/** A function's line if it tells of an error, null otherwise: events and metrics would only pass by. */
export function logText({ caller, line }: LogLine): string | null {
  const record = jsonOf(line)
  // Not from the console: Node's own last words.
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

/** A line of a function's log: of its own, or Lambda's report on an invocation that ended badly. */
interface Line {
  level?: unknown
  message?: unknown
  type?: unknown
  record?: { status?: string; errorType?: string; metrics?: { durationMs?: number } }
}

/** A mail that the worker drops: nothing else would say why it does not come. Null for other lines. */
export function droppedLine({ line }: LogLine): string | null {
  const record = jsonOf(line) as { message?: { event?: string; reason?: string; account_id?: string } } | null
  const { event, reason, account_id: id } = record?.message ?? {}
  if (event !== 'mail-dropped') return null
  return `${styleText('yellow', 'mail'.padEnd(7))} dropped: ${reason}${id === undefined ? '' : `, account ${id}`}`
}

/** Undefined where the text is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What was logged, for people: text as it is, and errors as `report` describes them. */
function reasonOf(message: unknown): string {
  if (typeof message !== 'object' || message === null) return String(message)
  const { error, message: text, stack, stackTrace, cause } = message as Record<string, unknown>
  const trace = stack ?? (Array.isArray(stackTrace) ? stackTrace.join('\n') : undefined)
  const reason = trace ?? (text === undefined ? JSON.stringify(message) : `${error}: ${text}`)
  return cause === undefined ? String(reason) : `${reason}, because of ${reasonOf(cause)}`
}

/** In any shell, and without jq. */
const findToken = `sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'`

/** @param appUrl where the pages lead on to; empty for nowhere */
export function welcome({ baseUrl, inboxUrl }: Running, appUrl: string, seconds: number): string {
  const post = (path: string, body: object, options = '') =>
    `curl ${options}${baseUrl}${path} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`
  const person = { email: 'ada@example.com', password: 'correct horse' }
  return `
Gatehouse is ready after ${seconds.toFixed(1)} s.

  API    ${baseUrl}
  Inbox  ${inboxUrl}
${appUrl === '' ? '' : `  App    ${appUrl} (APP_URL: where the pages lead on to)\n`}
Try it:

  ${post('/auth/register', { ...person, name: 'Ada' })}
  TOKEN=$(${post('/auth/login', person, '-s ')} | ${findToken})
  curl ${baseUrl}/auth/me -H "authorization: Bearer $TOKEN"

Ctrl-C stops it.
`
}
