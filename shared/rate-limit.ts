import type { Deps } from './deps.ts'
import { DomainError } from './errors.ts'
import { type RouteName, routes } from './routes.ts'

/** A fixed window: at most `limit` in each span of `seconds`, spans counted from the epoch. */
export interface Policy {
  limit: number
  seconds: number
}

const minute = 60
const hour = 60 * minute
const units = new Map([
  ['second', 1],
  ['minute', minute],
  ['hour', hour],
  ['day', 24 * hour],
])

/** What stops guessing (OWASP ASVS 6.3.1): per pair of remote and submitted address, and per submitted address. */
export const guessing = {
  pair: { limit: 10, seconds: 15 * minute },
  address: { limit: 100, seconds: hour },
} as const satisfies Record<string, Policy>

/** Mails per kind and address: enough for a person who keeps asking, useless for flooding an inbox. */
export const mailing: Policy = { limit: 5, seconds: hour }

/** The routes that have a limit, with its default per minute. */
const limited = new Map(
  Object.entries(routes).flatMap(([name, row]) =>
    'limit' in row ? [[name, { limit: row.limit, seconds: minute }]] : [],
  ),
)

/**
 * Reads the setting `RATE_LIMITS`: `on`, `off`, or overrides such as `login=10/minute,register=5/hour`.
 *
 * @returns the policies by route, `null` when everything is off, or a sentence that says what is wrong
 */
export function parseRateLimits(text: string): Map<string, Policy> | null | string {
  if (/^off$/i.test(text)) return null
  if (/^on$/i.test(text)) return limited
  const overrides = new Map<string, Policy>()
  for (const entry of text.split(',')) {
    const [, name = '', limit, unit = ''] = /^\s*([a-z-]+)\s*=\s*(\d{1,7})\s*\/\s*([a-z]+)\s*$/.exec(entry) ?? []
    const seconds = units.get(unit)
    if (!limited.has(name) || overrides.has(name) || seconds === undefined || Number(limit) < 1) {
      const [names, spans] = [[...limited.keys()].join(', '), [...units.keys()].join(', ')]
      return `'${entry.trim()}' is not <route>=<number>/<unit> with a route (once) of ${names}, a number from 1, and a unit of ${spans}`
    }
    overrides.set(name, { limit: Number(limit), seconds })
  }
  return new Map([...limited, ...overrides])
}

/** The policy that holds for a route, or null when its requests are not counted. */
export function policyOf(deps: Pick<Deps, 'config'>, name: string): Policy | null {
  return deps.config.rateLimits?.get(name) ?? null
}

/**
 * Who is calling: an IPv4 address, or an IPv6 address's /64, which is what one subscriber is given (RFC 6177 §2).
 * An IPv4-mapped address (RFC 4291 §2.5.5.2) is its IPv4 address.
 */
export function remoteKey(sourceIp: string): string {
  if (!sourceIp.includes(':')) return sourceIp
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(sourceIp)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail] = sourceIp.toLowerCase().split('::')
  const before = head.split(':').filter(group => group !== '')
  const after = tail === undefined ? [] : tail.split(':').filter(group => group !== '')
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - before.length - after.length }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map(group => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}

/** The window that `now` lies in. */
export function windowOf({ seconds }: Pick<Policy, 'seconds'>, now: Date): { index: number; resetsAt: Date } {
  const index = Math.floor(now.getTime() / 1000 / seconds)
  return { index, resetsAt: new Date((index + 1) * seconds * 1000) }
}

/** How a count stands, as the IETF fields tell it (draft-ietf-httpapi-ratelimit-headers-10 §3, §4). */
export interface Standing {
  name: string
  policy: Policy
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number
}

