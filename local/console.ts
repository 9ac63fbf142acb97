import { inspect, styleText } from 'node:util'
import type { Fault } from '../api/authorization-faults.ts'
import type { Settings } from '../infra/settings/settings.ts'
import manifest from '../package.json' with { type: 'json' }
import { printable } from '../shared/base/hidden-characters.ts'
import type { Denial, InvalidCall } from './aws/front.ts'
import { inWords } from './clock/in-words.ts'
import type { Served } from './gateway/gateway.ts'
import type { Mail } from './inbox/inbox.ts'
import type { LogLine, Observer, Reload } from './observer.ts'
import { makeMissingMaps, withSourceLines } from './source-maps.ts'
import type { Running } from './system.ts'

/**
 * Writes to the terminal: requests, mails, reloads, functions' logs, and errors.
 *
 * @param shown.logs whether functions' output and events are shown
 */
export function consoleObserver(shown: { quiet: boolean; logs: boolean }, build: string): Omit<Observer, 'lost'> {
  const tell = (text: string | null) => {
    if (text !== null && !shown.quiet) console.log(text)
  }
  const showError = (text: string, caller: string): void => {
    const show = () => console.error(withSourceLines(text, caller, build))
    const making = makeMissingMaps(text, caller, build)
    if (making) making.then(show)
    else show()
  }
  return {
    building: buildingLine(text => !shown.quiet && process.stdout.write(text)),
    seeded: line => tell(line),
    served: served => tell(servedLine(served)),
    misconfigured: fault => tell(faultLines(fault)),
    logged: logged => {
      const text = errorText(logged)
      if (text !== null) return showError(text, logged.caller)
      tell(droppedLine(logged) ?? (shown.logs ? logText(logged) : null))
    },
    denied: denial => console.error(deniedLine(denial)),
    invalid: call => console.error(invalidLine(call)),
    mailed: (mail, inboxUrl) => tell(mailLine(mail, inboxUrl)),
    suppressed: address => tell(suppressedLine(address)),
    moved: ahead => tell(`${styleText('magenta', 'clock'.padEnd(7))} ${inWords(ahead)} ahead`),
    reset: accounts => tell(resetLine(accounts)),
    reloaded: reload => tell(reloadLine(reload)),
    buildFailed: reason => console.error(buildFailure(reason)),
    outdated: what => tell(outdatedLine(what)),
  }
}

/** Seconds between two lines where none can be written anew. */
const pause = 5

/** Tells of a first build: on one line in a terminal, in a line from time to time elsewhere. */
export function buildingLine(write: (text: string) => void, isTerminal = process.stdout.isTTY === true, now = seconds) {
  let told = Number.NEGATIVE_INFINITY
  return (built: number, all: number): void => {
    const text = `Building the functions: ${built} of ${all}`
    const isEnd = built === all
    if (!isTerminal && !isEnd && now() - told < pause) return
    told = now()
    // In a terminal, what is written next begins where this line does.
    write(`${text}${isTerminal && !isEnd ? '\r' : '\n'}`)
  }
}

const seconds = (): number => performance.now() / 1000

function servedLine({ method, path, status, code, milliseconds }: Served): string {
  const colour = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
  const time = `${milliseconds.toFixed(0).padStart(5)} ms`
  return `${method.padEnd(7)} ${printable(path.slice(0, 80)).padEnd(32)} ${styleText(colour, String(status))} ${time}${code ? `  ${code}` : ''}`
}

/** A mail's subject and recipients, and its address in the inbox. */
const mailLine = ({ destination, subject, messageId }: Mail, inboxUrl: string): string =>
  `${styleText('cyan', 'mail'.padEnd(7))} ${printable(`${subject}, to ${destination.to.join(', ')}`)}: ${inboxUrl}/#${messageId}`

/** What is wrong, each line below the other, and last what to change. */
const faultLines = ({ what, change }: Fault): string =>
  [...what, ...(change === null ? [] : [`${change}.`])]
    .map((line, i) => `${i === 0 ? styleText('yellow', 'client'.padEnd(7)) : ' '.repeat(7)} ${printable(line)}`)
    .join('\n')

