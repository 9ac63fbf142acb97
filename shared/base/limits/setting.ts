import { type Policy, spans } from './policy.ts'

/** The policies that `RATE_LIMITS` overrides, by route; null when nothing is counted. */
export type RateLimits = ReadonlyMap<string, Policy> | null

/**
 * Reads the setting `RATE_LIMITS`: `on`, `off`, or overrides such as `login=10/minute,register=5/hour`.
 *
 * @param limited the routes that have a limit; not needed where the setting was checked before
 * @returns a sentence when something is wrong: it says what
 */
export function parseRateLimits(text: string, limited?: readonly string[]): RateLimits | string {
  if (/^off$/i.test(text)) return null
  const overrides = new Map<string, Policy>()
  if (/^on$/i.test(text)) return overrides
  for (const entry of text.split(',')) {
    const [, name = '', limit, unit = ''] = /^\s*([a-z-]+)\s*=\s*(\d{1,7})\s*\/\s*([a-z]+)\s*$/.exec(entry) ?? []
    const seconds = spans.get(unit)
    const isLimited = limited?.includes(name) ?? name !== ''
    if (!isLimited || overrides.has(name) || seconds === undefined || Number(limit) < 1) {
      const units = [...spans.keys()].join(', ')
      const names = limited ? `, and each route at most once: ${limited.join(', ')}` : ''
      return `'${entry.trim()}' is not <route>=<number>/<unit>. The number is at least 1, the unit one of ${units}${names}`
    }
    overrides.set(name, { limit: Number(limit), seconds })
  }
  return overrides
}