export const rateLimitFields = ({ name, policy, remaining, resetSeconds }: Standing): Record<string, string> => ({
  'ratelimit-policy': `"${name}";q=${policy.limit};w=${policy.seconds}`,
  ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`,
})

const secondsUntil = (then: Date, now: Date): number => Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1000))

/**
 * Counts one request of a remote address.
 *
 * @returns how the count stands; `isRefused` when this request was one too many
 * @throws {DomainError} `unavailable`: the limit is closed, not open, while the counters do not answer
 */
export async function countRequest(
  deps: Pick<Deps, 'now' | 'counters'>,
  name: RouteName,
  policy: Policy,
  remote: string,
): Promise<Standing & { isRefused: boolean }> {
  const now = deps.now()
  const { index, resetsAt } = windowOf(policy, now)
  const count = await deps.counters.take(`${name}#${remote}#${policy.seconds}#${index}`, {
    limit: policy.limit,
    resetsAt,
  })
  return {
    name,
    policy,
    remaining: count === null ? 0 : policy.limit - count,
    resetSeconds: secondsUntil(resetsAt, now),
    isRefused: count === null,
  }
}

/** The refusal of a request over a limit. `detail` names the limit. */
export function tooMany(
  what: string,
  { policy, resetSeconds }: Standing,
  fields: Record<string, string> = {},
): DomainError {
  return new DomainError('too-many-requests', {
    detail: `Too many ${what}: at most ${policy.limit} in ${inWords(policy.seconds)}. Try again in ${resetSeconds} seconds.`,
    headers: { 'retry-after': String(resetSeconds), ...fields },
  })
}

function inWords(seconds: number): string {
  const [unit, length] = [...units].findLast(([, length]) => seconds % length === 0) ?? ['second', 1]
  return seconds === length ? `one ${unit}` : `${seconds / length} ${unit}s`
}

/** A guess at a password that has been counted before it is looked at, so that parallel guesses do not slip through. */
export interface Guess {
  /** Takes the count back: the guess was right. */
  forgive(): Promise<void>
}

/**
 * Counts a login against the limits on guessing. One item by address and hour holds the address's count and, by remote
 * and quarter of the hour, the pairs': one write counts both, and one deletion clears them all.
 *
 * @throws {DomainError} `too-many-requests`, `unavailable`
 */
export async function reserveGuess(
  deps: Pick<Deps, 'now' | 'counters' | 'config' | 'log'>,
  remote: string,
  email: string,
): Promise<Guess> {
  if (deps.config.rateLimits === null) return { forgive: async () => {} }
  const now = deps.now()
  const { resetsAt } = windowOf(guessing.address, now)
  const pairWindow = windowOf(guessing.pair, now)
  const key = guessKey(email, now)
  const pair = `${remote}#${pairWindow.index}`
  const refusedBy = await deps.counters.takeGuess(key, pair, {
    perPair: guessing.pair.limit,
    perAddress: guessing.address.limit,
    resetsAt,
  })
  if (refusedBy !== null) {
    deps.log({ event: 'login-limited', reason: refusedBy })
    const standing = {
      name: `failed-logins-${refusedBy}`,
      policy: guessing[refusedBy],
      remaining: 0,
      resetSeconds: secondsUntil(refusedBy === 'pair' ? pairWindow.resetsAt : resetsAt, now),
    }
    throw tooMany('failed logins for this address', standing, rateLimitFields(standing))
  }
  return { forgive: () => deps.counters.forgiveGuess(key, pair) }
}

/** Clears what was counted against an address: its owner has just proven to be in charge of it. */
export async function forgiveGuesses(deps: Pick<Deps, 'now' | 'counters' | 'config'>, email: string): Promise<void> {
  if (deps.config.rateLimits !== null) await deps.counters.clear(guessKey(email, deps.now()))
}

const guessKey = (email: string, now: Date): string => `guess#${email}#${windowOf(guessing.address, now).index}`

/** Takes one of the mails that an address may get. @returns false over the cap */
export async function takeMail(
  deps: Pick<Deps, 'now' | 'counters' | 'config'>,
  kind: string,
  email: string,
): Promise<boolean> {
  if (deps.config.rateLimits === null) return true
  const { index, resetsAt } = windowOf(mailing, deps.now())
  return (await deps.counters.take(`mail#${kind}#${email}#${index}`, { limit: mailing.limit, resetsAt })) !== null
}
