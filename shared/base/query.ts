// Query strings of paths that refuse unknown parameters.
import { DomainError } from './errors.ts'

/** The values of a query parameter: null for any text of 1 to 100 characters, empty only if stated. */
export type Taken = { values: readonly string[] | null; empty?: true }

/** Characters of a text. */
export const maxText = 100

/** The mistake in a query string, and the allowed values. */
export type QueryRefusal = { code: 'unknown' | 'repeated' | 'invalid'; name: string; value: string; allowed: string[] }

/** Reads a raw query string: only known parameters, each at most once. */
export function takeQuery(raw: string, taken: Readonly<Record<string, Taken>>): Map<string, string> | QueryRefusal {
  const values = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(raw)) {
    const known = Object.hasOwn(taken, name) && taken[name]
    if (!known) return { code: 'unknown', name, value, allowed: Object.keys(taken) }
    if (values.has(name)) return { code: 'repeated', name, value, allowed: Object.keys(taken) }
    const refused = refuseValue(known, value)
    if (refused) return { code: 'invalid', name, value, allowed: refused }
    values.set(name, value)
  }
  return values
}

/** The allowed values, if `value` is not among them. */
function refuseValue({ values, empty }: Taken, value: string): string[] | null {
  if (values) return values.includes(value) ? null : [...values]
  if (value.length <= maxText && (empty || value.trim())) return null
  return [`a text of ${empty ? 'at most' : '1 to'} ${maxText} characters`]
}

/** The refusal of a query string that the path does not take; `allowed` is what it takes. */
export function refuseQuery({ code, name, value, allowed }: QueryRefusal): DomainError {
  const fault = {
    unknown: `There is no query parameter ${quote(name)} here.`,
    repeated: `The query parameter ${quote(name)} is given more than once; each may be given once.`,
    invalid: `The query parameter ${quote(name)} cannot be ${quote(value)}.`,
  }[code]
  const detail = `${fault} ${allowed.length > 0 ? `Allowed: ${allowed.join(', ')}.` : 'This path takes none.'}`
  return new DomainError(`query-parameter-${code}`, { detail, members: { allowed } })
}

/** The client's text, shortened. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text)
}