const suppressedLine = (address: string): string =>
  `${styleText('yellow', 'mail'.padEnd(7))} not sent to ${address}, which SES suppresses: npm run mail -- suppressed ${address} --local`

const deniedLine = ({ caller, action, resource, keys, reason }: Denial): string => {
  const what = `${action} on ${resource}${keys && ` of ${keys}`}`
  return styleText('red', `${caller} is not allowed to call ${what}: ${reason}`, { stream: process.stderr })
}

const invalidLine = ({ caller, action, reason }: InvalidCall): string =>
  styleText('red', `${caller}: DynamoDB refuses ${action}: ${printableLines(reason)}`, { stream: process.stderr })

const resetLine = (accounts: number): string =>
  `${styleText('magenta', 'reset'.padEnd(7))} ${accounts} ${accounts === 1 ? 'account' : 'accounts'}, mails and clock as at the start`

/** The functions with new code, by name if they are few. */
function reloadLine({ lists, functions, milliseconds }: Reload): string {
  const which = functions.length > 4 ? `${functions.length} functions` : functions.join(', ')
  const seconds = `${(milliseconds / 1000).toFixed(1)} s`
  const changed = lists === undefined ? `${which} (${seconds})` : `${lists} (${which}, ${seconds})`
  const what = which === '' ? `${lists ?? ''} changes no function`.trim() : changed
  return `${styleText('magenta', 'reload'.padEnd(7))} ${what}`
}

const buildFailure = (reason: string): string =>
  `${styleText('red', 'reload'.padEnd(7), { stream: process.stderr })} failed, so the functions keep what they have:
${reason}`

const outdatedLine = (what: string): string =>
  `${styleText('yellow', 'restart'.padEnd(7))} ${what} has changed: this takes effect when you restart npm start`

/** The error in a function's log line, else null. */
function errorText({ caller, line }: LogLine): string | null {
  const record = jsonOf(line)
  // Not written by the console: Node reports a crash, with the line of the code, which may be a whole bundle.
  if (record === undefined) return `${caller}: ${printable(line.slice(0, 200))}${line.length > 200 ? '…' : ''}`
  if (typeof record !== 'object' || record === null) return null
  const reason = reasonIn(record)
  return reason === null ? null : styleText('red', `${caller}: ${printableLines(reason)}`, { stream: process.stderr })
}

/** A function's output or event; null for other lines, such as metrics. */
function logText({ caller, line }: LogLine): string | null {
  const { level, message } = (jsonOf(line) ?? {}) as Line
  if (level === undefined || message === undefined) return null
  return `${styleText(level === 'WARN' ? 'yellow' : 'blue', `${caller}:`)} ${printableLines(readable(message))}`
}

/** An event by its name and members; a text unchanged; anything else as Node prints it. */
function readable(message: unknown): string {
  if (typeof message === 'string') return message
  if (!isEvent(message)) return inspect(message, { depth: null, breakLength: 120 })
  const { event, ...members } = message
  return [event, ...Object.entries(members).map(([name, value]) => `${name}=${value}`)].join(' ')
}

const isEvent = (message: unknown): message is Record<string, unknown> & { event: string } =>
  typeof message === 'object' && message !== null && 'event' in message && typeof message.event === 'string'

/** Client input must not steer the terminal. A stack has several lines. */
const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')

function reasonIn({ level, message = '', type, record }: Line): string | null {
  if (type === 'platform.report' && record?.status === 'timeout') {
    return `timed out after ${(Number(record.metrics?.durationMs) / 1000).toFixed(2)} seconds`
  }
  if (type === 'platform.report') return String(record?.errorType)
  return level === 'ERROR' ? reasonOf(message) : null
}

/** A line of a function's log: its own, or Lambda's report on a failed invocation. */
interface Line {
  level?: unknown
  message?: unknown
  type?: unknown
  record?: { status?: string; errorType?: string; metrics?: { durationMs?: number } }
}

