import { functionNames } from '../../../api/route-keys.ts'
import { type AuthEvent, events, type Failure, reasons, type SlowRequest, waits } from '../../../shared/base/system.ts'

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** The allowed members of an event: words of our own, and the ids of an account, a provider and a key. */
const said: Record<string, (value: unknown, event: string) => boolean> = {
  event: value => Object.hasOwn(events, String(value)),
  account_id: value => uuid.test(String(value)),
  provider: value => /^[a-z][a-z0-9-]{0,19}$/.test(String(value)),
  key: value => /^[\w-]+$/.test(String(value)),
  reason: (value, event) =>
    ((reasons as Record<string, readonly unknown[]>)[event] ?? []).includes(value) ||
    (event === 'request-limited' && (functionNames as unknown[]).includes(value)),
}

/** The members of a slow request: numbers alone. */
const times = new Set<string>(['milliseconds', ...waits])
const isTime = ([member, value]: [string, unknown]) => times.has(member) && Number.isSafeInteger(value)

/**
 * Forbidden in every entry: an address, an access token, a password's hash, a one-time token or its hash, and the words
 * of which tests make passwords.
 */
const secret =
  /[^\s@]+@[\w-]+\.\w|\beyJ[\w-]+\.|\$(?:2[aby]|bcrypt-sha256)\$|(?<![\w-])[\w-]{43}(?![\w-])|(?<!\w)[\da-f]{64}(?!\w)|horse|staple/i

/** Forbidden content of a log entry: unknown members of an event, and any secret. */
export function leaksOf(entry: AuthEvent<string> | Failure | SlowRequest): string[] {
  const leaks = secret.exec(JSON.stringify(entry)) ?? []
  const members = 'event' in entry ? Object.entries(entry) : []
  const [event, ...others] = members
  const foreign =
    event?.[1] === 'slow'
      ? others.filter(time => !isTime(time))
      : members.filter(([member, value]) => !said[member]?.(value, String(event?.[1])))
  return [...leaks, ...foreign.map(member => member.join(': '))]
}

/** The ids of accounts in models: `ada`, `id-3`. */
const modelled = /^[a-z]+(?:-\d+)?$/

/** For models. @throws for an entry with forbidden content */
export function requireNoLeak(entry: AuthEvent<string> | Failure): void {
  const { account_id, ...rest } = entry as AuthEvent<string>
  const [leak] = leaksOf(account_id !== undefined && modelled.test(account_id) ? (rest as AuthEvent) : entry)
  if (leak !== undefined) throw new Error(`the log says ${leak}`)
}
