// What the catalogue refuses, in words that name what it would answer.
import { DomainError } from '../../base/errors.ts'
import type { NotFound } from './address.ts'
import type { QueryRefusal } from './filters.ts'

/** Nothing answers at this path; `suggestions` are the nearest names. */
export function refusePath({ missing, name, nearest, module }: NotFound): DomainError {
  const hint =
    nearest.length > 0 ? `The nearest names are ${nearest.join(', ')}.` : 'GET /catalogue lists what there is.'
  const suggestions = nearest.length > 0 ? { suggestions: nearest } : {}
  // A browser gets a page.
  const headers = { vary: 'Accept' }
  if (missing === 'path') {
    const detail = `Nothing in the catalogue is at ${quote(name)}. ${hint}`
    return new DomainError('not-found', { detail, headers, members: suggestions })
  }
  const detail = `There is no ${missing} ${quote(name)}${module ? ` in ${module}` : ''}. ${hint}`
  return new DomainError(`${missing}-not-found`, { detail, headers, members: suggestions })
}

/** The path answers, but not with this query string; `allowed` is what it takes. */
export function refuseQuery({ code, name, value, allowed }: QueryRefusal): DomainError {
  const fault = {
    unknown: `There is no query parameter ${quote(name)} here.`,
    repeated: `The query parameter ${quote(name)} is given more than once; each may be given once.`,
    invalid: `The query parameter ${quote(name)} cannot be ${quote(value)}.`,
  }[code]
  const detail = `${fault} ${allowed.length > 0 ? `Allowed: ${allowed.join(', ')}.` : 'This path takes none.'}`
  return new DomainError(`query-parameter-${code}`, { detail, members: { allowed } })
}

/** The path answers, but not to this method (RFC 9110, 15.5.6). */
export function refuseMethod(method: string, path: string, methods: readonly string[]): DomainError {
  const allow = methods.join(', ')
  const detail = `${path} answers ${allow}, not ${method}`
  return new DomainError('method-not-allowed', { detail, headers: { allow } })
}

/** What the client sent, short enough to read. */
export const quote = (text: string): string => JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text)