/** The reason for which the worker dropped a mail; null for other lines. */
function droppedLine({ line }: LogLine): string | null {
  const record = jsonOf(line) as { message?: { event?: string; reason?: string; account_id?: string } } | null
  const { event, reason, account_id: id } = record?.message ?? {}
  const why = event === 'mail-capped' ? 'capped' : reason
  if (event !== 'mail-dropped' && event !== 'mail-capped') return null
  return `${styleText('yellow', 'mail'.padEnd(7))} dropped: ${why}${id === undefined ? '' : `, account ${id}`}`
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A logged message for people: strings unchanged, errors with their causes. */
function reasonOf(message: unknown): string {
  if (typeof message !== 'object' || message === null) return String(message)
  const { error, message: text, stack, stackTrace, cause } = message as Record<string, unknown>
  const trace = stack ?? (Array.isArray(stackTrace) ? stackTrace.join('\n') : undefined)
  const reason = trace ?? (text === undefined ? JSON.stringify(message) : `${error}: ${text}`)
  return cause === undefined ? String(reason) : `${reason}, caused by ${reasonOf(cause)}`
}

/** The prompt gets a line of its own. */
const endLine = String.raw`-w '\n'`

/** Works without jq. */
const findToken = `sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'`

/** The settings about where people go, and how they get an account. */
type Places = Pick<Settings, 'ACCOUNT_PAGE' | 'APP_URL' | 'OIDC_CLIENTS' | 'SIGN_UP'>

type Addresses = Pick<
  Running,
  'ahead' | 'baseUrl' | 'publicUrl' | 'pagesUrl' | 'certificateFile' | 'inboxUrl' | 'exampleUrl'
>

/** A path for a shell. */
const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'"'"'`)}'`)

/** The lines to try work in bash, zsh and fish, which has no `TOKEN=…`. */
export function welcome(
  { ahead, baseUrl, publicUrl, pagesUrl, certificateFile, inboxUrl, exampleUrl }: Addresses,
  { ACCOUNT_PAGE, APP_URL, OIDC_CLIENTS, SIGN_UP }: Places,
  seconds: number,
  watches: boolean,
): string {
  const file = certificateFile === null ? null : quoted(certificateFile)
  const curl = file === null ? 'curl' : `curl --cacert ${file}`
  const post = (path: string, body: object, options: string) =>
    `${curl} ${options} ${publicUrl}${path} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`
  const person = { email: 'grace@example.com', password: 'correct horse' }
  return `
Gatehouse ${manifest.version} is ready after ${seconds.toFixed(1)} s.${ahead === 0 ? '' : `\nThe clock is ${inWords(ahead)} ahead (POST /clock): a new DATA_DIR ends it.`}
${ACCOUNT_PAGE === 'off' ? '' : `\n  Open ${pagesUrl}/account\n`}
  API      ${publicUrl}
${publicUrl === baseUrl ? '' : `           Listens at ${baseUrl}\n`}  Inbox    ${inboxUrl}
${exampleUrl === null ? '' : `  Example  ${exampleUrl} (a provider: "Continue with Example" on the account page)\n`}${APP_URL === '' ? '' : `  App      ${APP_URL} (APP_URL: where "Continue" on the pages leads)\n`}
Try it:

  ${SIGN_UP === 'invited' ? `npm run users -- invite ${person.email} --local` : post('/auth/register', { ...person, name: 'Grace' }, endLine)}
  ${curl} ${endLine} ${publicUrl}/auth/me -H "authorization: Bearer $(${post('/auth/login', person, '-s')} | ${findToken})"
${OIDC_CLIENTS.some(({ id }) => id === 'sample') ? `\nAn application that people log in to here:\n\n  ${file === null ? '' : `NODE_EXTRA_CA_CERTS=${file} `}${publicUrl === 'http://localhost:3000' ? '' : `ISSUER=${publicUrl}/auth `}node docs/examples/sign-in/serve.js\n` : ''}
Ctrl-C stops it.${watches ? '' : ' It does not watch the sources; npm start -- --watch does.'}
`
}
