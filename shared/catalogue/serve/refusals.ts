// What the catalogue refuses, in words that name what it would answer.
import { DomainError } from '../../base/errors.ts'
import { quote } from '../../base/query.ts'
import type { NotFound } from './address.ts'

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

/** The path answers, but not to this method (RFC 9110, 15.5.6). */
export function refuseMethod(method: string, path: string, methods: readonly string[]): DomainError {
  const allow = methods.join(', ')
  const detail = `${path} answers ${allow}, not ${method}`
  return new DomainError('method-not-allowed', { detail, headers: { allow } })
}
